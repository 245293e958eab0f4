/** A chain store over a scripted node: admission, caching, and its reports. */

import { expect, onTestFinished, test } from 'vitest';
import { RpcError, Unreachable } from '../../../src/jsonrpc/rpc.js';
import { ChainStore } from '../../../src/survey/chain/chain-store.js';
import { semaphoreContract } from '../../../src/survey/chain/contracts.js';
import { knownSurveys } from '../../../src/survey/chain/known-surveys.js';
import { Nodes } from '../../../src/survey/chain/nodes.js';
import { type ChainOptions, openChain } from '../../../src/survey/chain/open.js';
import type { Sender } from '../../../src/survey/chain/sender.js';
import { type ServedSurveys, servedSurveys } from '../../../src/survey/chain/served.js';
import { chainReader, disagreements } from '../../../src/survey/chain/verify.js';
import { rootOf } from '../../../src/survey/group/group.js';
import type { Refused } from '../../../src/survey/protocol/refused.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { bounded } from '../../peers/bounded.js';
import { rpcAnswer, stub } from '../server/support.js';
import { calls, clock, told } from './told.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const semaphore = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const manager = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const key = `0x${'11'.repeat(32)}`;
const down = new Unreachable('down');
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

async function memory() {
  const storage = await openSqlite(':memory:', Buffer.alloc(32));
  onTestFinished(() => storage.close());
  return storage;
}

/** A group of these members on a chain without new blocks. */
function group(members: readonly string[]) {
  const log = semaphoreContract.encodeEventLog('MembersAdded', [4, 0, members, 1]);
  return {
    eth_chainId: '0x3e9',
    eth_blockNumber: '0x5',
    eth_getCode: '0x60',
    eth_getBlockByNumber: { number: '0x5', hash: '0xb', timestamp: '0x1' },
    eth_getLogs: members.length === 0 ? [] : [{ ...log, blockNumber: '0x5', logIndex: '0x0' }],
    eth_call: calls({
      semaphore,
      groupId: 4n,
      getMerkleTreeSize: members.length,
      finished: false,
      manager,
      hasMember: false,
      joinGroup: null,
    }),
    eth_estimateGas: '0x64',
  } as Record<string, unknown>;
}

/** The parts of a store that reads, keeps nothing and cannot send. */
function chainOf(
  rpc: ConstructorParameters<typeof Nodes>[0][number],
  served: ServedSurveys,
  patienceMs: number,
) {
  return {
    rpc,
    chainId: 1001,
    sender: null,
    nodes: new Nodes([rpc]),
    fromBlock: 0,
    served,
    keyOf: null,
    patienceMs,
    memory: () => ({ load: async () => null, save: async () => {} }),
  };
}

async function store(answers: Record<string, unknown>, change: { sender?: Partial<Sender> } = {}) {
  const { rpc, asked } = told(answers);
  const storage = await memory();
  const served = servedSurveys({
    storage,
    chainId: 1001,
    any: false,
    surveys: [survey],
    isMade: async () => false,
  });
  const sender =
    change.sender === undefined ? null : ({ address: manager, timeoutMs: 5000, ...change.sender } as Sender);
  const saved: unknown[] = [];
  const kept = { load: async () => null, save: async (one: unknown) => void saved.push(one) };
  const one = bounded(new ChainStore({ ...chainOf(rpc, served, 5000), sender, memory: () => kept }));
  return { store: one, asked, served, saved };
}

test('concurrent readers share one read of a group, and an unchanged group is the same object', async () => {
  const { store: one, asked, saved } = await store(group(['7', '8']));
  const [first, second] = await Promise.all([one.group(survey), one.group(survey)]);
  expect(first).toEqual({ groupId: '4', members: ['7', '8'] });
  expect(second).toBe(first);
  const logs = asked.filter((method) => method === 'eth_getLogs').length;
  expect(await one.group(survey, true)).toBe(first);
  expect(asked.filter((method) => method === 'eth_getLogs')).toHaveLength(logs);
  await one.close();
  expect(saved).toEqual([{ tip: { block: 5, hash: '0xb' }, leaves: ['7', '8'] }]);
});

