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
  ...{
    rule: 'wide',
    severity,
    title: 'T',
    message: `${severity} message.`,
    fix: 'Narrow it.',
    subject: 'http',
  },
  ...{ at: { file, line, column: 3, endLine: line, endColumn: 5 }, source: `line ${line}`, related: [] },
  ...{ evidence: null, fingerprint: `${file} ${line}`, suppressed: null },
  ...more,
});

const file = (name: string, findings: Finding[], more: Partial<TargetReport> = {}): TargetReport => ({
  ...{ name, role: null, conf: { path: name, launcher: 'kend', package: 'tar' }, interfaces: [] },
  ...{ findings, undetermined: [], verdict: findings.length === 0 ? 'pass' : 'fail' },
  ...more,
});

async function shown(targets: TargetReport[], failOn: FailOn = 'high', verbose = false): Promise<string> {
  const report = summarise(targets, { version: '1', startedAt: 0, finishedAt: 0, failOn });
  return await collected(text(report, { columns: 80, verbose, kinds }, plain));
}

test('a failing finding is a block; other findings are one line each, by severity', async () => {
  const all = [found('low', 'a', 1), found('medium', 'a', 2), found('critical', 'a', 3)];
  const said = await shown([file('a', all)]);
  expect(said).toMatch(/critical wide +critical message\.\n +a:3:3 +line 3\n +\^\^\n +fix +Narrow it\.\n\n/);
  expect(said).toContain('\n\na:2:3 medium wide medium message.\na:1:3 low wide low message.\n\n');
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

test('places in one file are listed by line, and another subject, severity or fix is shown', async () => {
  const other = { subject: 'ws', message: 'ws message.', fix: 'Close ws.' };
  const high = [1, 2, 3].map((line) => found('high', 'a', line));
  const said = await shown([file('a', [...high, found('critical', 'a', 4), found('high', 'a', 9, other)])]);
  expect(said).toMatch(/^critical wide +critical message\.\n +a:4:3/m);
  expect(said).toContain('also    high http a:1:3, 2:3, 3:3\n');
  expect(said).toMatch(/also +high ws a:9:3\n +fix +Close ws\.\n/);
});

test('a fix that only adds why there is no edit is the same fix', async () => {
  const more = { fix: 'Narrow it. No edit: guessed.' };
  const said = await shown([file('a', [found('high', 'a', 1, more), found('high', 'a', 2)])]);
  expect(said).toContain('also    2:3\n');
  expect(said.match(/Narrow it/g)).toHaveLength(1);
});

test('findings of the same subject share a line with their places', async () => {
  const all = [1, 2, 3].map((line) => found('medium', 'a', line));
  const said = await shown([file('a', [...all, found('medium', 'a', 9, { subject: 'ws', message: 'ws.' })])]);
  expect(said).toContain('a:1:3 medium wide medium message.\n  also 2:3, 3:3\na:9:3 medium wide ws.\n');
});

test('a line is cut to the width, never its place, severity and rule', async () => {
  const long = { message: 'x'.repeat(200) };
  expect(await shown([file('a', [found('medium', 'a', 1, long)])])).toContain(
    `\na:1:3 medium wide ${'x'.repeat(61)}…\n`,
  );
  const path = 'p'.repeat(90);
  expect(await shown([file('a', [found('medium', path, 1, long)])])).toContain(`\n${path}:1:3 medium wid…\n`);
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
  expect(said).toContain('20:3, 21:3 and 29 more (--format concise lists each)');
});

test('a suppressed critical is shown in the line of its file', async () => {
  const accepted = found('critical', 'a', 1, { suppressed: { reason: 'r', until: null } });
  const said = await shown([file('a', [accepted], { verdict: 'suppressed' }), file('b', [])]);
  expect(said).toContain('suppressed  a  1 critical suppressed\n');
  expect(said).not.toContain('clean');
});

test('reasons of single checks are counted beyond the first four; open questions are all shown', async () => {
  const check = (at: number) =>
    ({ rule: 'r', code: 'indeterminate', about: null, reason: `cause ${at}` }) as const;
  const at = { file: 'a', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const undetermined = Array.from({ length: 9 }, (_, index) => check(index));
  const open = Array.from({ length: 9 }, (_, index) => ({ ...check(100 + index), at }));
  const target = file('a', [], { undetermined: [...undetermined, ...open], verdict: 'undetermined' });
  const said = await shown([target]);
  expect(said.match(/^not seen cause \d; undetermined: r$/gm)).toHaveLength(4);
  expect(said.match(/^not seen a:1:1: cause 1\d\d \(r\)$/gm)).toHaveLength(9);
  expect(said).toContain('not seen 5 more reasons: --verbose lists them');
  expect((await shown([target], 'high', true)).match(/^not seen (?:a:1:1: )?cause/gm)).toHaveLength(18);
});

test('a low cause of several subjects is one line with the first six places', async () => {
  const low = Array.from({ length: 9 }, (_, at) => found('low', 'a', at + 1, { subject: `flag ${at}` }));
  const said = await shown([file('a', [...low, found('medium', 'a', 20, { rule: 'open' })])]);
  expect(said.match(/^a:\d+:3 low wide/gm)).toEqual(['a:1:3 low wide']);
  expect(said.replaceAll(/\s+/g, ' ')).toContain('also 2:3, 3:3, 4:3, 5:3, 6:3, 7:3 and 2 more');
});

test('clients with the same interfaces are one paragraph, with one advice, and no line of their own', async () => {
  const client = (name: string, subject: string) => {
    const at = { file: name, line: 3, column: 9, endLine: 3, endColumn: 12 };
    const reason = `${name}:3:9: op-node · rpc on 0.0.0.0:9545 · not judged. ${acknowledging([subject])}`;
    const one = { rule: 'unjudged-node', code: 'unfollowed', about: null, reason, at, subject } as const;
    return file(name, [], { undetermined: [one], verdict: 'undetermined' });
  };
  const said = await shown([client('a.yml', 'op-node'), client('b.yml', 'op-node'), file('c', [])]);
  expect(said).toContain(
    'not seen a.yml:3:9 and b.yml:3:9: op-node · rpc on 0.0.0.0:9545 · not judged\n         (unjudged-node)\n',
  );
  expect(said.match(/If it is meant/g)).toHaveLength(1);
  expect(said).not.toMatch(/^not seen +a\.yml +1 check/m);
  expect(said).toMatch(/^pass +c$/m);
});
