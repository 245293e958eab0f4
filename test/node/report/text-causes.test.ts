/** Length follows weight: what fails is a block, the rest are lines, and one cause is told once. */
import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Finding, TargetReport } from '../../../src/node/facts/report.js';
import type { FailOn, Severity } from '../../../src/node/facts/severity.js';
import { acknowledging } from '../../../src/node/facts/sign.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { text } from '../../../src/node/report/text.js';
import { plain } from '../../../src/node/report/text-paint.js';
import { summarise } from '../../../src/node/summarise.js';

const found = (severity: Severity, file: string, line: number, more: Partial<Finding> = {}): Finding => ({
  rule: 'wide',
  severity,
  title: 'T',
  message: `${severity} message.`,
  fix: 'Narrow it.',
  subject: 'http',
  at: { file, line, column: 3, endLine: line, endColumn: 5 },
  source: `line ${line}`,
  related: [],
  evidence: null,
  fingerprint: `${file} ${line}`,
  suppressed: null,
  ...more,
});

const file = (name: string, findings: Finding[], more: Partial<TargetReport> = {}): TargetReport => ({
  name,
  role: null,
  conf: { path: name, launcher: 'kend', package: 'tar' },
  interfaces: [],
  findings,
  undetermined: [],
  verdict: findings.length === 0 ? 'pass' : 'fail',
  ...more,
});

async function shown(
  targets: TargetReport[],
  failOn: FailOn = 'high',
  verbose = false,
  columns = 80,
): Promise<string> {
  const report = summarise(targets, { version: '1', startedAt: 0, finishedAt: 0, failOn });
  return await collected(text(report, { columns, verbose, kinds }, plain));
}

test('a failing finding is a block; other findings are one line each, by severity', async () => {
  const all = [found('low', 'a', 1), found('medium', 'a', 2), found('critical', 'a', 3)];
  const said = await shown([file('a', all)]);
  expect(said).toMatch(/critical wide +critical message\.\n +a:3:3 +line 3\n +\^\^\n +fix +Narrow it\.\n\n/);
  expect(said).toContain(
    '\n\na:2:3 medium wide medium message. Fix: Narrow it.\na:1:3 low wide low message.\n\n',
  );
});

test('--fail-on moves the line between blocks and lines; none leaves it at high', async () => {
  const all = [found('medium', 'a', 2, { rule: 'open' }), found('high', 'a', 3)];
  const blocks = async (failOn: FailOn) =>
    [...(await shown([file('a', all)], failOn)).matchAll(/^(\w+) +(?:wide|open) /gm)].map(([, one]) => one);
  expect(await blocks('medium')).toEqual(['high', 'medium']);
  expect(await blocks('high')).toEqual(['high']);
  expect(await blocks('critical')).toEqual([]);
  expect(await blocks('none')).toEqual(['high']);
});

test('--verbose shows each finding whole', async () => {
  const said = await shown(
    [file('a', [found('low', 'a', 1)]), file('b', [found('low', 'b', 1)])],
    'high',
    true,
  );
  expect(said.match(/fix +Narrow it\./g)).toHaveLength(2);
});

test.each([2, 4, 5, 9])('one cause in %i files is one block with every place', async (count) => {
  const names = Array.from({ length: count }, (_, at) => `f${at}.conf`);
  const said = await shown(names.map((name) => file(name, [found('high', name, 7)])));
  expect(said.match(/^high +wide/gm)).toHaveLength(1);
  expect(said.match(/Narrow it/g)).toHaveLength(1);
  for (const name of names) expect(said).toContain(`${name}:7:3`);
});

test('places in one file are listed by line, with subjects and severities that differ', async () => {
  const other = { subject: 'ws', message: 'ws message.', fix: 'Close ws.' };
  const high = [1, 2, 3].map((line) => found('high', 'a', line));
  const said = await shown([file('a', [...high, found('critical', 'a', 4), found('high', 'a', 9, other)])]);
  expect(said).toMatch(/^critical wide +critical message\.\n +a:4:3/m);
  expect(said).toContain('also    1:3, 2:3, 3:3 high http, 9:3 high ws\n');
  expect(said).not.toContain('Close ws.');
});