test('a list without the root of the contract is closed for lists and joins; one whose kept leaves differ is read again', async () => {
  const answers = group(['7', '8']);
  const state = {
    semaphore,
    groupId: 4n,
    getMerkleTreeSize: 2n,
    finished: false,
    manager,
    hasMember: false,
    joinGroup: null,
  };
  const { store: one } = await store({ ...answers, eth_call: calls({ ...state, getMerkleTreeRoot: 5n }) });
  await one.verify();
  await expect(one.group(survey)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  expect((await one.health()).problem).toContain('is not that of its members');
  const { rpc } = told({ ...answers, eth_call: calls({ ...state, getMerkleTreeRoot: rootOf([7n, 8n]) }) });
  const served = servedSurveys({
    storage: await memory(),
    chainId: 1001,
    any: false,
    surveys: [survey],
    isMade: async () => false,
  });
  const saved: unknown[] = [];
  const kept = {
    load: async () => ({ tip: { block: 5, hash: '0xb' }, leaves: ['7', '9'] }),
    save: async (one: unknown) => void saved.push(one),
  };
  const healed = bounded(new ChainStore({ ...chainOf(rpc, served, 5000), memory: () => kept }));
  await healed.verify();
  expect((await healed.group(survey, true)).members).toEqual(['7', '8']);
  expect(saved.at(-1)).toMatchObject({ leaves: ['7', '8'] });
  expect((await healed.health()).facts.treeCheckAgeSeconds).toBe(0);
});

test('logs that a node marks as removed are not members', async () => {
  const answers = group(['7']);
  const [log] = answers.eth_getLogs as object[];
  const { store: one } = await store({
    ...answers,
    eth_getLogs: [{ ...log, logIndex: '0x9', removed: true }, log],
  });
  expect((await one.group(survey)).members).toEqual(['7']);
});

test('a survey that is not served is not requested from the chain', async () => {
  const { store: one, asked } = await store(group([]));
  await one.group(survey);
  const before = asked.length;
  await expect(one.group(address(1), true)).rejects.toMatchObject({ code: 'UNKNOWN_SURVEY' });
  await expect(one.setClosed(address(1), true)).rejects.toMatchObject({ code: 'UNKNOWN_SURVEY' });
  expect(asked.slice(before).filter((method) => method !== 'eth_chainId')).toEqual([]);
});

test('surveys are listed with their members, where those can be read', async () => {
  const { store: one, served } = await store(group(['7']));
  await served.add(address(1));
  await served.setClosed(survey, true);
  expect(await one.surveys()).toEqual([
    { survey, members: 1, closed: true },
    { survey: address(1), members: 1, closed: false },
  ]);
  const { store: dark } = await store({ ...group(['7']), eth_getLogs: down });
  expect(await dark.surveys()).toEqual([{ survey, members: null, closed: false }]);
});

test('without a key joins are off, and accounts sign with their own keys', async () => {
  const { store: one } = await store(group([]));
  await expect(one.join(survey, 7n)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    reason: 'it has no manager key',
  });
  expect(await one.underWay(survey)).toEqual([]);
  expect(await one.final({ hash: '0x1' } as never)).toBe(false);
  expect((await one.accountKey(manager)).keys).toMatchObject([{ address: manager.toLowerCase() }]);
  expect((await one.health()).facts).toMatchObject({ accountKeys: 'own' });
});

/** The receipt of a transaction that added this member to this group. */
function receiptOf(commitment: bigint, change: object = {}) {
  const log = semaphoreContract.encodeEventLog('MemberAdded', [4, 0, commitment, 1]);
  const logs = [{ ...log, address: semaphore, _type: 'log' }];
  return { hash: '0xaa', status: 1, gasUsed: '100', logs, ...change } as never;
}

