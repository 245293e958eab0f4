/** Several nodes of an audit on one screen. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Finding, Report, TargetReport } from '../../../src/node/facts/report.js';
import type { Severity } from '../../../src/node/facts/severity.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { text } from '../../../src/node/report/text.js';
import { headerOf } from '../../../src/node/report/text-header.js';
import { findingsThatFit, nodeRows } from '../../../src/node/report/text-nodes.js';
import { plain } from '../../../src/node/report/text-paint.js';
import { summarise } from '../../../src/node/summarise.js';

const finding = (severity: Severity, rule = 'privileged-module'): Finding => ({
  rule,
  severity,
  title: 'T',
  message: `${severity} message.`,
  fix: 'Fix it.',
  subject: 'http personal',
  at: { endpoint: 'http://127.0.0.1:8551' },
  source: null,
  related: [],
  evidence: null,
  fingerprint: `${severity} ${rule}`,
  suppressed: null,
});

function target(name: string, findings: Finding[], more: Partial<TargetReport> = {}): TargetReport {
  const row = {
    transport: 'http',
    endpoint: 'http://127.0.0.1:8551',
    source: 'process',
    state: 'open',
  } as const;
  return {
    name,
    role: null,
    conf: null,
    findings,
    undetermined: [],
    interfaces: [
      { ...row, reason: null, modules: {}, client: null, browsers: null, latencyMs: 1, requests: 1 },
    ],
    verdict: findings.some(({ severity }) => severity === 'critical' || severity === 'high')
      ? 'fail'
      : 'pass',
    ...more,
  };
}

const process = { pid: 9, startedAt: null, program: 'ken', dataDir: '/srv/en-2/data' };
const nodes = [
  target('ken /srv/en-2/data', [finding('critical'), finding('medium')], {
    process: { ...process, user: 'kaia', unit: 'en-2.service', container: null },
  }),
  target('/etc/kend/conf/kend.conf', [finding('high'), finding('low')], {
    process: { ...process, dataDir: '/var/kend', user: 'kaia', unit: 'kend.service', container: 'chain/en' },
  }),
  target('ken /srv/en-1/data', []),
];
async function nodeList(targets: readonly TargetReport[], width: number): Promise<string> {
  const names = targets.map(({ name }) => name);
  const how = { width, paint: plain, failOn: 'high', noun: 'nodes' } as const;
  return (await nodeRows(Readable.from(targets), names, how)).join('\n');
}

const report = (targets: readonly TargetReport[]): Report => ({
  ...summarise(targets, {
    name: 'kaiactl',
    version: '1',
    startedAt: 0,
    finishedAt: 0,
    failOn: 'high',
  } as never),
});

async function shown(targets: readonly TargetReport[], rows?: number, verbose = false): Promise<string> {
  const pieces: string[] = [];
  const options = { columns: 80, verbose, kinds, ...(rows === undefined ? {} : { rows }) };
  for await (const piece of text(report(targets), options, plain)) pieces.push(piece);
  return pieces.join('');
}

test('a node takes one line with its worst finding, name, unit, data folder, user and counts', async () => {
  expect(await nodeList(nodes, 100)).toBe(
    [
      'critical    ken /srv/en-2/data        en-2.service · user kaia · 1 critical, 1 medium',
      'high        /etc/kend/conf/kend.conf  chain/en · ken /var/kend · user kaia · 1 high, 1 low',
      'pass        ken /srv/en-1/data',
    ].join('\n'),
  );
});

test('the line of a node that does not answer says how each interface failed', async () => {
  const [row] = target('', []).interfaces;
  const silent = target('http://127.0.0.1:1', [], {
    interfaces: [{ ...row!, state: 'refused' }],
    undetermined: [{ rule: 'unsafe-debug', code: 'refused', about: null, reason: 'connection refused' }],
    verdict: 'undetermined',
  });
  expect(await nodeList([silent], 100)).toBe(
    'not seen    http://127.0.0.1:1  http refused · 1 check not seen',
  );
});

test.each([30, 40, 59, 60, 80])('no line is wider than %i columns', async (width) => {
  const long = target('deployments/production/machines/endpoint-node-1/etc/kend/conf/kend.conf', []);
  const lines = (await nodeList([...nodes, long], width)).split('\n');
  expect(lines.find((line) => line.includes('conf/kend.conf') && line.includes('…'))).toBeDefined();
  expect(lines.filter((line) => line.length > width)).toEqual([]);
});

test('the report of several nodes begins with their lines, and its findings follow, the most severe first', async () => {
  const whole = await shown([...nodes].reverse());
  expect(whole).toMatch(/^3 nodes, the worst first\ncritical {4}ken \/srv\/en-2\/data/);
  const told = [
    'critical message',
    'also    /etc/kend/conf/kend.conf http://127.0.0.1:8551 high http personal',
    'medium messag',
    'low messag',
  ];
  const at = told.map((one) => whole.replaceAll(/\n {17,}/g, ' ').indexOf(one));
  expect([...at].sort((a, b) => a - b)).toEqual(at);
  expect(at).not.toContain(-1);
  expect(whole).toContain('\n\nken /srv/en-2/data\ncritical privileged-module');
  expect(whole).toMatch(/low messag[\s\S]*^4 findings on 3 nodes: /m);
});

test.each([16, 20, 24, 40])(
  'on a terminal of %i lines it fits, and nothing left out is worse',
  async (rows) => {
    const screen = await shown([...nodes].reverse(), rows);
    expect(screen.trimEnd().split('\n').length).toBeLessThan(rows);
    expect(screen).toContain('critical privileged-module');
    const found = [...screen.matchAll(/^(critical|high|medium|low) +privileged-module/gm)].map(
      ([, one]) => one,
    );
    expect(['critical', 'high', 'medium', 'low'].slice(0, found.length)).toEqual(found);
    expect(screen).toMatch(/^(?:\d more findings?|interfaces and .*): --verbose shows everything\.$/m);
    expect(screen).toMatch(/^4 findings on 3 nodes: /m);
    expect(await shown(nodes, rows, true)).toContain('low message.');
  },
);

test('a suppressed finding is not shown', () => {
  const suppressed = { reason: 'r', until: null };
  const one = target('a', [{ ...finding('critical'), suppressed }, finding('low')]);
  expect(findingsThatFit([one], 20, 80, plain)).not.toContain('critical');
});

test('what is left out counts the findings that another says', () => {
  const lead = finding('critical');
  const said = { ...finding('low', 'public-bind'), saidBy: lead.fingerprint };
  const screen = findingsThatFit([target('a', [lead, said, finding('medium')])], 5, 80, plain);
  expect(screen).toMatch(/\n2 more findings: --verbose shows everything\.$/);
});

const row = { transport: 'http', source: 'inventory', reason: null, modules: null, client: null } as const;
const silent = (name: string) =>
  target(name, [], {
    interfaces: [
      {
        ...row,
        endpoint: `http://${name}:8551`,
        state: 'refused',
        browsers: null,
        latencyMs: null,
        requests: 0,
      },
    ],
    undetermined: [{ rule: 'unsafe-debug', code: 'refused', about: 'http', reason: 'connection refused' }],
    verdict: 'undetermined',
  });
const fleet = (length: number, of: (at: number) => TargetReport) => Array.from({ length }, (_, at) => of(at));

test('nodes of one name that did not answer are counted, none without a name', async () => {
  const silent = (name: string) => {
    const { interfaces, ...rest } = target(name, []);
    return { ...rest, interfaces: interfaces.map((one) => ({ ...one, state: 'refused' as const })) };
  };
  const twice = ['s1: en-007', 's1: en-057', 's1: en-007', 's1: en-057'].map(silent);
  const how = { width: 200, paint: plain, failOn: 'high', noun: 'nodes' } as const;
  const rows = await nodeRows(
    twice,
    twice.map(({ name }) => name),
    how,
  );
  expect(rows.join('\n')).toMatch(/ · s1: en-007, s1: en-057 and 2 more$/);
});

test('nodes that did not answer share one row above those that pass', async () => {
  const said = await shown([...fleet(20, (at) => silent(`dead-${at}`)), ...nodes]);
  expect(said).toMatch(
    /^23 nodes, the worst first\ncritical [\s\S]*\nhigh [\s\S]*\nnot seen {4}20 of 23 nodes +http[\s\S]*\npass /,
  );
  expect(said.replaceAll(/\s+/g, ' ')).toContain(
    'http refused · 1 check not seen · dead-0, dead-1, dead-2 and 17 more',
  );
  expect(said).toContain('connection refused; undetermined: unsafe-debug (20 of 23 nodes)');
});

test('nodes that have a cause are counted', async () => {
  const found = fleet(50, (at) => target(`en-${at}`, [finding('critical'), finding('medium', 'open')]));
  const said = await shown([...found, ...fleet(10, (at) => target(`ok-${at}`, []))]);
  expect(said).toMatch(/^ +on +50 of 60 nodes$/m);
  expect(said).toMatch(/medium open [\s\S]*\n {2}on 50 of 60 nodes\n/);
});

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

test.each([1, 7, 40])(
  '300 nodes with %i rules take at most 60 lines, and name the worst place of a cause',
  async (rules) => {
    const targets = fleet(300, (at) => {
      if (at % 3 === 0) return silent(`dead-${at}`);
      const found = fleet(rules, () => target('', [])).map((_, rule) =>
        finding(severities[(at * rule) % 5] ?? 'info', `rule-${rule}`),
      );
      return target(`en-${at}`, found);
    });
    for (const columns of [80, 120]) {
      const pieces: string[] = [];
      for await (const piece of text(report(targets), { columns, verbose: false, kinds }, plain))
        pieces.push(piece);
      const lines = pieces.join('').trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(60);
      expect(lines.join('\n')).toMatch(/^not seen +100 of 300 nodes/m);
      expect(lines.join('\n')).toMatch(/on +200 of 300 nodes|and \d+ more causes?/);
    }
  },
);

test('an interface that only may be on is told so in its row and in the header', async () => {
  const [row] = target('', []).interfaces;
  const { requests: _, ...read } = {
    ...row!,
    source: 'conf',
    state: 'not-checked',
    reach: 'private',
  } as const;
  const access = { foreignHost: null, foreignOrigin: null, fileMode: null, profiler: null };
  const on = {
    ...read,
    endpoint: 'http://0.0.0.0:8545',
    declared: { modules: [], access, unsafeDebug: null },
  };
  const perhaps = { ...read, transport: 'ws', endpoint: 'ws://0.0.0.0:8546' } as const;
  const conf = { path: 'node.conf', launcher: 'geth', package: '' };
  const settled = target('node.conf', [], { conf, interfaces: [on, perhaps] });
  expect(await nodeList([settled], 100)).toBe(
    'pass        node.conf  http private network · may be on: ws private network',
  );
  expect(headerOf(settled, kinds)).toBe(
    'node.conf · geth · http on 0.0.0.0: the private network reaches it · ws may listen on 0.0.0.0: the private network reaches it',
  );
});

test('the first word of a row is the worst of the findings that it counts, also of shared ones', async () => {
  const { rule, subject } = finding('critical');
  const shared = [{ rule, subject, severity: 'critical', target: 'node1' }] as const;
  const [own, none] = [[finding('medium')], []].map((all) =>
    target('node2', all, { shared, verdict: 'fail' }),
  );
  expect(await nodeList([own!, none!], 100)).toBe(
    [
      'critical    node2  1 critical, 1 medium · 1 finding with node1',
      'critical    node2  1 finding with node1',
    ].join('\n'),
  );
});
