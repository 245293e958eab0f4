/** What changed between two reports, and what it is called. */
import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type {
  Finding,
  InterfaceReport,
  ProcessReport,
  TargetReport,
} from '../../../src/node/facts/report.js';
import { diffReports } from '../../../src/node/report/diff.js';
import { diffMarkdown, diffText, vantageMarkdown, vantageText } from '../../../src/node/report/diff-text.js';
import { compareVantage } from '../../../src/node/report/vantage.js';
import { reportOf, targetOf } from './reports.js';

type Over = Partial<TargetReport>;

const node = (over: Over = {}, name = 'en-1'): TargetReport =>
  targetOf((what) => what, name, {
    interfaces: [],
    findings: [],
    undetermined: [],
    verdict: 'pass',
    ...over,
  });
const [found] = targetOf((what) => what).findings as [Finding];
const finding = (over: Partial<Finding> = {}): Finding => ({ ...found, subject: 'http', ...over });
const quiet = finding({ suppressed: { reason: 'why', until: null } });
const open = (about: string | null, rule = 'open-profiler', reason = 'no answer') =>
  ({ rule, code: 'timeout', about, reason }) as const;
const process = (pid: number, over: Partial<ProcessReport> = {}): ProcessReport =>
  ({
    pid,
    program: 'ken',
    dataDir: '/srv/kend',
    startedAt: '2026-02-11T00:00:00.000Z',
    ...over,
  }) as ProcessReport;
const at = (
  transport: InterfaceReport['transport'],
  over: Partial<InterfaceReport> = {},
): InterfaceReport => ({
  transport,
  endpoint: `${transport}://10.0.0.5:8551`,
  source: 'conf',
  state: 'open',
  reason: null,
  modules: { eth: '1.0', rpc: '1.0' },
  client: null,
  browsers: null,
  latencyMs: 1,
  ...over,
});

async function told(before: TargetReport[] | null, after: TargetReport[]): Promise<string[]> {
  const diff = { ...diffReports(before === null ? null : reportOf(before), reportOf(after)), exitCode: 0 };
  return (await collected(diffText(diff, 400)))
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/ {2,}/g, ' ').trim());
}
const place = '(confs/kend.conf:8:28)';

