import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { services } from '../../../src/node/kinds/kaia/methods.js';
import type { SimulateOptions } from '../../../src/node/simulator/interfaces.js';
import { type Simulation, simulateShape } from '../../../src/node/simulator/node.js';
import { everything, http, raw, shape, ws } from './ask.js';

const opened: Simulation[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

async function start(given: Parameters<typeof shape>[0], options: SimulateOptions = {}): Promise<Simulation> {
  const one = await simulateShape(shape(given), { freePorts: true, ...options });
  opened.push(one);
  return one;
}

type Wire = 'http' | 'ws' | 'ipc';
const wires: readonly Wire[] = ['http', 'ws', 'ipc'];

/** One batch with `params` for every method: codes by method. */
async function codes(node: Simulation, wire: Wire, methods: readonly string[], params = '{}') {
  const batch = `[${methods.map((name, id) => `{"id":${id},"method":"${name}","params":${params}}`).join()}]`;
  const answers = JSON.parse(await batchText(node, wire, batch)) as { error?: { code: number } }[];
  return Object.fromEntries(methods.map((name, at) => [name, answers[at]?.error?.code ?? 0]));
}

async function batchText(node: Simulation, wire: Wire, batch: string): Promise<string> {
  switch (wire) {
    case 'http':
      return (await http(node.http ?? '', { body: batch })).body;
    case 'ws':
      return (await ws(node.ws ?? '', [batch], 1)).messages[0] ?? '';
    case 'ipc':
      return (await raw({ path: node.ipc ?? '' }, [batch], 1)).text;
  }
}

async function modules(node: Simulation, wire: Wire): Promise<unknown> {
  const text = await batchText(node, wire, '[{"id":1,"method":"rpc_modules"}]');
  return (JSON.parse(text) as { result: unknown }[])[0]?.result;
}

const all = (names: readonly string[], code: number) => Object.fromEntries(names.map((name) => [name, code]));

/** The 43 names the switch takes from http and ws: 42 methods and the subscription traceChain. */
const moved = `
  verbosity verbosityByName verbosityByID vmodule backtraceAt memStats gcStats startPProf stopPProf
  isPProfRunning cpuProfile startCPUProfile stopCPUProfile goTrace startGoTrace stopGoTrace blockProfile
  setBlockProfileRate writeBlockProfile mutexProfile setMutexProfileFraction writeMutexProfile writeMemProfile
  stacks freeOSMemory setGCPercent writeVMLog setVMLogTarget
  chaindbProperty chaindbCompact setHead printBlock
  traceBlockByNumberRange traceBlockFromFile standardTraceBlockToFile standardTraceBadBlockToFile
  startWarmUp startContractWarmUp stopWarmUp startCollectingTrieStats preimage storageRangeAt`;
const staying = `
  metrics getBlockRlp dumpBlock dumpStateTrie getBadBlocks getModifiedAccountsByNumber
  getModifiedAccountsByHash getModifiedStorageNodesByNumber traceBlock traceBlockByNumber traceBlockByHash
  traceBadBlock traceTransaction traceCall isGaslessTx gaslessInfo`;
const named = (list: string) =>
  list
    .trim()
    .split(/\s+/)
    .map((name) => `debug_${name}`);

describe('the unsafe-debug switch', () => {
  const debug = { modules: ['debug', 'kaia'] };
  let off: Simulation;
  let on: Simulation;
  beforeAll(async () => {
    off = await start({ http: debug, ws: debug });
    on = await start({ http: debug, ws: debug, answers: { start: { on: ['rpc.unsafe-debug.disable'] } } });
  });

  test('moves 42 methods and one subscription, and leaves 16', () => {
    expect([named(moved).length, named(staying).length]).toEqual([42, 16]);
  });
  test.each(wires)('off: every method exists over %s', async (wire) => {
    expect(await codes(off, wire, named(moved + staying))).toEqual(all(named(moved + staying), -32602));
  });
  test.each(['http', 'ws'] as const)('on: over %s 42 are gone, 16 stay', async (wire) => {
    expect(await codes(on, wire, named(moved))).toEqual(all(named(moved), -32601));
    expect(await codes(on, wire, named(staying))).toEqual(all(named(staying), -32602));
    expect(await modules(on, wire)).toEqual({ debug: '1.0', kaia: '1.0', rpc: '1.0' });
  });
  test('on: every method still exists over ipc', async () => {
    expect(await codes(on, 'ipc', named(moved + staying))).toEqual(all(named(moved + staying), -32602));
  });
  test('traceChain, a subscription, is removed with them', async () => {
    const ask = async (node: Simulation, wire: 'ws' | 'ipc') =>
      JSON.parse(
        await batchText(node, wire, '[{"id":1,"method":"debug_subscribe","params":["traceChain"]}]'),
      );
    const missing = [{ error: { code: -32602, message: 'missing value for required argument 1' } }];
    expect(await ask(off, 'ws')).toMatchObject(missing);
    expect(await ask(on, 'ipc')).toMatchObject(missing);
    expect(await ask(on, 'ws')).toMatchObject([{ error: { code: -32601 } }]);
  });
  test('the switch’s methods are exactly those of the table', () => {
    const table = services.filter((one) => one.unsafeDebugOnly);
    const names = table.flatMap((one) => Object.keys(one.methods).map((name) => `debug_${name}`));
    expect(names.sort()).toEqual(named(moved).sort());
  });
});

describe('offered modules', () => {
  test('http and ws follow their lists, ipc offers everything, rpc is always there', async () => {
    const node = await start({ http: { modules: [] }, ws: { modules: ['kaia', 'net', 'rpc'] } });
    expect(await modules(node, 'http')).toEqual({ rpc: '1.0' });
    expect(await modules(node, 'ws')).toEqual({ kaia: '1.0', net: '1.0', rpc: '1.0' });
    expect(Object.keys((await modules(node, 'ipc')) as object)).toEqual([...everything, 'rpc'].sort());
  });
  test('a module that is not registered is not offered', async () => {
    const node = await start({ http: { modules: ['miner', 'kaia'] } });
    expect(await modules(node, 'http')).toEqual({ kaia: '1.0', rpc: '1.0' });
  });
  test('before the renaming: klay is the name, kaia unknown', async () => {
    const node = await start({ answers: { start: { release: 'klaytn/v1.12.1' } } });
    expect(await modules(node, 'http')).toEqual({
      eth: '1.0',
      klay: '1.0',
      net: '1.0',
      rpc: '1.0',
      web3: '1.0',
    });
    expect(await codes(node, 'http', ['klay_getBlockByNumber', 'kaia_getBlockByNumber'])).toEqual({
      klay_getBlockByNumber: -32602,
      kaia_getBlockByNumber: -32601,
    });
  });
});

test('without gasless its two methods do not exist', async () => {
  const node = await start({ answers: { start: { on: ['gasless.disable'] } } });
  const methods = ['debug_gaslessInfo', 'debug_isGaslessTx', 'debug_getBlockRlp'];
  expect(await codes(node, 'ipc', methods)).toEqual({ ...all(methods, -32601), debug_getBlockRlp: -32602 });
});

test('a boot node has its own services and the node package’s, nothing of a chain', async () => {
  const node = await start({
    ipc: { modules: ['admin', 'bootnode', 'debug', 'kaia', 'web3'] },
    answers: { start: { launcher: 'kbnd' } },
  });
  expect(Object.keys((await modules(node, 'ipc')) as object)).toEqual([
    'admin',
    'bootnode',
    'debug',
    'kaia',
    'rpc',
    'web3',
  ]);
  expect(
    await codes(node, 'ipc', [
      'bootnode_lookup',
      'debug_setGCPercent',
      'debug_getBlockRlp',
      'kaia_call',
      'kaia_sha3',
    ]),
  ).toEqual({
    bootnode_lookup: -32602,
    debug_setGCPercent: -32602,
    debug_getBlockRlp: -32601,
    kaia_call: -32601,
    kaia_sha3: -32602,
  });
});

describe('rpc.eth.noncompatible', () => {
  const methods = ['eth_blockNumber', 'eth_isParallelDBWrite', 'eth_coinbase'];
  test('eth_ leads to kaia’s methods, listed or not', async () => {
    const node = await start({
      http: { modules: ['kaia'] },
      answers: { start: { on: ['rpc.eth.noncompatible'] } },
    });
    expect(await codes(node, 'http', methods)).toEqual({
      eth_blockNumber: -32602,
      eth_isParallelDBWrite: -32602,
      eth_coinbase: -32601,
    });
  });
  test('with eth alone, nothing is left of it but its subscriptions', async () => {
    const node = await start({
      http: { modules: ['eth'] },
      ws: { modules: ['eth'] },
      answers: { start: { on: ['rpc.eth.noncompatible'] } },
    });
    expect(await codes(node, 'http', methods)).toEqual(all(methods, -32601));
    expect(await codes(node, 'ws', ['eth_subscribe'], '["newHeads"]')).toEqual({ eth_subscribe: 0 });
  });
});

test('what would change a node or read it never runs, over any wire, with any params', async () => {
  const node = await start({ http: { modules: everything }, ws: { modules: everything } });
  const harmless =
    /_(accounts|listAccounts|listWallets|blockNumber|chainID|chainId|clientVersion|syncing|gasPrice|mining)$/;
  const reads = /^(net_(version|networkID|listening|peerCount)|txpool_status|rpc_modules)$/;
  const names = services
    .filter((one) => everything.includes(one.namespace) || one.namespace === 'rpc')
    .flatMap((one) => Object.keys(one.methods).map((name) => `${one.namespace}_${name}`))
    .filter((name) => !harmless.test(name) && !reads.test(name));
  expect(names.length).toBeGreaterThan(250);
  for (const wire of wires) {
    for (const params of ['[]', '[null]', '[null,null]', '[null,null,null]']) {
      const answered = Object.entries(await codes(node, wire, names, params)).filter(
        ([, code]) => code === 0,
      );
      expect(answered).toEqual([]);
    }
  }
});

test('reads answer from the state of the node', async () => {
  const account = `0x${'a'.repeat(40)}`;
  const node = await start({ answers: { chainId: 1001, accounts: [account] } });
  const ask = async (method: string) =>
    (JSON.parse(await batchText(node, 'http', `[{"id":1,"method":"${method}"}]`)) as { result: unknown }[])[0]
      ?.result;
  expect(await ask('web3_clientVersion')).toBe('Klaytn/v2.2.1/linux-amd64/go1.25.3');
  expect(await ask('net_version')).toBe('1001');
  expect(await ask('eth_chainId')).toBe('0x3e9');
  expect(await ask('eth_accounts')).toEqual([account]);
  expect(await ask('klay_accounts')).toEqual([account]);
});
