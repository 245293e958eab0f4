/** What edits make of a conf: only what stands there, quoted so that bash reads it back. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Origin } from '../../../../src/node/facts/settings.js';
import { quoteBash } from '../../../../src/node/fix/proposal/edit-conf.js';
import { quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { originOf } from '../../../../src/node/judge/settings/setting.js';
import { patchLines } from '../../../../src/node/report/patched.js';
import { readConf } from '../../editables.js';
import { factsOf } from '../../judge/facts.js';
import { judgeTarget } from '../../pipeline.js';
import { hasBash } from '../../sources/oracle.js';

/** What is proposed first, and after it the other ways. */
function fixes(rule: string, ...lines: string[]): { fix: string; lines: string[] }[] {
  const text = [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n');
  const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  return findings
    .filter((one) => one.rule === rule)
    .map((finding) => ({ fix: finding.fix, lines: patchLines(finding) }));
}

/** Every way out of the first finding of a rule: its lines, and whether it is safe. */
function ways(rule: string, ...lines: string[]) {
  const text = [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n');
  const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
  const finding = judgeTarget(factsOf(conf), { failOn: 'high' }).findings.find((one) => one.rule === rule);
  if (finding === undefined) throw new Error(`${rule} finds nothing`);
  const { fix, edits = [], safety = null, alternatives = [] } = finding;
  return [{ fix, edits, safety }, ...alternatives].map((one) => ({
    lines: patchLines(finding, one.edits),
    deleted: one.edits
      .filter(({ text }) => text === '')
      .reduce((sum, { line, endLine }) => sum + Math.max(1, endLine - line), 0),
    safety: one.safety,
  }));
}

test('behind several words that are not known, a setting comes from the flag before them', () => {
  const at = { file: 'start.sh', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const word = (flag: string): Origin => ({ kind: 'flag', flag, at });
  const unknown = { value: null, origin: word('') };
  const rpcapi = {
    ...unknown,
    indeterminate: 'filled in',
    shadowed: [unknown, { value: 'klay', origin: word('rpcapi') }],
  };
  expect(originOf({ ...quietSettings, values: { rpcapi } }, 'rpcapi')).toMatchObject({ flag: 'rpcapi' });
  const values = { rpcapi: { ...rpcapi, shadowed: [unknown] } };
  expect(originOf({ ...quietSettings, values }, 'rpcapi')).toMatchObject({ flag: '' });
});

test('several modules that a flag adds are removed together', () => {
  const [first] = fixes(
    'overriding-flag',
    'RPC_ENABLE=1',
    'RPC_API="klay"',
    'ADDITIONAL="--rpcapi klay,debug,personal"',
  );
  expect(first?.fix ?? '').toContain('debug and personal are better removed');
});

const debugging = ['RPC_ENABLE=1', 'RPC_API="klay,debug"'];

test.each([
  ['where there is no other flag', [], 'ADDITIONAL="$ADDITIONAL --rpc.unsafe-debug.disable"'],
  [
    'behind others',
    ['ADDITIONAL="--txpool.nolocals" # x'],
    'ADDITIONAL="--txpool.nolocals --rpc.unsafe-debug.disable"',
  ],
  ['in the empty one', ['ADDITIONAL=""'], 'ADDITIONAL="--rpc.unsafe-debug.disable"'],
  [
    'behind a word without quotes',
    ['ADDITIONAL=--txpool.nolocals'],
    'ADDITIONAL="$ADDITIONAL --rpc.unsafe-debug.disable"',
  ],
])('the fix removes debug or adds the switch: %s', (_where, more, line) => {
  const [without, behindSwitch] = ways('unsafe-debug', ...debugging, ...more);
  expect(without).toMatchObject({ lines: ['RPC_API="klay"'], safety: 'unsafe' });
  expect(behindSwitch?.lines).toEqual([line]);
});

test('a flag before a variable yields the list of the node, of the variable, or both', () => {
  const lines = ['RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--txpool.nolocals --rpcapi klay,net"'];
  expect(ways('overriding-flag', ...lines)).toEqual([
    { lines: ['RPC_API="klay,net"', 'ADDITIONAL="--txpool.nolocals"'], deleted: 1, safety: 'safe' },
    { lines: ['ADDITIONAL="--txpool.nolocals"'], deleted: 1, safety: 'unsafe' },
    { lines: ['RPC_API="klay,eth,net"', 'ADDITIONAL="--txpool.nolocals"'], deleted: 1, safety: 'unsafe' },
  ]);
});

test('a variable that would open what a flag closes is not offered', () => {
  const lines = ['RPC_ENABLE=1', 'RPC_API="klay,admin"', 'ADDITIONAL="--rpcapi klay"'];
  expect(ways('overriding-flag', ...lines).map(({ safety }) => safety)).toEqual(['safe', null]);
});

test('a narrower address closes the lists that let every page in as well', () => {
  const lines = [
    'RPC_ENABLE=1',
    'RPC_API=klay',
    'RPC_ADDR=0.0.0.0',
    'RPC_CORSDOMAIN="*"',
    'RPC_VHOSTS="*,a"',
  ];
  expect(ways('public-bind', ...lines)[0]).toMatchObject({
    lines: ['RPC_ADDR="127.0.0.1"', 'RPC_CORSDOMAIN=""', 'RPC_VHOSTS="a"'],
  });
});

test('the port that monitoring needs is not closed by an edit', () => {
  expect(ways('open-profiler', 'METRICS=1', 'PROMETHEUS=1')).toEqual([
    { lines: [], deleted: 0, safety: null },
  ]);
});

test('lines without effect are removed whole, also the last line', () => {
  expect(ways('unread-setting', 'LOG_MAXBACKUPS=10 # kept')).toMatchObject([{ deleted: 1, safety: 'safe' }]);
  expect(ways('duplicate-setting', 'PORT=1', 'PORT=2', 'PORT=3')).toMatchObject([
    { deleted: 2, safety: 'safe' },
  ]);
  expect(ways('ignored-network', 'NETWORK_ID=5')).toMatchObject([{ deleted: 1, safety: 'safe' }]);
});

test('a line that holds more than an assignment is not removed', () => {
  expect(ways('duplicate-setting', 'PORT=1; X=2', 'PORT=3')).toMatchObject([{ deleted: 0, safety: null }]);
});

test('lines appended by homi that open an interface are removed, lines that name the network stay', () => {
  const homi = ['# docker-compose', 'RPC_ENABLE=1', 'NO_DISCOVER=1'];
  expect(ways('homi-leftover', 'RPC_ENABLE=0', ...homi)).toMatchObject([{ deleted: 2, safety: 'unsafe' }]);
  const moved = ways('homi-leftover', 'RPC_ENABLE=0', ...homi, 'NETWORK_ID=2018', 'NETWORK_ID=2018');
  expect(moved).toMatchObject([{ deleted: 0, safety: null }]);
});

test.each(['a b', '"', "'", '$(touch /tmp/x)', '`id`', '\\', '\\"$HOME', 'a,b*c', '~', '!x'])(
  'bash reads %j back as it was quoted, and runs nothing',
  (value) => {
    if (!hasBash()) return;
    const { stdout } = spawnSync('bash', ['-c', `X=${quoteBash(value)}; printf %s "$X"`], {
      encoding: 'utf8',
    });
    expect(stdout).toBe(value);
  },
);

test('a value with a newline is not quoted', () => {
  expect(quoteBash('a\nb')).toBeNull();
});

test('a value from single quotes stays text', () => {
  expect(fixes('dropped-setting', 'RPC_ENABLE=1', 'RPC_API=klay', "RPC_VHOSTS='a, $(id)'")).toMatchObject([
    { lines: ['RPC_VHOSTS="a,\\$(id)"'] },
  ]);
});

test('a flag in ADDITIONAL gets its new value in ADDITIONAL', () => {
  const lines = [
    'RPC_ENABLE=1',
    'RPC_API=klay',
    'ADDITIONAL="--txpool.nolocals --rpcaddr 0.0.0.0 --rpcvhosts=a"',
  ];
  expect(fixes('public-bind', ...lines)).toEqual([
    {
      fix: 'Set --rpcaddr in ADDITIONAL to 127.0.0.1.',
      lines: ['ADDITIONAL="--txpool.nolocals --rpcaddr 127.0.0.1 --rpcvhosts=a"'],
    },
  ]);
});

test('a missing setting is inserted behind the switch', () => {
  expect(fixes('implicit-modules', 'RPC_ENABLE=1 # on')).toMatchObject([
    { lines: ['RPC_API="klay,eth,net,web3"'] },
  ]);
});

test('all findings about one list propose the same list', () => {
  const lines = ['RPC_ENABLE=1', 'RPC_API="klay,ETH,personal,debug,miner"'];
  for (const rule of ['privileged-module', 'unsafe-debug', 'unknown-module']) {
    for (const one of fixes(rule, ...lines)) expect(one.lines).toEqual(['RPC_API="klay,eth"']);
    expect(fixes(rule, ...lines)).not.toEqual([]);
  }
});

test.each<[string, string, string[]]>([
  ['set twice by append', 'public-bind', ['RPC_ENABLE=1', 'RPC_API=klay', 'RPC_ADDR=0.0', 'RPC_ADDR+=.0.0']],
  ['used elsewhere', 'public-bind', ['RPC_ENABLE=1', 'RPC_API=klay', 'RPC_ADDR=0.0.0.0', 'X=$RPC_ADDR']],
  [
    'built from pieces',
    'public-bind',
    ['A=0.0.0.0', 'RPC_ENABLE=1', 'RPC_API=klay', 'ADDITIONAL="--rpcaddr $A"'],
  ],
  ['a switch of its own', 'overriding-flag', ['RPC_ENABLE=0', 'RPC_API=klay', 'ADDITIONAL=--rpc']],
])('%s: %s has a sentence and no edit', (_what, rule, lines) => {
  const found = fixes(rule, ...lines);
  expect(found).not.toEqual([]);
  for (const one of found) expect(one.lines).toEqual([]);
});