test.each<[string, before: Over | null, after: Over | null, said: readonly string[]]>([
  ['nothing', { findings: [finding()] }, { findings: [finding({ message: 'other' })] }, ['Nothing changed.']],
  [
    'a new target',
    null,
    { findings: [finding()], verdict: 'fail', undetermined: [open('ws')] },
    [
      'en-1 · new, fail',
      `+ critical unsafe-debug http ${place}`,
      '1 new, 0 changed, 0 no longer seen, 0 gone in 1 target.',
    ],
  ],
  [
    'a new target that could not be read',
    null,
    { verdict: 'undetermined', undetermined: [open(null, 'gather', 'no such file')] },
    [
      'en-1 · new, undetermined',
      '? not seen gather no such file',
      '0 new, 0 changed, 1 no longer seen, 0 gone in 1 target.',
    ],
  ],
  [
    'a new target without findings',
    null,
    { verdict: 'undetermined', undetermined: [open('ws'), open('ws', 'wildcard-cors')] },
    [
      'en-1 · new, undetermined',
      '? not seen 2 rules no answer: open-profiler, wildcard-cors',
      '0 new, 0 changed, 2 no longer seen, 0 gone in 1 target.',
    ],
  ],
  [
    'a target that is gone',
    { findings: [finding()], verdict: 'fail' },
    null,
    [
      'en-1 · gone (was fail)',
      `- critical unsafe-debug http ${place}: no longer seen`,
      '0 new, 0 changed, 1 no longer seen, 0 gone in 1 target (1 no longer in the report).',
    ],
  ],
  [
    'a verdict',
    { verdict: 'undetermined' },
    {},
    ['en-1 · undetermined → pass', '0 new, 0 changed, 0 no longer seen, 0 gone in 1 target.'],
  ],
  [
    'a fixed finding',
    { findings: [finding()] },
    {},
    [
      'en-1 · pass',
      `- critical unsafe-debug http ${place}: gone`,
      '0 new, 0 changed, 0 no longer seen, 1 gone in 1 target.',
    ],
  ],
  [
    'a finding whose rule was not checked',
    { findings: [finding()] },
    { checks: [{ rule: 'unsafe-debug', verdict: 'undetermined' }] },
    [
      'en-1 · pass',
      `- critical unsafe-debug http ${place}: no longer seen`,
      '0 new, 0 changed, 1 no longer seen, 0 gone in 1 target.',
    ],
  ],
  [
    'a finding of a target that was not read',
    { findings: [finding()] },
    { undetermined: [open(null, 'gather', 'no such file')] },
    [
      'en-1 · pass',
      '? not seen gather no such file',
      `- critical unsafe-debug http ${place}: no longer seen`,
      '0 new, 0 changed, 2 no longer seen, 0 gone in 1 target.',
    ],
  ],
  [
    'a suppressed finding',
    { findings: [finding()] },
    { findings: [quiet] },
    [
      'en-1 · pass',
      `- critical unsafe-debug http ${place}: suppressed now`,
      '0 new, 0 changed, 0 no longer seen, 1 gone in 1 target.',
    ],
  ],
  [
    'a finding that is no longer suppressed',
    { findings: [quiet] },
    { findings: [finding()] },
    [
      'en-1 · pass',
      `+ critical unsafe-debug http ${place}`,
      '1 new, 0 changed, 0 no longer seen, 0 gone in 1 target.',
    ],
  ],
  ['a finding that stays suppressed', { findings: [quiet] }, { findings: [quiet] }, ['Nothing changed.']],
  [
    'a severity',
    { findings: [finding({ severity: 'low' })] },
    { findings: [finding()] },
    [
      'en-1 · pass',
      `~ critical unsafe-debug http ${place}: was low`,
      '0 new, 1 changed, 0 no longer seen, 0 gone in 1 target.',
    ],
  ],
  [
    'one of two equal findings',
    { findings: [finding(), finding()] },
    { findings: [finding()] },
    [
      'en-1 · pass',
      `- critical unsafe-debug http ${place}: gone`,
      '0 new, 0 changed, 0 no longer seen, 1 gone in 1 target.',
    ],
  ],
  [
    'a question that was open',
    { undetermined: [open('process 7')] },
    { undetermined: [open('process 8')] },
    ['Nothing changed.'],
  ],
  [
    'a question about another interface',
    { undetermined: [open('http')] },
    { undetermined: [open('ws')] },
    [
      'en-1 · pass',
      '? not seen open-profiler no answer',
      '0 new, 0 changed, 1 no longer seen, 0 gone in 1 target.',
    ],
  ],
])('%s', async (_, before, after, said) => {
  const targets = [before, after].map((one) => (one === null ? [] : [node(one)])) as [
    TargetReport[],
    TargetReport[],
  ];
  expect(await told(...targets)).toEqual(said);
});