test('access rules that fail are one cause, and the others are named', async () => {
  const rules = ['wildcard-cors', 'wildcard-vhosts', 'wildcard-origins'];
  const of = (severity: Severity) =>
    rules.map((rule, at) => found(severity, 'a', at + 1, { rule, subject: rule }));
  const blocks = await shown([file('a', of('high'))]);
  expect(blocks.match(/^high +wildcard/gm)).toHaveLength(1);
  expect(blocks).toContain('also    2:3 wildcard-vhosts, 3:3 wildcard-origins\n');
  const lines = await shown([file('a', of('medium'))]);
  expect(lines).toContain(
    'a:1:3 medium wildcard-cors medium message. Fix: Narrow it.\n  also 2:3 wildcard-vhosts, 3:3 wildcard-origins\n',
  );
  const low = await shown([file('a', [found('medium', 'a', 9), ...of('low')])]);
  expect(low.match(/low wildcard/g)).toHaveLength(3);
});

test('files in one folder are listed without it, but the first place is whole', async () => {
  const path = (name: string) => `/srv/deploy/${name}`;
  const names = ['a.yml', 'b/c.yml'].map(path);
  const said = await shown(
    names.map((name) => file(name, [found('high', name, 1, { message: `In ${path('d')}.` })])),
  );
  expect(said).toMatch(/In d\.\n +\/srv\/deploy\/a\.yml:1:3/);
  expect(said).toMatch(/also +b\/c\.yml:1:3\n/);
  const apart = ['/etc/kend/conf/kend.conf', '/etc/kcnd/conf/kcnd.conf'];
  const told = await shown(apart.map((name) => file(name, [found('high', name, 1)])));
  expect(told).toContain('also    /etc/kcnd/conf/kcnd.conf:1:3');
});

test('findings of the same subject share a line with their places', async () => {
  const all = [1, 2, 3].map((line) => found('medium', 'a', line));
  const said = await shown([file('a', [...all, found('medium', 'a', 9, { subject: 'ws', message: 'ws.' })])]);
  expect(said).toContain(
    'a:1:3 medium wide medium message. Fix: Narrow it.\n  also 2:3, 3:3\na:9:3 medium wide ws. Fix: Narrow it.\n',
  );
});

test('a line is continued below, whole, and a long place has a line of its own', async () => {
  const long = { message: 'word '.repeat(20).trim() };
  const rest = 'word '.repeat(20 - 12).trim();
  expect(await shown([file('a', [found('medium', 'a', 1, long)])])).toContain(
    `\na:1:3 medium wide ${'word '.repeat(12).trim()}\n  ${rest} Fix: Narrow it.\n`,
  );
  const path = 'p'.repeat(90);
  expect(await shown([file('a', [found('medium', path, 1, long)])])).toContain(
    `\n${path}:1:3 medium wide\n  ${'word '.repeat(15).trim()}\n  ${'word '.repeat(5).trim()} Fix: Narrow it.\n`,
  );
});

test('a narrow terminal gets whole messages', async () => {
  const message = 'one two three four five six seven eight nine ten.';
  const said = await shown([file('a', [found('medium', 'a', 1, { message })])], 'high', false, 40);
  expect(said).toContain(
    '\na:1:3 medium wide one two three four\n  five six seven eight nine ten. Fix:\n  Narrow it.\n',
  );
});

