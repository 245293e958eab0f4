import { expect, test } from 'vitest';
import { exampleFacts } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

const open = ['RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0', 'RPC_API="eth,personal"', 'RPC_VHOSTS="eth.example"'];
const start = ['NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''];
const report = (text: string) => judgeTarget(exampleFacts({ conf: text }), { failOn: 'high' });
const found = (text: string) =>
  report(text).findings.map(({ rule, severity, subject }) => `${severity} ${rule} ${subject}`);

test('a file with carriage returns has the findings of one without, and one finding about them', () => {
  const [unix, windows] = ['\n', '\r\n'].map((end) => found([...open, ...start].join(end)));
  expect(unix).toContain('critical privileged-module http personal');
  expect(windows?.filter((one) => !unix?.includes(one))).toEqual(['medium malformed-assignment RPC_ENABLE']);
  expect(unix?.filter((one) => !windows?.includes(one))).toEqual([]);
});

test('findings that hold only with Unix line ends say so', () => {
  const { findings, checks } = report([...open, ...start].join('\r\n'));
  const messages = findings.filter(({ rule }) => rule === 'privileged-module').map(({ message }) => message);
  expect(messages).toEqual([
    expect.stringMatching(/^When the file has Unix line ends: http offers personal/),
  ]);
  const failed = (checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
  expect(failed.toSorted()).toEqual([...new Set(findings.map(({ rule }) => rule))].toSorted());
});

test('findings that hold in both readings have no condition', () => {
  const text = ['# a comment\r', ...open, ...start].join('\n');
  const { findings } = report(text);
  expect(findings.filter(({ message }) => /Unix line ends/.test(message))).toEqual([]);
  expect(found(text)).toContain('critical privileged-module http personal');
});

test('interfaces that only the unchanged file opens count', () => {
  const lines = [...open, 'RPC_API="eth,debug"', 'ADDITIONAL="--rpc.unsafe-debug.disable=true"'];
  const text = [...lines, ...start].join('\n').replace('disable=true"', 'disable=true"\r');
  expect(found([...lines, ...start].join('\n'))).not.toContain('critical unsafe-debug http debug');
  expect(report(text).verdict).toBe('fail');
});

test.each([
  ['safe', ['# a comment\r', 'RPC_API="klay,eth"\r']],
  ['unsafe', ['RPC_ENABLE=1\r']],
] as const)('the fix of carriage returns is %s in %j', (safety, lines) => {
  const { findings } = report([...lines, ...start].join('\n'));
  const [finding] = findings.filter(({ rule }) => rule === 'malformed-assignment');
  expect(finding).toMatchObject({ safety, edits: lines.map(() => ({ text: '' })) });
});