test.each<[string, before: Over, after: Over, said: readonly string[]]>([
  [
    'started',
    { process: null },
    { process: process(7) },
    ['! started ken (pid 7, since 2026-02-11T00:00:00Z)'],
  ],
  ['ended', { process: process(7, { startedAt: null }) }, { process: null }, ['! ended ken (pid 7)']],
  [
    'restarted',
    { process: process(7, { startedAt: null }) },
    { process: process(8, { startedAt: null }) },
    ['! restarted ken (pid 8), was ken (pid 7)'],
  ],
  [
    'restarted under its pid',
    { process: process(7) },
    { process: process(7, { startedAt: '2026-02-11T00:00:02.001Z' }) },
    ['! restarted ken (pid 7, since 2026-02-11T00:00:02Z), was ken (pid 7, since 2026-02-11T00:00:00Z)'],
  ],
  [
    'not restarted: the clock stepped',
    { process: process(7) },
    { process: process(7, { startedAt: '2026-02-11T00:00:02.000Z' }) },
    [],
  ],
  ['not seen', { process: process(7) }, {}, []],
  ['never seen', { process: null }, { process: null }, []],
  ['of another kind', { kind: 'geth' }, { kind: 'bsc' }, ['! kind geth → bsc']],
  ['of the same kind', { kind: 'geth' }, { kind: 'geth' }, []],
  [
    'opened',
    { interfaces: [at('http', { state: 'refused', modules: null })] },
    { interfaces: [at('http')] },
    ['! opened http://10.0.0.5:8551: eth, rpc'],
  ],
  [
    'closed',
    { interfaces: [at('http')] },
    { interfaces: [at('http', { state: 'closed', modules: null })] },
    ['! closed http://10.0.0.5:8551: eth, rpc'],
  ],
  [
    'unreachable',
    { interfaces: [at('http')] },
    { interfaces: [at('http', { state: 'unreachable', modules: null })] },
    [],
  ],
  [
    'opened by its process',
    { process: process(7) },
    { process: process(7), interfaces: [at('ws', { modules: {} })] },
    ['! opened ws://10.0.0.5:8551'],
  ],
  ['asked for the first time', {}, { interfaces: [at('ws')] }, []],
  [
    'offering other modules',
    { interfaces: [at('http')] },
    { interfaces: [at('http', { modules: { admin: '1.0', eth: '1.0', debug: '1.0' } })] },
    ['! offered http://10.0.0.5:8551: admin, debug', '! withdrawn http://10.0.0.5:8551: rpc'],
  ],
  [
    'not offering what was seen',
    { interfaces: [at('http')] },
    { interfaces: [at('http', { modules: null })] },
    [],
  ],
  [
    'unlocked',
    { interfaces: [at('http', { unlocked: ['0x1'] })] },
    { interfaces: [at('http', { unlocked: ['0x2', '0x3'] })] },
    ['! unlocked 0x2, 0x3 (http://10.0.0.5:8551)', '! locked 0x1 (http://10.0.0.5:8551)'],
  ],
])('a node is %s', async (_, before, after, said) => {
  const lines = await told([node(before)], [node(after)]);
  expect(lines.filter((line) => line.startsWith('!'))).toEqual(said);
});

test('a node that is down has fixed nothing, and is compared with its last report when it is up', async () => {
  const up = node({ findings: [finding()], process: process(7, { startedAt: null }), verdict: 'fail' });
  const down = node({ verdict: 'undetermined', undetermined: [open('http')], last: up });
  expect(await told([up], [down])).toEqual([
    'en-1 · fail → down',
    '! down ken (pid 7): no answer',
    '0 new, 0 changed, 0 no longer seen, 0 gone in 1 target.',
  ]);
  expect(await told([node()], [node({ last: node() })])).toContain('! down no interface answers');
  expect(await told([down], [down])).toEqual(['Nothing changed.']);
  expect(await told([down], [up])).toContain('! up ken (pid 7)');
  expect(await told([node({ last: node() })], [node()])).toContain('! up answers again');
  const restarted = await told([down], [node({ process: process(8, { startedAt: null }) })]);
  expect(restarted.filter((line) => line.startsWith('!'))).toEqual([
    '! restarted ken (pid 8), was ken (pid 7)',
  ]);
});

test('a node without a conf is known by its program and data folder after a restart', async () => {
  const [before, after] = [node({ process: process(7) }, 'pid:7'), node({ process: process(8) }, 'pid:8')];
  expect((await told([before], [after]))[0]).toBe('pid:8 · pass');
  const other = node({ process: process(8, { dataDir: '/srv/other' }) }, 'pid:8');
  expect((await told([before], [other])).slice(0, 2)).toEqual([
    'pid:8 · new, pass',
    'pid:7 · gone (was pass)',
  ]);
  const unknown = node({ process: process(8, { dataDir: null }) }, 'pid:8');
  expect((await told([node({ process: process(7, { dataDir: null }) }, 'pid:7')], [unknown]))[0]).toBe(
    'pid:8 · new, pass',
  );
});