test('a join is sent with gas for its place, and is one where the receipt proves it', async () => {
  const calls: unknown[] = [];
  const sender = {
    pending: async () => 2,
    send: async (call: { gas: object; commitment: string }) => {
      calls.push([call.commitment, call.gas]);
      return { receipt: receiptOf(7n), gas: 1000n };
    },
  };
  const { store: one } = await store(group(['1']), { sender });
  expect(await one.join(survey, 7n)).toMatchObject({ hash: '0xaa' });
  expect(calls).toEqual([['7', { wanted: 100n + 12n * 40_000n, needed: 100n + 3n * 40_000n }]]);
});

test.each<[string, object, bigint, Partial<Refused>]>([
  ['reverted', { status: 0 }, 1000n, { code: 'CALL_EXCEPTION', reason: expect.stringContaining('reverted') }],
  [
    'of another member',
    {},
    1000n,
    { code: 'CALL_EXCEPTION', reason: expect.stringContaining('added no member') },
  ],
  ['out of gas', { status: 0 }, 100n, { code: 'OUT_OF_GAS' }],
])('a transaction %s does not count as a join', async (_, change, gas, expected) => {
  const gases: bigint[] = [];
  const send = async (call: { gas: { wanted: bigint } }) => {
    gases.push(call.gas.wanted);
    return { receipt: receiptOf(9n, change), gas };
  };
  const { store: one } = await store(group([]), { sender: { pending: async () => 0, send } });
  const refused = one.join(survey, 7n);
  await expect(refused).rejects.toMatchObject({ ...expected, facts: { transactionHash: '0xaa' } });
  // What ran out of gas is sent once more, with enough for any place.
  const once = [100n + 12n * 40_000n];
  expect(gases).toEqual(gas === 100n ? [...once, 200n + 32n * 40_000n] : once);
});

test('one request at a time joins a commitment, and a closed survey accepts none', async () => {
  let mine = () => {};
  const mined = new Promise<void>((resolve) => {
    mine = resolve;
  });
  const send = async () => {
    await mined;
    return { receipt: receiptOf(7n), gas: 1000n };
  };
  const { store: one, served } = await store(group([]), { sender: { pending: async () => 0, send } });
  const first = one.join(survey, 7n);
  await expect(one.join(survey, 7n)).rejects.toMatchObject({ reason: 'LeafAlreadyExists' });
  mine();
  await first;
  await one.join(survey, 7n);
  await one.setClosed(survey, true);
  expect(await served.isClosed(survey)).toBe(true);
  await expect(one.join(survey, 7n)).rejects.toMatchObject({ reason: 'Survey is finished' });
});

test('a node that moves to another chain is reported', async () => {
  const answers = group(['7']);
  const { store: one } = await store({ ...answers, eth_chainId: '0x2019' });
  await expect(one.group(survey)).rejects.toMatchObject({
    code: 'WRONG_CHAIN',
    reason: expect.stringMatching(/on chain 8217, not on 1001/),
  });
  const { store: two } = await store({ ...answers, eth_chainId: down });
  await expect(two.group(survey)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a group that takes too long is reported, and is there later', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { rpc } = told({
    ...group(['7']),
    eth_getLogs: async () => {
      await asked;
      return group(['7']).eth_getLogs;
    },
  });
  const served = servedSurveys({
    storage: await memory(),
    chainId: 1001,
    any: true,
    surveys: [],
    isMade: async () => false,
  });
  const one = bounded(new ChainStore(chainOf(rpc, served, 20)));
  await expect(one.group(survey)).rejects.toMatchObject({ reason: expect.stringContaining('ask again') });
  answer();
  await expect.poll(() => one.group(survey).catch(() => null)).toMatchObject({ members: ['7'] });
});

test('the last 256 requested surveys are cached, and evicted groups stay stored', async () => {
  const { rpc, asked } = told(group(['7']));
  const saved: string[] = [];
  const known = knownSurveys({
    rpc,
    fromBlock: null,
    served: { has: async () => true } as unknown as ServedSurveys,
    memory: () => ({ load: async () => null, save: async ({ leaves }) => void saved.push(leaves.join()) }),
  });
  const first = await known.get(address(1));
  await first.check();
  await (await known.get(address(2))).check();
  for (let n = 3; n <= 256; n++) await known.get(address(n));
  expect(await known.get(address(1))).toBe(first);
  const before = asked.length;
  await known.get(address(257));
  expect(asked.length).toBeGreaterThan(before);
  expect(await known.get(address(1))).toBe(first);
  // The least recently used of the groups that were read was cached for the next run, and is read again.
  expect(saved).toEqual(['7']);
  const again = asked.length;
  await known.get(address(2));
  expect(asked.length).toBeGreaterThan(again);
  await known.save();
  expect(saved).toEqual(['7', '7']);
});

