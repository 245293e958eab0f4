/** Files with thousands of findings: the number of findings is limited. */
import { expect, test } from 'vitest';
import { seen } from '../../../src/node/facts/seen.js';
import { readConf } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

const count = 2_000;
const lines = (line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join('\n');

// Work that grows with the square of the file would not end within the runner’s own limit.
test.each<[string, string, string]>([
  ['as many unknown names', lines((at) => `RPC_VAR_${at}=value`), 'unknown-setting'],
  ['one name set again and again', lines((at) => `RPC_API=klay${at}`), 'duplicate-setting'],
  ['a secret on every line', lines((at) => `A${at}_PASSWORD=x${at}`), 'secret-in-conf'],
  ['a command on every line', lines((at) => `run${at} x`), 'embedded-command'],
  [
    'a suppression on every line',
    lines(() => '# kaiactl-ignore public-bind reason="x"'),
    'unused-suppression',
  ],
  [
    'one long list',
    `RPC_ENABLE=1\nRPC_API="${lines((at) => `m${at}`)
      .replaceAll('\n', ',')
      .slice(0, 8_000)}"`,
    'unknown-module',
  ],
])('%s is judged and reported', (_name, text, rule) => {
  const conf = readConf('kend.conf', Buffer.from(`${text}\n`), {});
  const facts = {
    name: 'kend.conf',
    role: null,
    conf: seen(conf),
    live: null,
    gatheredAt: '2026-01-01T00:00:00.000Z',
  };
  const { findings, undetermined } = judgeTarget(facts, { failOn: 'high' });
  expect(findings.map((one) => one.rule)).toContain(rule);
  expect(undetermined.filter(({ defect }) => defect === true)).toEqual([]);
});
