/** What edits make of a conf: only what stands there, quoted so that bash reads it back. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteBash } from '../../../src/node/judge/edit-conf.js';
import { judgeTarget } from '../../../src/node/pipeline.js';
import { patched } from '../../../src/node/report/patched.js';
import { readConf } from '../../../src/node/sources/conf/conf.js';
import { hasBash } from '../sources/oracle.js';
import { factsOf } from './facts.js';

function fixes(rule: string, ...lines: string[]): { fix: string; lines: string[] }[] {
  const text = [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n');
  const conf = readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' });
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  return findings
    .filter((one) => one.rule === rule)
    .map((finding) => ({ fix: finding.fix, lines: patched(finding) }));
}

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

test('what cannot stand in a line is not quoted', () => {
  expect(quoteBash('a\nb')).toBeNull();
});

test('a value from single quotes stays text', () => {
  expect(fixes('dropped-setting', 'RPC_ENABLE=1', 'RPC_API=klay', "RPC_VHOSTS='a, $(id)'")).toMatchObject([
    { lines: ['RPC_VHOSTS="a,\\$(id)"'] },
  ]);
});

test('a flag in ADDITIONAL gets its value there', () => {
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

test('what is not set goes behind the switch', () => {
  expect(fixes('implicit-modules', 'RPC_ENABLE=1 # on')).toMatchObject([
    { lines: ['RPC_API="klay,eth,net,web3"'] },
  ]);
});

test('each finding about one list gives the same list, and none brings back what another takes out', () => {
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
  ['two networks', 'ignored-network', ['NETWORK_ID=5']],
  ['an override', 'overriding-flag', ['RPC_ENABLE=0', 'RPC_API=klay', 'ADDITIONAL=--rpc']],
])('%s: %s has a sentence and no edit', (_what, rule, lines) => {
  const found = fixes(rule, ...lines);
  expect(found).not.toEqual([]);
  for (const one of found) expect(one.lines).toEqual([]);
});