test('a survey that was not found is looked for again', async () => {
  let code = '0x';
  const { rpc } = told({ ...group([]), eth_getCode: () => code });
  const known = knownSurveys({
    rpc,
    fromBlock: 0,
    served: { has: async () => true } as unknown as ServedSurveys,
    memory: () => ({ load: async () => null, save: async () => {} }),
  });
  await expect(known.get(survey)).rejects.toMatchObject({ code: 'BAD_DATA' });
  code = '0x60';
  expect((await known.get(survey)).place).toEqual({ semaphore, groupId: 4n });
});

/** A node on loopback that answers from a table. */
async function listening(answers: Record<string, unknown>): Promise<string> {
  const { url } = await stub((heard) => {
    const { method, params } = JSON.parse(heard.body) as { method: string; params: unknown[] };
    const none = new RpcError(-32601, 'the method does not exist', '0x');
    const answer = Object.hasOwn(answers, method) ? answers[method] : none;
    const value = typeof answer === 'function' ? answer(...params) : answer;
    return value instanceof RpcError
      ? rpcAnswer(heard, `"error":{"code":${value.code},"message":"no"}`)
      : rpcAnswer(heard, `"result":${JSON.stringify(value)}`);
  });
  return url;
}

async function opened(answers: Record<string, unknown>, change: Partial<ChainOptions> = {}) {
  const chain = await openChain({
    rpcUrls: [await listening(answers)],
    managerKey: null,
    fromBlock: null,
    chainId: null,
    surveys: [],
    factories: [],
    spending: { maxGas: 1n, maxFee: 1n },
    storage: await memory(),
    rpcTimeoutMs: 5000,
    minedMs: 5000,
    onWriterError: () => undefined,
    ...change,
  });
  return bounded(chain);
}

test('a store opens on a node of its chain', async () => {
  expect((await opened({ eth_chainId: '0x3e9' })).chainId).toBe(1001);
  expect((await opened({ eth_chainId: '0x3e9' }, { chainId: 1001 })).chainId).toBe(1001);
  const kaia = await opened({ eth_chainId: '0x3e9', kaia_getAccountKey: null });
  expect((await kaia.health()).facts).toMatchObject({ accountKeys: 'chain' });
  const paying = await opened({ eth_chainId: '0x3e9' }, { managerKey: key, factories: [survey] });
  // It has a key, and asks the factory about the survey.
  await expect(paying.join(survey, 7n)).rejects.toMatchObject({ code: 'SERVER_ERROR' });
});

test.each(['zz', '12', `0x${'0'.repeat(64)}`])(
  'the manager’s key %s is refused before a node is asked',
  async (bad) => {
    const rpcUrls = ['http://127.0.0.1:1'];
    await expect(opened({}, { rpcUrls, managerKey: bad, surveys: [survey] })).rejects.toMatchObject({
      exitCode: 2,
      message: 'the manager’s key is not a private key of 64 hexadecimal digits',
    });
  },
);

test('surveys that were added to its store are named', async () => {
  const storage = await memory();
  const settings = { storage, chainId: 1001, any: false, surveys: [], isMade: async () => false };
  await expect(opened({ eth_chainId: '0x3e9' }, { managerKey: key, storage })).rejects.toMatchObject({
    exitCode: 2,
    hint: expect.stringContaining('--factory'),
  });
  await servedSurveys(settings).add(survey);
  expect((await opened({ eth_chainId: '0x3e9' }, { managerKey: key, storage })).chainId).toBe(1001);
});

