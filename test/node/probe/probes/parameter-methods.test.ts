/** A client that runs methods with {} is sent none; recognised, it is asked for methods without their parameter. */
import { afterEach, describe, expect, test } from 'vitest';
import { plainAddress } from '../../../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../../../src/jsonrpc/endpoint.js';
import { seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { probesOf } from '../../../../src/node/probe/probes/index.js';
import { probeEndpoint } from '../../../../src/node/probe/run.js';
import { jsonrpseeNode, type Offered } from '../../../peers/jsonrpsee.js';
import { closePeers } from '../../../peers/scripted.js';
import { saturn } from '../../kinds/saturn.js';

afterEach(closePeers);

const known = [...kinds, saturn];

async function probed(wire: 'http' | 'ws', offered: Offered, running?: string) {
  const { peer, ...node } = await jsonrpseeNode(wire, offered);
  const facts = await probeEndpoint({
    address: parseEndpoint(peer.address),
    source: 'argument',
    options: plainAddress,
    depth: 'safe',
    probes: probesOf(known, running),
    signal: new AbortController().signal,
  });
  return { facts, ...node };
}

const reads = ['rpc_modules', 'web3_clientVersion', 'net_version', 'eth_accounts'];
const everything = [
  'admin',
  'debug',
  'eth',
  'miner',
  'net',
  'ots',
  'reth',
  'rpc',
  'testing',
  'trace',
  'txpool',
  'web3',
];
const client = 'saturn/v1.0.0-0a1b2c3d/x86_64-unknown-linux-gnu';
const present = seen('present');
const absent = seen('absent');

describe.each(['http', 'ws'] as const)('over %s', (wire) => {
  test('a recognised client is asked only for namespaces that it does not list', async () => {
    const { facts, ran, withObject, asked } = await probed(wire, {
      client,
      modules: ['eth', 'net', 'rpc', 'web3', 'debug'],
    });
    expect(withObject).toEqual([]);
    expect(ran.filter((method) => !reads.includes(method))).toEqual([]);
    expect(facts).toMatchObject({ calibrated: seen(true), accounts: seen([]) });
    expect(facts.methods).toEqual({ trace_block: absent, txpool_contentFrom: absent });
    expect(asked.filter((one) => one.startsWith('kaiactl_'))).toEqual([
      expect.stringMatching(/^kaiactl_[0-9a-f]{16} \[\]$/),
    ]);
  });

  test('a recognised client without rpc_modules is asked for all of them, and none runs', async () => {
    const modules = everything.filter((name) => name !== 'rpc' && name !== 'trace');
    const { facts, ran, withObject } = await probed(wire, { client, modules });
    expect(withObject).toEqual([]);
    expect(ran.filter((method) => !reads.includes(method))).toEqual([]);
    expect(facts.methods).toEqual({
      debug_getRawHeader: present,
      trace_block: absent,
      txpool_contentFrom: present,
    });
    expect(facts).toMatchObject({ modules: { code: 'rpc-error' }, accounts: seen([]) });
  });

  test.each([
    'reth/v2.5.1-7b3432d9/x86_64-unknown-linux-gnu',
    'op-reth/v1.10.0-27a8c0f/x86_64-unknown-linux-gnu',
    'bera-reth/v1.3.0/x86_64-unknown-linux-gnu',
  ])('%s is asked for read-only methods without their parameter, of which none runs', async (name) => {
    const modules = everything.filter((one) => one !== 'rpc' && one !== 'ots');
    const { facts, ran, withObject, asked } = await probed(wire, { client: name, modules });
    expect(withObject).toEqual([]);
    expect(ran.filter((method) => !reads.includes(method))).toEqual([]);
    // What admin, miner and testing offer is told by rpc_modules alone.
    expect(asked.filter((one) => /^(?:admin|miner|testing)_/.test(one))).toEqual([]);
    expect(facts).toMatchObject({ calibrated: seen(true), accounts: seen([]) });
    expect(facts.methods).toMatchObject({
      debug_getRawHeader: present,
      trace_block: present,
      ots_hasCode: absent,
    });
  });

  test.each<[name: string, Offered]>([
    ['names a client that is not known', { client: 'Foo/v1', modules: everything }],
    ['names a client that is not judged', { client: 'Nethermind/v1.35.2', modules: everything }],
    ['names nothing', { client: null, modules: everything }],
    [
      'names nothing and lists a module of bsc that others have too',
      { client: null, modules: [...everything, 'mev'] },
    ],
    ['lists nothing', { client: 'Foo/v1', modules: ['eth', 'net', 'web3', 'debug'] }],
    ['answers nothing', { client: null, modules: [] }],
  ])('a server that %s gets no existence probe', async (_, offered) => {
    const { facts, ran, withObject, asked } = await probed(wire, offered);
    expect(withObject).toEqual([]);
    expect(ran.filter((method) => !reads.includes(method))).toEqual([]);
    expect(asked.filter((one) => !reads.includes(one.replace(/ \[\]$/, '')))).toEqual([]);
    expect(facts.methods).toEqual({});
    if (facts.latencyMs !== null)
      expect(facts.calibrated).toMatchObject({
        code: 'not-asked',
        detail: expect.stringMatching(
          /^no existence probe is sent to .*: modules that are not listed were not probed$/,
        ),
      });
  });

  test('a server that names itself nothing is a client of the kind that its own process runs', async () => {
    const { facts, ran, withObject } = await probed(
      wire,
      { client: null, modules: ['debug', 'eth'] },
      'saturn',
    );
    expect(withObject).toEqual([]);
    expect(ran).toEqual(['eth_accounts']);
    expect(facts.methods).toMatchObject({ debug_getRawHeader: present, trace_block: absent });
  });

  test('the name counts before the process', async () => {
    const { facts, asked } = await probed(wire, { client: 'Foo/v1', modules: everything }, 'saturn');
    expect(facts.methods).toEqual({});
    expect(asked.filter((one) => !reads.includes(one.replace(/ \[\]$/, '')))).toEqual([]);
  });

  test('a client that calls itself geth and runs rpc_modules {} gets no further {}', async () => {
    const { facts, withObject, ran } = await probed(wire, {
      client: 'Geth/v1.17.8-stable-1a2b3c4d/linux-amd64/go1.24.2',
      // A module of its own would tell the client's real kind.
      modules: everything.filter((name) => name !== 'reth'),
    });
    expect(withObject.map((text) => (JSON.parse(text) as { method: string }).method)).toEqual([
      'rpc_modules',
    ]);
    expect(ran.filter((method) => !reads.includes(method))).toEqual([]);
    expect(facts.calibrated).toMatchObject({
      detail: expect.stringContaining('the node ran rpc_modules {}'),
    });
  });
});

test('the server runs a method without parameters that gets {}, as jsonrpsee does', async () => {
  const { peer, ran, withObject } = await jsonrpseeNode('http', { client, modules: everything });
  const ask = async (method: string, params: unknown, type = 'application/json') => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(peer.address, { method: 'POST', headers: { 'content-type': type }, body });
    return response.ok
      ? ((await response.json()) as { error?: { code: number } }).error?.code
      : response.status;
  };
  expect(await ask('admin_clearTxpool', {})).toBeUndefined();
  expect(await ask('trace_block', {})).toBe(-32602);
  expect(await ask('trace_block', [])).toBe(-32602);
  expect(await ask('trace_block', ['latest'])).toBeUndefined();
  expect(await ask('trace_nothing', [])).toBe(-32601);
  expect(await ask('admin_peers', [], 'text/plain')).toBe(415);
  expect(ran).toEqual(['admin_clearTxpool', 'trace_block']);
  expect(withObject).toHaveLength(2);
});