test('a file with nothing above low is one line, with rule and place of each', async () => {
  const minor = [found('low', 'a', 4), found('info', 'a', 5, { rule: 'tiny' })];
  expect(await shown([file('a', minor, { verdict: 'pass' })])).toMatch(
    /^a · kend \(tar\) · .*low wide 4:3, info tiny\s+5:3\n\n2 findings/,
  );
  const said = await shown([file('a', minor, { verdict: 'pass' }), file('b', [found('high', 'b', 1)])]);
  expect(said).toContain('\nlow         a  low wide 4:3, info tiny 5:3\n');
  expect(await shown([file('a', minor)], 'low')).toContain('low      wide ');
});

test('many places are counted beyond the first twenty', async () => {
  const all = Array.from({ length: 50 }, (_, at) => found('medium', 'a', at + 1));
  const said = (await shown([file('a', all)])).replaceAll(/\s+/g, ' ');
  expect(said).toContain('20:3, 21:3 and 29 more (--verbose)');
});

test('a suppressed critical is shown in the line of its file', async () => {
  const accepted = found('critical', 'a', 1, { suppressed: { reason: 'r', until: null } });
  const said = await shown([file('a', [accepted], { verdict: 'suppressed' }), file('b', [])]);
  expect(said).toContain('suppressed  a  1 critical suppressed\n');
  expect(said).not.toContain('clean');
});

test('reasons that differ in a number, as of an answer, are not one', async () => {
  const check = (reason: string) => ({ rule: 'r', code: 'unreachable', about: null, reason }) as const;
  const answered = (name: string, reason: string) =>
    file(name, [], { undetermined: [check(reason)], verdict: 'undetermined' });
  const said = await shown([answered('a', 'HTTP 502'), answered('b', 'HTTP 429'), answered('c', 'HTTP 502')]);
  expect(said).toMatch(/not seen HTTP 502; undetermined: r \(a and c\)/);
  expect(said).toMatch(/not seen HTTP 429; undetermined: r \(b\)/);
});

test('what was not looked at on some targets only says on how many', async () => {
  const said = await shown([
    file('a', [], { notLookedAt: ['ws', 'ipc'] }),
    file('b', [], { notLookedAt: ['http', 'ipc'] }),
  ]);
  expect(said).toContain('not looked at: ws (on 1 of 2), ipc, http (on 1 of 2)\n');
});

test('alike reasons are one, other checks are counted beyond the first four; every place is named', async () => {
  const check = (reason: string) => ({ rule: 'r', code: 'indeterminate', about: null, reason }) as const;
  const at = (line: number) => ({ file: 'a', line, column: 1, endLine: line, endColumn: 2 });
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  const undetermined = [
    ...words.map((word) => check(`cause ${word}`)),
    ...[1, 2, 3].map((line) => ({ ...check(`$VAR_${line} is not known`), at: at(line) })),
    { ...check('it is not followed'), at: at(9) },
  ];
  const target = file('a', [], { undetermined, verdict: 'undetermined' });
  const said = await shown([target]);
  expect(said.match(/^not seen cause \w+; undetermined: r$/gm)).toHaveLength(4);
  expect(said).toContain('a:1:1 undetermined r $VAR_1 is not known\n  also 2:1, 3:1\n');
  expect(said).toContain('a:9:1 undetermined r it is not followed\n');
  expect(said).toContain('not seen 2 more reasons: --verbose lists them');
  const whole = await shown([target], 'high', true);
  expect(whole.match(/^(?:not seen cause|a:\d:1 undetermined r)/gm)).toHaveLength(10);
});

test('a low cause is one line with the first six other places', async () => {
  const low = Array.from({ length: 9 }, (_, at) => found('low', 'a', at + 1, { subject: `flag ${at}` }));
  const said = await shown([file('a', [...low, found('medium', 'a', 20, { rule: 'open' })])]);
  expect(said.match(/^a:\d+:3 low wide/gm)).toHaveLength(1);
  expect(said).toContain(
    'a:1:3 low wide (also 2:3, 3:3, 4:3, 5:3, 6:3, 7:3 and 2 more (--verbose))\n  low message.\n',
  );
});