test.each<[string, Record<string, unknown>, Partial<ChainOptions>, object]>([
  ['no answer', { eth_chainId: new RpcError(-32000, 'no', '0x') }, {}, { exitCode: 3 }],
  ['another chain', { eth_chainId: '0x2019' }, { chainId: 1001 }, { exitCode: 2 }],
  [
    'half an answer about keys',
    { eth_chainId: '0x3e9', kaia_getAccountKey: new RpcError(-32000, 'no', '0x') },
    {},
    { exitCode: 3, hint: expect.stringContaining('-32601') },
  ],
  ['an invalid key', { eth_chainId: '0x3e9' }, { managerKey: '0x12', surveys: [survey] }, { exitCode: 2 }],
])('a store does not open: %s', async (_, answers, change, expected) => {
  await expect(opened(answers, change)).rejects.toMatchObject(expected);
});

test.each<[string, Record<string, unknown>, number, RegExp]>([
  ['an empty chain id', { eth_chainId: '0x' }, 3, /does not tell its chain id/],
  ['a chain id of another type', { eth_chainId: 1001 }, 3, /does not tell its chain id/],
  ['an invalid block number', { eth_blockNumber: 'x0x1' }, 3, /does not tell its block/],
  [
    'a block number above the safe integers',
    { eth_blockNumber: `0x${'1'.repeat(14)}` },
    3,
    /does not tell its block/,
  ],
  [
    'an error of the node',
    { eth_blockNumber: new RpcError(-32005, 'no', '0x') },
    3,
    /answered with error -32005/,
  ],
  ['a call that reverts', { eth_call: new RpcError(3, 'no', '0x') }, 2, /no survey contract at/],
  [
    'a call that fails as in older nodes',
    { eth_call: new RpcError(-32000, 'no', '0x') },
    2,
    /no survey contract/,
  ],
  ['an empty answer', { eth_call: '0x' }, 2, /no survey contract/],
  ['an answer of another kind', { eth_call: 'text' }, 3, /its answer is not valid/],
])('a group is not read from a node with %s', async (_, answers, exitCode, sentence) => {
  const url = await listening({ eth_chainId: '0x3e9', eth_blockNumber: '0x10', eth_call: '0x', ...answers });
  const reader = chainReader(new URL(url), survey, new AbortController().signal);
  await expect(reader.group()).rejects.toMatchObject({
    exitCode,
    message: expect.stringMatching(sentence),
    hint: expect.stringContaining('--rpc-url'),
  });
});

test('a list matches the contract by group, size and root, and a full page is reported', () => {
  const list = (length: number, groupId = '4') => ({ groupId, members: Array.from({ length }, String) });
  const chain = (size: number) => ({ chainId: 1001, block: 5, groupId: '4', size, root: 9n });
  expect(disagreements(list(3), 9n, chain(3))).toEqual([]);
  expect(disagreements(list(3), 8n, chain(3))).toEqual(['the list’s root is 8, the contract’s 9']);
  expect(disagreements(list(3, '5'), 8n, chain(3))).toHaveLength(2);
  const wall = (length: number, size: number) => disagreements(list(length), 8n, chain(size)).join();
  expect(wall(200, 201)).toMatch(/200 entries, the contract 201: .*only its first 200/);
  for (const [length, size] of [
    [0, 5],
    [101, 102],
    [200, 100],
  ] as const)
    expect(wall(length, size)).not.toContain('at a time');
});

test('a group is read at one block; a member is looked for at the newest', async () => {
  const asked: [block: unknown, ...args: unknown[]][] = [];
  const answer = calls({
    semaphore,
    groupId: 4n,
    getMerkleTreeRoot: 9n,
    getMerkleTreeSize: 3n,
    hasMember: true,
  });
  const url = await listening({
    eth_chainId: '0x3e9',
    eth_blockNumber: '0x10',
    eth_call: (call: { to: string; data: string }, block: unknown) => {
      const parsed = semaphoreContract.parseTransaction(call);
      if (parsed !== null) asked.push([block, parsed.name, call.to, ...parsed.args.map(String)]);
      return answer(call);
    },
  });
  const reader = chainReader(new URL(url), survey, new AbortController().signal);
  expect(await reader.group()).toEqual({ chainId: 1001, block: 16, groupId: '4', size: 3, root: 9n });
  expect(await reader.hasMember(7n)).toBe(true);
  expect(asked.sort()).toEqual([
    ['0x10', 'getMerkleTreeRoot', semaphore, '4'],
    ['0x10', 'getMerkleTreeSize', semaphore, '4'],
    ['latest', 'hasMember', semaphore, '4', '7'],
  ]);
});

