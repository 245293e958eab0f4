/** What drift shows of a node that runs with another conf than the one it is compared with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainAddress } from '../../../../src/jsonrpc/channel.js';
import type { Facts } from '../../../../src/node/facts/facts.js';
import { seen } from '../../../../src/node/facts/seen.js';
import { judge } from '../../../../src/node/judge/judge.js';
import { driftOf } from '../../../../src/node/judge/overview/drift.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { gatherLive, machineOf, parseEndpoint, type Target } from '../../../../src/node/probe/index.js';
import { rules } from '../../../../src/node/rules/index.js';
import { simulate } from '../../../../src/node/simulator/node.js';
import type { ReadConf } from '../../../../src/node/sources/conf/text.js';
import { readConf } from '../../editables.js';

const base: Readonly<Record<string, string>> = {
  NETWORK: 'mainnet',
  RPC_ENABLE: '1',
  RPC_API: 'klay,eth,net,web3,debug',
  RPC_ADDR: '127.0.0.1',
  RPC_CORSDOMAIN: 'https://app.example',
  RPC_VHOSTS: 'localhost',
  WS_ENABLE: '1',
  WS_API: 'klay,eth,net',
  WS_ADDR: '127.0.0.1',
  WS_ORIGINS: 'https://app.example',
  METRICS: '1',
  PROMETHEUS: '1',
  DATA_DIR: '/nowhere/data',
  LOG_DIR: '/nowhere/logs',
  ADDITIONAL: '',
};

function conf(change: Readonly<Record<string, string>> = {}): ReadConf {
  const lines = Object.entries({ ...base, ...change }).map(([name, value]) => `${name}="${value}"\n`);
  return readConf('kend.conf', Buffer.from(lines.join('')), { launcher: 'kend', package: 'tar' });
}

/** Simulates one conf and audits that node as if it were started from another. */
async function audited(real: ReadConf, claimed: ReadConf): Promise<Facts> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-loop-'));
  const node = await simulate(real.settings, { freePorts: true, ipc: join(folder, 'klay.ipc') });
  try {
    const addresses = [node.http, node.ws, node.ipc === null ? null : `ipc:${node.ipc}`].filter(
      (one) => one !== null,
    );
    const target: Target = {
      name: 'loop',
      role: null,
      conf: seen(claimed),
      endpoints: addresses.map((address) => ({ address: parseEndpoint(address), source: 'conf' })),
      metrics: node.metrics === null ? [] : [{ kind: 'metrics', url: node.metrics, source: 'conf' }],
    };
    const live = await gatherLive(target, {
      connection: plainAddress,
      timeoutMs: 10_000,
      depth: 'safe',
      kinds,
      machine: machineOf({ proc: '/nonexistent', platform: 'linux', kinds }),
      signal: new AbortController().signal,
    });
    return { name: 'loop', role: null, conf: target.conf, live, gatheredAt: '2026-02-11T00:00:00.000Z' };
  } finally {
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a node made from its own conf shows no drift', async () => {
  expect(driftOf(await audited(conf(), conf()), kinds)).toEqual([]);
});

test.each<[string, Record<string, string>, string, string | null]>([
  ['RPC_API', { RPC_API: 'klay,eth,net,web3' }, 'debug', 'undeclared-module'],
  ['RPC_API', { RPC_API: 'klay,eth,net,web3,debug,personal' }, 'debug', null],
  ['WS_API', { WS_API: 'klay,eth' }, 'net', 'undeclared-module'],
  ['RPC_ENABLE', { RPC_ENABLE: '0' }, 'open', 'undeclared-interface'],
  ['WS_ENABLE', { WS_ENABLE: '0' }, 'open', 'undeclared-interface'],
  ['RPC_CORSDOMAIN', { RPC_CORSDOMAIN: '*' }, 'not any origin', null],
  ['RPC_VHOSTS', { RPC_VHOSTS: '*' }, 'not any Host', null],
  ['WS_ORIGINS', { WS_ORIGINS: '*' }, 'not any origin', null],
  ['PROMETHEUS', { PROMETHEUS: '0' }, 'open', 'undeclared-interface'],
  ['--rpc.unsafe-debug.disable', { ADDITIONAL: '--rpc.unsafe-debug.disable' }, 'off', null],
  ['NETWORK', { NETWORK: 'kairos' }, '8217', null],
])('one changed setting is one drift: %s %o', async (setting, change, node, rule) => {
  const facts = await audited(conf(), conf(change));
  const rows = driftOf(facts, kinds) ?? [];
  expect(rows).toHaveLength(1);
  expect(rows[0]?.setting).toBe(setting);
  expect(rows[0]?.node).toContain(node);
  const comparing = ['undeclared-module', 'missing-module', 'undeclared-interface', 'missing-interface'];
  const fired = judge(facts, rules, kinds).filter(
    (one) => one.verdict === 'fail' && comparing.includes(one.rule.id),
  );
  expect(fired.map((one) => one.rule.id)).toEqual(rule === null ? [] : [rule]);
});