test('clients that are not judged are one line, with their places, one advice, and no line of their own', async () => {
  const client = (name: string, subject: string) => {
    const at = { file: name, line: 3, column: 9, endLine: 3, endColumn: 12 };
    const reason = `${name}:3:9: op-node · rpc on 0.0.0.0:9545 · not judged. ${acknowledging([subject])}`;
    const one = { rule: 'unjudged-node', code: 'unfollowed', about: null, reason, at, subject } as const;
    return file(name, [], { undetermined: [one], verdict: 'undetermined' });
  };
  const names = ['op-node', 'op-node@any', 'reth', 'reth@any'];
  const said = await shown([...names.map((name, at) => client(`${at}.yml`, name)), file('c', [])]);
  expect(said).toContain(
    '0.yml:3:9 undetermined unjudged-node op-node · rpc on 0.0.0.0:9545 · not judged\n' +
      '  also 1.yml:3:9 op-node@any; 2.yml:3:9 reth; 3.yml:3:9 reth@any\n' +
      'If it is meant: acknowledge = unjudged-node(op-node, op-node@any, reth, …) in\n  kaiactl.ini\n',
  );
  expect(said).not.toMatch(/^not seen +\d\.yml +1 check/m);
  expect(said).toMatch(/^pass +c$/m);
});

test('targets whose lines would be equal share a line', async () => {
  const starts = ['a', 'a', 'a', 'b'].map((name) => file(name, [found('high', name, 7)]));
  expect(await shown(starts)).toContain(
    'high        a  1 high · and 2 more like this\nhigh        b  1 high\n',
  );
});

test('a low finding of two subjects at one place names the second subject', async () => {
  const both = ['http', 'ws'].map((subject) => found('low', 'a', 1, { subject }));
  expect(await shown([file('a', [found('high', 'a', 9, { rule: 'open' }), ...both])])).toMatch(
    /^a:1:3 low wide \(also 1:3 ws\) low message\.$/m,
  );
});

test('what a graver finding says is a clause of it, and a line of its own where that is suppressed or all is told', async () => {
  const [lead, clause] = [
    found('critical', 'a', 3),
    found('low', 'a', 7, { rule: 'pages', saidBy: 'a 3', message: 'Pages call it.' }),
  ];
  const both = (one: Finding) => shown([file('a', [one, clause])]);
  expect(await both(lead)).toMatch(/fix +Narrow it\.\n +with +7:3 pages\n\n2 findings/);
  expect(await both({ ...lead, suppressed: { reason: 'x', until: null } })).toContain('low pages');
  expect(await shown([file('a', [found('medium', 'a', 3), clause])])).toContain(
    'medium message. Fix: Narrow it.\n  with 7:3 pages\n\n',
  );
  expect(await shown([file('a', [lead, clause])], 'high', true)).toContain('Pages call it.');
});

test('what breaks one policy is not told with what breaks another', async () => {
  const [one, same, other] = ['a', 'a', 'b'].map((policy, at) =>
    found('high', 'a', at + 1, {
      rule: 'policy-violation',
      evidence: { policy },
      message: `Breaks ${policy}.`,
    }),
  );
  const said = await shown([file('a', [one, same, other] as Finding[])]);
  expect(said).toMatch(/Breaks a\.[\s\S]* also +2:3\n\n[\s\S]*Breaks b\./);
});

test('no line of a file or a pipe has more than 300 characters', async () => {
  const message = 'many words '.repeat(100);
  const report = summarise(
    [file('a', [found('medium', 'a', 1, { message }), found('low', 'a', 2, { message })])],
    {
      version: '1',
      startedAt: 0,
      finishedAt: 0,
      failOn: 'high' as const,
    },
  );
  const options = { columns: 80, lineColumns: Number.POSITIVE_INFINITY, verbose: false, kinds };
  const lines = (await collected(text(report, options, plain))).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeGreaterThan(280);
  expect(lines.filter(({ length }) => length > 300)).toEqual([]);
});
