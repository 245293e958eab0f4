/** What rules say of a conf, to the place: the cases of conf.md, and what a page cannot hold. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redact } from '../../../src/util/redact.js';
import { exampleFacts } from '../editables.js';
import { confOf, formatOutcome, type Outcome, outcomeOf, outcomeOfConf, sentencesOf } from './outcome.js';

const page = join(import.meta.dirname, 'conf.md');
const section =
  /^## (?<rule>[\w-]+): (?<what>.*?)(?: \(mode (?<mode>\d+)\))?\n\n```sh\n(?<lines>[\s\S]*?)```\n\n```outcome\n(?<outcome>[\s\S]*?)```$/gm;

/** The cases of the page; UPDATE=1 (`npm run docs`) writes the outcomes as they are now. */
const cases = [...readFileSync(page, 'utf8').matchAll(section)].map(({ groups = {} }) => {
  const { rule = '', what = '', mode, lines = '', outcome = '' } = groups;
  const conf = lines.replaceAll('␍', '\r').split('\n').slice(0, -1);
  const isOf = mode === undefined ? undefined : Number.parseInt(mode, 8);
  const told = () => `${formatOutcome(outcomeOfConf(rule, conf, isOf)).join('\n')}\n`;
  return { name: `${rule} of ${what}`, outcome, told };
});

if (process.env.UPDATE === '1') {
  const told = cases.map((one) => one.told());
  const text = readFileSync(page, 'utf8').replace(
    /(?<=^```outcome\n)[\s\S]*?(?=```$)/gm,
    () => told.shift() ?? '',
  );
  writeFileSync(page, text);
}

test('every heading of the page is a case', () => {
  expect(cases).toHaveLength(readFileSync(page, 'utf8').match(/^## /gm)?.length ?? 0);
});

test.each(cases)('$name is as its page says', ({ outcome, told }) => {
  expect(told()).toBe(outcome);
});

test('a byte order mark before a command has a finding of its own rule', () => {
  const conf = '\uFEFFdate\nls\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n';
  expect(outcomeOf('embedded-command', exampleFacts({ conf }))).toEqual([
    'fail',
    { severity: 'low', subject: 'command', at: '2:1', evidence: { commands: 1 } },
  ]);
  const plain = conf.slice(1);
  expect(outcomeOf('embedded-command', exampleFacts({ conf: plain }))[1]).toMatchObject({
    evidence: { commands: 2 },
  });
});

const ports = (count: number) => Array.from({ length: count }, (_, at) => `RPC_PORT=${at}`);
const unread = (count: number) =>
  [
    'SUB_BRIDGE',
    'SUB_BRIDGE_PORT',
    'ANCHORING',
    'PARENT_CHAIN_ID',
    'VTRECOVERY',
    'ANCHORING_PERIOD',
    'KAS_ANCHOR',
  ]
    .slice(0, count)
    .map((name) => `SC_${name}=1`);
const unstartable = ['NETWORK=', 'NETWORK_ID='];

/** What is said of the first lines and not of the others: a number, a name, a consequence. */
test.each<[string, RegExp, string[], string[]]>([
  ['duplicate-setting', /\b4 more/, ports(9), ports(5)],
  ['duplicate-setting', /lines 3 and 4/, ports(3), ports(2)],
  ['duplicate-setting', /same value/, ['RPC_PORT=1', 'RPC_PORT=1'], ports(2)],
  ['duplicate-setting', /“?5“?/, ['RPC_PORT=1', 'RPC_PORT=5'], ['RPC_PORT=5', 'RPC_PORT=$(x)']],
  ['embedded-command', /\b2 more/, ['date', 'ls', 'pwd'], ['date']],
  ['malformed-assignment', /\b2 more places/, ['A=1\r', 'B=1\r', 'C=1\r'], ['A=1\r', 'B=1\r']],
  ['malformed-assignment', /\b1 more place\b/, ['A=1\r', 'B=1\r'], ['A=1\r']],
  [
    'malformed-assignment',
    /With Unix line ends, the node opens http \(eth, [^)]*personal[^)]*\)\./,
    ['RPC_ENABLE=1\r', 'RPC_API=eth,personal\r'],
    ['A=1\r'],
  ],
  [
    'malformed-assignment',
    /With Unix line ends, the node starts\./,
    ['NETWORK_ID=7\r', 'NETWORK='],
    ['A=1\r'],
  ],
  ['malformed-assignment', /gets other values/, ['ADDITIONAL=--identity=x\r'], ['A=1\r']],
  [
    'malformed-assignment',
    /refuses to start/,
    [...unstartable, 'RPC_API="eth'],
    [...unstartable, 'RPC_API = 1'],
  ],
  ['malformed-flag', /RPC_PORT a value/, ['RPC_ENABLE=1', 'RPC_PORT=abc'], ['ADDITIONAL="--rpcport abc"']],
  [
    'malformed-flag',
    /--rpcport a value/,
    ['ADDITIONAL="--rpcport abc"'],
    ['ADDITIONAL="--txpool.nolocals stray"'],
  ],
  ['opaque-value', /value of RPC_API/, ['RPC_API=$(x)'], ['. ./x']],
  ['unknown-flag', /rpcapi\b/, ['ADDITIONAL="--rpcapii x"'], ['ADDITIONAL="--zzzzzzzz"']],
  ['unknown-setting', /default/, ['RPC_PORTT=1'], ['RPC_PORT=1', 'RPC_PORTT=1']],
  [
    'homi-leftover',
    /overrides/,
    ['RPC_PORT=1', '# docker-compose', 'RPC_PORT=2'],
    ['# docker-compose', 'RPC_PORT=2'],
  ],
  [
    'unmatchable-entry',
    /\b1 more/,
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a,b"'],
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a"'],
  ],
  ['unread-setting', /does not read them/, ['SC_SUB_BRIDGE=1', 'SC_ANCHORING=1'], ['SC_SUB_BRIDGE=1']],
  [
    'dropped-setting',
    /RPC_CORSDOMAIN/,
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a b"'],
    ['RPC_ENABLE=1', 'RPC_VHOSTS="a b"'],
  ],
  ['unknown-module', /lower case/, ['RPC_ENABLE=1', 'RPC_API="ETH"'], ['RPC_ENABLE=1', 'RPC_API="etth"']],
  [
    'unknown-module',
    /did you mean eth/,
    ['RPC_ENABLE=1', 'RPC_API="etth"'],
    ['RPC_ENABLE=1', 'RPC_API="qqqqqq"'],
  ],
  ['unknown-setting', /Did you mean RPC_PORT\b/, ['RPC_PORTT=1'], ['RPC_QQQQQQ=1']],
  ['unread-setting', /Delete the lines/, ['SC_SUB_BRIDGE=1', 'SC_ANCHORING=1'], ['SC_SUB_BRIDGE=1']],
  ['unread-setting', /The line has no effect/, ['SC_SUB_BRIDGE=1'], ['SC_SUB_BRIDGE=1', 'SC_ANCHORING=1']],
  ['unread-setting', /\b1 more/, unread(7), unread(6)],
  [
    'overriding-flag',
    /repeats/,
    ['RPC_ENABLE=1', 'ADDITIONAL="--rpc"'],
    ['RPC_ENABLE=0', 'ADDITIONAL="--rpc"'],
  ],
  ['unread-setting', /SC_MAIN_BRIDGE is/, ['MAIN_BRIDGE=1'], ['SC_SUB_BRIDGE=1']],
  ['unread-setting', /No launcher/, ['MAIN_BRIDGE=1'], ['SC_SUB_BRIDGE=1']],
  ['unread-setting', /does not read/, ['SC_SUB_BRIDGE=1'], ['MAIN_BRIDGE=1']],
  [
    'overriding-flag',
    /earlier/,
    ['ADDITIONAL="--rpcport 1 --rpcport 2"'],
    ['RPC_ENABLE=0', 'ADDITIONAL="--rpc"'],
  ],
  [
    'duplicate-setting',
    /set 2 times/,
    ['RPC_PORT=1', 'RPC_PORT=2'],
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=3'],
  ],
  [
    'duplicate-setting',
    /Delete line 3\./,
    ['RPC_PORT=1', 'RPC_PORT=2'],
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=3'],
  ],
  ['malformed-flag', /Remove the word/, ['ADDITIONAL="foo"'], ['ADDITIONAL="--rpcport x"']],
  ['malformed-flag', /Give RPC_PORT/, ['RPC_ENABLE=1', 'RPC_PORT=x'], ['ADDITIONAL="--rpcport x"']],
  ['unknown-flag', /Write it as --name/, ['ADDITIONAL="---rpcport 1"'], ['ADDITIONAL="--rpcpor 1"']],
  ['unknown-flag', /Write --rpcport if/, ['ADDITIONAL="--rpcpor 1"'], ['ADDITIONAL="--x-y-z 1"']],
  [
    'overriding-flag',
    /an earlier flag/,
    ['ADDITIONAL="--rpcport 1 --rpcport 2"'],
    ['RPC_ENABLE=1', 'RPC_PORT=1', 'ADDITIONAL="--rpcport 2"'],
  ],
  ['replaced-program', /cannot be resolved offline/, ['BIN=$(x)'], ['BIN=/opt/y']],
  ['opaque-value', /plain assignments/, ['. ./x'], ['RPC_PORT=$(x)']],
])('%s reports %s only where it holds', (id, words, lines, others) => {
  expect(sentencesOf(id, confOf(lines))).toMatch(words);
  expect(sentencesOf(id, confOf(others))).toMatch(/./);
  expect(sentencesOf(id, confOf(others))).not.toMatch(words);
});