test('targets of one name are told apart by their order, and the first report has everything new', async () => {
  const [one, two] = [node({ findings: [finding()] }), node()];
  expect(await told([one, two], [one, two])).toEqual(['Nothing changed.']);
  expect(await told([one, two], [one, one])).toHaveLength(3);
  expect((await told(null, [one]))[0]).toBe('en-1 · new, pass');
  expect(diffReports(null, reportOf([])).before).toBeNull();
});

test('Markdown has a heading for each target and an item for each change', async () => {
  const after = node({ findings: [finding({ subject: '*' })], kind: 'bsc', verdict: 'fail' }, 'en*');
  const diff = {
    ...diffReports(reportOf([node({ kind: 'geth' }, 'en*'), node()]), reportOf([after])),
    exitCode: 0,
  };
  expect(await collected(diffMarkdown(diff))).toBe(`# kaiactl: what changed

## en\\* · pass → fail

- \\! \`kind\` geth → bsc
- + critical \`unsafe-debug\` \\* (confs/kend.conf\\:8\\:28)

## en-1 · gone (was pass)

1 new, 0 changed, 0 no longer seen, 0 gone in 2 targets (1 no longer in the report).
`);
});

test('the view from outside names interfaces that are private inside, and nodes that it did not see', async () => {
  const seen = at('http', { endpoint: 'http://203.0.113.7:8551' });
  const inside = (over: Partial<InterfaceReport>, name = 'a') =>
    node({ interfaces: [at('http', over)] }, name);
  const view = async (own: TargetReport[], outer: TargetReport[]) => {
    const report = { ...(await compareVantage(reportOf(own), reportOf(outer))), exitCode: 0 };
    expect(vantageMarkdown(report)).toContain('# kaiactl: seen from outside\n\n');
    return vantageText(report, 400).trimEnd().split('\n');
  };
  const outside = [node({ interfaces: [seen, at('ipc'), at('ws', { state: 'refused' })] }, 'a')];
  const row = '! a: http://203.0.113.7:8551 answers from outside; ';
  const total = '1 interface reached from outside but private inside; 0 targets not audited from outside.';
  expect(await view([inside({ reach: 'private' })], outside)).toEqual([
    `${row}inside says the private network only; it offers eth, rpc`,
    total,
  ]);
  expect((await view([inside({})], outside))[0]).toBe(
    `${row}inside says the private network only; it offers eth, rpc`,
  );
  expect((await view([inside({ endpoint: 'http://[::1]:8551' })], outside))[0]).toContain(
    'inside says this machine only',
  );
  const unlisted = `${row}inside does not list this interface; it offers eth, rpc`;
  expect((await view([inside({ endpoint: 'http://10.0.0.5:9551' })], outside))[0]).toBe(unlisted);
  expect((await view([inside({ state: 'closed' })], outside))[0]).toBe(unlisted);
  expect((await view([], outside))[0]).toBe(unlisted);
  expect(await view([inside({ reach: 'any' })], outside)).toEqual(['Outside reaches no private interface.']);
  expect(
    await view(
      [inside({ reach: 'any' }), inside({}, 'b')],
      [...outside, node({ interfaces: [at('http', { state: 'not-checked' })] }, 'b')],
    ),
  ).toEqual([
    '! b: was not audited from outside',
    '0 interfaces reached from outside but private inside; 1 target not audited from outside.',
  ]);
  const bare = [
    node(
      {
        interfaces: [
          { ...seen, modules: {} },
          { ...seen, transport: 'metrics', modules: null },
        ],
      },
      'a',
    ),
  ];
  expect((await view([], bare)).slice(0, 2)).toEqual([
    `${row}inside does not list this interface; it offers nothing`,
    `${row.trimEnd().slice(0, -1)}; inside does not list this interface`,
  ]);
});
