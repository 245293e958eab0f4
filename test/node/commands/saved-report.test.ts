import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { merge } from '../../../src/node/commands/report-merge.js';
import { readReport, wholeReport } from '../../../src/node/commands/saved-report.js';
import type { InterfaceReport, Report, TargetReport } from '../../../src/node/facts/report.js';
import { diffReports } from '../../../src/node/report/diff.js';
import { compareVantage } from '../../../src/node/report/vantage.js';
import { run } from '../../cli/run.js';
import { fullReport, hostileReport, reportOf, targetOf } from '../report/reports.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function save(name: string, report: unknown): string {
  writeFileSync(join(folder, name), typeof report === 'string' ? report : JSON.stringify(report));
  return name;
}

const report = (...words: string[]) => run(['report', ...words], { cwd: folder });
const plain = (what: string): string => what;

describe('reading', () => {
  test('fields and codes of a later minor version are kept', async () => {
    const later = structuredClone(fullReport()) as unknown as {
      more: number;
      targets: { weather: string; undetermined: { code: string }[] }[];
    };
    later.more = 1;
    later.targets[0]!.weather = 'fine';
    later.targets[0]!.undetermined[0]!.code = 'not-yet-known';
    expect(await wholeReport(await readReport([JSON.stringify(later)], 'x'))).toEqual(later);
  });

  test.each([
    ['', 'x.json is not JSON'],
    [
      '{"schema":"kaiactl/report-1"}',
      'x.json is not a kaiactl report: the document must have required property',
    ],
    [JSON.stringify({ ...fullReport(), schema: 'kaiactl/report-2' }), '/schema must be equal to constant'],
    [
      JSON.stringify({ ...fullReport(), failOn: '<b>' }),
      '/failOn must be equal to one of the allowed values (critical, ',
    ],
    ['['.repeat(100_000), 'nested more than 64 levels deep'],
    [`{"a\\"[[":${'{"a":'.repeat(70)}`, 'nested more than 64 levels deep'],
    ['\u001b[31m', 'is not JSON'],
  ])('%.40s… is refused in a sentence', async (text, sentence) => {
    const { code, out, err } = await report('convert', save('x.json', text));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/internal error|\u001b/);
  });

  test('brackets inside strings are no depth', async () => {
    const target = targetOf((what) => `${what}${'[{"\\'.repeat(50)}`);
    const { targets } = await wholeReport(await readReport([JSON.stringify(reportOf([target]))], 'x'));
    expect(targets).toHaveLength(1);
  });

  test('a report is read from stdin, and a missing file is an error', async () => {
    const text = JSON.stringify(fullReport());
    const { code, out } = await run(['report', 'convert', '-', '--format', 'csv'], { stdin: text });
    expect({ code, lines: out.split('\r\n').length }).toEqual({ code: 0, lines: 6 });
    expect(await report('convert', 'nowhere.json')).toMatchObject({ code: 2, out: '' });
  });
});

test('convert prints in every format what the run itself would have printed', async () => {
  for (const saved of [fullReport(), hostileReport()]) {
    const file = save('saved.json', saved);
    expect(JSON.parse((await report('convert', file, '--format', 'json')).out)).toEqual(
      JSON.parse(JSON.stringify(saved)),
    );
    const files = ['sarif', 'html', 'junit'].flatMap((format) => ['--report', `${format}=${format}.out`]);
    expect(await report('convert', file, ...files)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(folder, 'html.out'), 'utf8')).toMatch(/^<!doctype html>/);
  }
});