test('loose-permissions names who may write the file by its mode', () => {
  const said = (mode: number) => sentencesOf('loose-permissions', confOf(['X=1'], mode));
  expect(said(0o602)).toMatch(/every user/);
  expect(said(0o620)).not.toMatch(/every user/);
  const readable = sentencesOf('loose-permissions', confOf(['DB_PASSWORD=x'], 0o644));
  expect(readable).toMatch(/every user/);
  expect(redact(readable)).toBe(readable);
});

test.each([
  ['kcn', '0', null],
  ['kcn', '00', null],
  ['kcn', '2', 'off'],
  ['kend', 'true', 'off'],
] as const)('%s takes a switch of %s: %j', (binary, value, taken) => {
  const launcher = binary === 'kcn' ? 'kcnd' : 'kend';
  const conf = `RPC_ENABLE=${value}\nNETWORK="mainnet"\nDATA_DIR=/srv/k\n`;
  const [verdict, finding] = outcomeOf('ineffective-switch', exampleFacts({ conf, launcher }));
  const isOn = (one: Outcome) => (one.evidence as { on: boolean }).on;
  expect([verdict, typeof finding === 'object' ? (isOn(finding) ? 'on' : 'off') : null]).toEqual([
    taken === null ? 'pass' : 'fail',
    taken,
  ]);
});

test('the number of unknown-setting findings in a file is limited', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `RPC_QQQQQQ_${n}=1`);
  const told = outcomeOf('unknown-setting', confOf(lines(500))).length;
  expect(told).toBeLessThan(500);
  expect(outcomeOf('unknown-setting', confOf(lines(5)))).toHaveLength(7);
});