test('a group and a chain are as they were for a fifth of a second, unless a join of ours came between', async () => {
  const time = clock();
  const sender = {
    pending: async () => 0,
    send: async () => ({ receipt: receiptOf(7n), gas: 1000n }),
  };
  const { store: one, asked } = await store(group(['7']), { sender });
  await one.group(survey);
  const questions = async () => {
    const before = asked.length;
    await one.group(survey);
    return asked.slice(before);
  };
  // The first request compares what was read before it.
  await new Promise((resolve) => setImmediate(resolve));
  await one.group(survey);
  expect(await questions()).toEqual([]);
  time.now += 199;
  expect(await questions()).toEqual([]);
  time.now += 1;
  expect(await questions()).toEqual(['eth_chainId', 'eth_getBlockByNumber']);
  expect(await questions()).toEqual([]);
  await one.join(survey, 7n);
  expect(await questions()).toEqual(['eth_getBlockByNumber']);
});

test('a group read while our join was mined does not count as fresh', async () => {
  const answers = group(['7']);
  const known = knownSurveys({
    rpc: told({
      ...answers,
      eth_getLogs: () => {
        one.joins += joining;
        return answers.eth_getLogs;
      },
    }).rpc,
    fromBlock: 0,
    served: { has: async () => true } as unknown as ServedSurveys,
    memory: () => ({ load: async () => null, save: async () => {} }),
  });
  let joining = 1;
  const one = await known.get(survey);
  expect((await one.check()).members).toEqual(['7']);
  expect(one.checkedAt).toBe(Number.NEGATIVE_INFINITY);
  joining = 0;
  const before = performance.now();
  await one.check();
  expect(one.checkedAt).toBeGreaterThanOrEqual(before);
});

test('of hundreds of groups requested at once, some are read, some wait, and the rest are refused', async () => {
  const { rpc } = told({ ...group(['7']), eth_getLogs: () => new Promise(() => {}) });
  const served = servedSurveys({
    storage: await memory(),
    chainId: 1001,
    any: true,
    surveys: [],
    isMade: async () => false,
  });
  const one = bounded(new ChainStore(chainOf(rpc, served, 1000)));
  const asked = Array.from({ length: 266 }, (_, n) =>
    one.group(address(n + 1)).catch((error: Refused) => error),
  );
  const reasons = (await Promise.all(asked)).map((answer) => (answer as Refused).reason);
  expect(reasons.filter((reason) => reason.startsWith('too many'))).toHaveLength(2);
});

test('without the newest block of the node, the creation of a survey is unknown', async () => {
  const known = knownSurveys({
    rpc: told({ ...group([]), eth_blockNumber: down }).rpc,
    fromBlock: null,
    served: { has: async () => true } as unknown as ServedSurveys,
    memory: () => ({ load: async () => null, save: async () => {} }),
  });
  await expect(known.get(survey)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a server with --survey lists these surveys; a server without it, and without joins, lists any', async () => {
  const answers = { ...group(['7']), kaia_getAccountKey: null };
  const listed = async (change: Partial<ChainOptions>, id: string) =>
    (await opened(answers, change)).group(id).then(
      ({ members }) => members,
      ({ code }) => code,
    );
  expect(await listed({}, address(1))).toEqual(['7']);
  expect(await listed({ surveys: [survey] }, survey)).toEqual(['7']);
  expect(await listed({ surveys: [survey] }, address(1))).toBe('UNKNOWN_SURVEY');
  const factory = { ...answers, eth_getTransactionCount: '0x0' };
  const made = (await opened(factory, { surveys: [survey], factories: [semaphore] })).group(address(1));
  await expect(made).rejects.toMatchObject({ code: 'UNKNOWN_SURVEY' });
});