test('the format github also fills the step summary', async () => {
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, 'before\n');
  const file = save('saved.json', fullReport());
  await run(['report', 'convert', file, '--format', 'github'], {
    cwd: folder,
    env: { GITHUB_STEP_SUMMARY: summary },
  });
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n# kaiactl: 1 of 1 target fails\n/);
  await run(['report', 'convert', file], { cwd: folder, env: { GITHUB_STEP_SUMMARY: summary } });
  expect(readFileSync(summary, 'utf8').match(/# kaiactl/g)).toHaveLength(1);
});

describe('merge', () => {
  const merged = (...[first, ...others]: readonly Report[]) => {
    const targets = [first!, ...others].flatMap((one) => one.targets);
    return { ...merge(targets, first!, ...others), targets };
  };
  const shard = (name: string, over: Partial<Report> = {}): Report => ({
    ...reportOf([targetOf(plain, name)]),
    ...over,
  });

  test('keeps the order, adds the totals, spans the times', () => {
    const early = shard('b', {
      startedAt: '2026-02-10T00:00:00.000Z',
      finishedAt: '2026-02-10T00:00:01.000Z',
    });
    const report = merged(shard('a'), early, shard('c'));
    expect(report.targets.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(report.summary).toMatchObject({
      targets: 3,
      critical: 3,
      medium: 3,
      suppressed: 3,
      undetermined: 3,
    });
    expect([report.startedAt, report.finishedAt]).toEqual([
      '2026-02-10T00:00:00.000Z',
      '2026-02-11T00:00:01.500Z',
    ]);
    expect(report.rules.map(({ id }) => id)).toEqual(['plaintext-endpoint', 'public-bind', 'unsafe-debug']);
  });

  test('the merged parts of a report equal the report', () => {
    const whole = reportOf(['a', 'b', 'c'].map((name) => targetOf(plain, name)));
    expect(merged(...whole.targets.map((target) => reportOf([target])))).toEqual(whole);
  });

  test.each([
    [[0, 3, 1], 1],
    [[1, 2, 3], 2],
    [[2, 70, 1], 70],
    [[0, 3], 3],
    [[0, 130], 3],
    [[0, 0], 0],
    [[0, 42], 70],
  ])('exit codes %j make %d', (codes, code) => {
    expect(merged(...codes.map((exitCode) => shard('x', { exitCode }))).exitCode).toBe(code);
  });

  test('distinguishes targets of one name by their reports, and exits as the run would have', async () => {
    const files = [save('1.json', shard('a', { exitCode: 3 })), save('2.json', shard('a', { exitCode: 1 }))];
    const { code, out, err } = await report('merge', ...files, '--format', 'json');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(JSON.parse(out).targets.map(({ name }: TargetReport) => name)).toEqual(['1: a', '2: a']);
    expect(JSON.parse(out).exitCode).toBe(1);
    expect((await report('merge', ...files, '--exit-zero')).code).toBe(0);
  });

  test('adds what was excluded, and has no such number where nothing was', () => {
    const excluding = (excluded: number) => shard('a', { summary: { ...shard('a').summary, excluded } });
    expect(merged(excluding(2), shard('b'), excluding(3)).summary.excluded).toBe(5);
    expect(merged(shard('a'), shard('b')).summary).not.toHaveProperty('excluded');
  });

  test('names a target that is still there twice', async () => {
    const file = save('1.json', shard('a'));
    const { err } = await report('merge', file, file);
    expect(err).toBe('kaiactl: more than once, and all are kept: 1: a\n');
  });

  test('shards that fail at different severities are refused', async () => {
    const files = [save('1.json', shard('a')), save('2.json', shard('b', { failOn: 'low' }))];
    const { code, err } = await report('merge', ...files);
    expect(code).toBe(2);
    expect(err).toContain('2.json fails at low, 1.json at high');
  });
});

describe('diff', () => {
  const [debug, bind] = targetOf(plain).findings as [
    TargetReport['findings'][0],
    TargetReport['findings'][0],
  ];
  const one = (over: Partial<TargetReport>, name = 'en-1'): Report =>
    reportOf([targetOf(plain, name, { findings: [], undetermined: [], verdict: 'pass', ...over })]);
  const hidden = { ...debug, suppressed: { reason: 'x', until: null } };

  test.each([
    ['nothing', one({ findings: [debug] }), one({ findings: [{ ...debug, message: 'moved' }] }), 0, []],
    ['a new one', one({}), one({ findings: [debug], verdict: 'fail' }), 1, ['new']],
    ['a new one below --fail-on', one({}), one({ findings: [bind] }), 0, ['new']],
    ['one fixed', one({ findings: [debug], verdict: 'fail' }), one({}), 0, ['gone fixed']],
    ['one suppressed', one({ findings: [debug] }), one({ findings: [hidden] }), 0, ['gone suppressed']],
    ['one no longer suppressed', one({ findings: [hidden] }), one({ findings: [debug] }), 1, ['new']],
    [
      'one raised',
      one({ findings: [{ ...debug, severity: 'low' }] }),
      one({ findings: [debug] }),
      1,
      ['changed low'],
    ],
    [
      'one lowered',
      one({ findings: [debug] }),
      one({ findings: [{ ...debug, severity: 'high' }] }),
      0,
      ['changed critical'],
    ],
    [
      'the same twice, then once',
      one({ findings: [bind, bind] }),
      one({ findings: [bind] }),
      0,
      ['gone fixed'],
    ],
    [
      'a rule that was not answered',
      one({ findings: [debug] }),
      one({ undetermined: [{ rule: 'unsafe-debug', code: 'timeout', about: null, reason: 'late' }] }),
      3,
      ['gone not-seen', 'unseen'],
    ],
    ['a target that is gone', one({ findings: [debug] }), reportOf([]), 3, ['gone not-seen']],
    ['a target that is new', reportOf([]), one({ findings: [debug] }), 1, ['new']],
    [
      'a finding that is new beside a rule that was not answered',
      one({ findings: [] }),
      one({
        findings: [debug],
        undetermined: [{ rule: 'public-bind', code: 'timeout', about: null, reason: 'late' }],
      }),
      1,
      ['new', 'unseen'],
    ],
  ] as const)('%s', async (_name, before, after, exitCode, changes) => {
    const [target] = diffReports(before, after).targets;
    expect([
      ...(target?.new ?? []).map(() => 'new'),
      ...(target?.changed ?? []).map(({ from }) => `changed ${from}`),
      ...(target?.gone ?? []).map(({ why }) => `gone ${why}`),
      ...(target?.unseen ?? []).map(() => 'unseen'),
    ]).toEqual(changes);
    const files = [save('before.json', before), save('after.json', after)];
    const { code, out } = await report('diff', ...files, '--format', 'json');
    expect({ code, exitCode: JSON.parse(out).exitCode }).toEqual({ code: exitCode, exitCode });
  });

  test.each([
    [['--fail-on', 'none'], 0],
    [['--fail-on', 'critical'], 1],
    [['--exit-zero'], 0],
  ])('a new finding with %j ends with %d', async (words, code) => {
    const files = [
      save('before.json', one({})),
      save('after.json', one({ findings: [debug], verdict: 'fail' })),
    ];
    expect((await report('diff', ...files, ...words)).code).toBe(code);
  });

  test('reads as a text report', async () => {
    const files = [
      save('before.json', one({ findings: [{ ...debug, severity: 'low' }, bind] })),
      save('after.json', one({ findings: [debug], verdict: 'fail' })),
    ];
    expect((await report('diff', ...files)).out).toBe(
      `en-1 · pass → fail
  ~ critical unsafe-debug           http debug (confs/kend.conf:8:28): was low
  - medium   public-bind            http debug (http://127.0.0.1:8551): gone

0 new, 1 changed, 0 no longer seen, 1 gone in 1 target.
`,
    );
    const text = (await report('diff', ...files, '--format', 'markdown')).out;
    expect(text).toContain('## en-1 · pass → fail\n\n- \\~ critical `unsafe-debug`');
  });

  const ken = { pid: 4711, startedAt: '2026-02-11T00:00:00.000Z', program: 'ken', dataDir: '/var/kend' };
  const ipc: InterfaceReport = {
    transport: 'ipc',
    endpoint: 'ipc:/var/kend/klay.ipc',
    source: 'conf',
    state: 'open',
    reason: null,
    modules: { eth: '1.0' },
    client: null,
    browsers: null,
    latencyMs: null,
    unlocked: [],
  };
  const http: InterfaceReport = { ...ipc, transport: 'http', endpoint: 'http://127.0.0.1:8551' };
  const running = (over: Partial<typeof ken> = {}): Partial<TargetReport> => ({
    process: { ...ken, ...over },
    interfaces: [ipc],
  });

  test.each([
    ['the clock of the machine was set', running(), running({ startedAt: '2026-02-11T00:00:01.000Z' }), []],
    ['a restart', running(), running({ pid: 4902 }), ['restarted']],
    ['a new start time', running(), running({ startedAt: '2026-02-11T00:00:09.000Z' }), ['restarted']],
    ['an end', running(), { process: null, interfaces: [ipc] }, ['ended']],
    ['a start', { process: null, interfaces: [ipc] }, running(), ['started']],
    ['a process that was not searched for', running(), { interfaces: [ipc] }, []],
    ['a new socket', running(), { ...running(), interfaces: [ipc, http] }, ['opened http: eth']],
    ['a socket that is gone', { ...running(), interfaces: [ipc, http] }, running(), ['closed http: eth']],
    ['a socket, and no process to know', { interfaces: [ipc] }, { interfaces: [ipc, http] }, []],
    [
      'an interface that cannot be reached',
      running(),
      { ...running(), interfaces: [{ ...ipc, state: 'unreachable', modules: null, unlocked: null }] },
      [],
    ],
    [
      'modules and accounts',
      running(),
      { ...running(), interfaces: [{ ...ipc, modules: { net: '1.0' }, unlocked: ['0xab'] }] },
      ['offered ipc: net', 'withdrawn ipc: eth', 'unlocked ipc: 0xab'],
    ],
    [
      'accounts that were not asked for',
      { ...running(), interfaces: [{ ...ipc, unlocked: null }] },
      { ...running(), interfaces: [{ ...ipc, unlocked: ['0xab'] }] },
      [],
    ],
  ] as const)('what happened to the node: %s', (_name, before, after, changes) => {
    const [target] = diffReports(one(before), one(after)).targets;
    expect(
      (target?.changes ?? []).map((one) => {
        const names = 'modules' in one ? one.modules : 'accounts' in one ? one.accounts : [];
        return 'transport' in one ? `${one.change} ${one.transport}: ${names.join()}` : one.change;
      }),
    ).toEqual(changes);
  });

  test('a node that is named by its pid is the same after a restart', async () => {
    const files = [
      save('before.json', one(running(), 'pid:4711')),
      save('after.json', one(running({ pid: 4902, startedAt: '2026-02-11T08:00:00.000Z' }), 'pid:4902')),
    ];
    expect((await report('diff', ...files)).out).toBe(`pid:4902 · pass
  !          restarted              ken (pid 4902, since 2026-02-11T08:00:00Z),
             was ken (pid 4711, since 2026-02-11T00:00:00Z)

0 new, 0 changed, 0 no longer seen, 0 gone in 1 target.
`);
  });

  test('hostile text stays text', async () => {
    const files = [save('before.json', reportOf([])), save('after.json', hostileReport())];
    const { out } = await report('diff', ...files);
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(out.split('\n').filter((line) => /^\s*::[\w-]+.*::/.test(line))).toEqual([]);
  });
});

describe('diff --vantage', () => {
  const seen = (
    transport: 'http' | 'ws',
    host: string,
    port: number,
    over: Partial<InterfaceReport> = {},
  ): InterfaceReport => ({
    transport,
    endpoint: `${transport}://${host}:${port}`,
    source: 'inventory',
    state: 'open',
    reason: null,
    modules: { eth: '1.0' },
    client: null,
    browsers: null,
    latencyMs: 1,
    ...over,
  });
  const at = (...interfaces: InterfaceReport[]): Report =>
    reportOf([targetOf(plain, 'en-1', { interfaces })]);

  test.each([
    [
      'private, reached',
      [seen('http', '10.0.0.1', 8551, { reach: 'private' })],
      [seen('http', '192.0.2.1', 8551)],
      ['private'],
    ],
    [
      'public, reached',
      [seen('http', '0.0.0.0', 8551, { reach: 'any' })],
      [seen('http', '192.0.2.1', 8551)],
      [],
    ],
    [
      'judged by its address',
      [seen('http', '127.0.0.1', 8551)],
      [seen('http', '192.0.2.1', 8551)],
      ['loopback'],
    ],
    [
      'a conf that binds everywhere',
      [seen('http', '0.0.0.0', 8551, { state: 'not-checked' })],
      [seen('http', '192.0.2.1', 8551)],
      [],
    ],
    [
      'private, refused',
      [seen('http', '10.0.0.1', 8551)],
      [seen('http', '192.0.2.1', 8551, { state: 'refused' })],
      [],
    ],
    ['unknown inside', [seen('ws', '0.0.0.0', 8552)], [seen('http', '192.0.2.1', 8551)], [null]],
  ])('%s', async (_name, inside, outside, exposed) => {
    const compared = await compareVantage(at(...inside), at(...outside));
    expect(compared.exposed.map((one) => one.inside)).toEqual(exposed);
  });

  test('a private interface reached from outside ends with 1, a target missing in one report with 3', async () => {
    const inside = save('inside.json', at(seen('http', '10.0.0.1', 8551)));
    const outside = save('outside.json', at(seen('http', '192.0.2.1', 8551)));
    const reached = await report('diff', '--vantage', inside, outside);
    expect(reached).toMatchObject({ code: 1 });
    expect(reached.out.replace(/\n {2}/g, ' ')).toContain(
      '! en-1: http://192.0.2.1:8551 answers from outside; inside says the private network only; it offers eth',
    );
    const blind = await report('diff', '--vantage', inside, save('none.json', reportOf([])));
    expect(blind).toMatchObject({ code: 3 });
    expect(blind.out).toContain('! en-1: was not audited from outside');
  });
});
