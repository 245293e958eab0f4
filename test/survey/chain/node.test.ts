/** How a node's answers are read: refusals, receipts, health, fees, and reasons against a join. */
import { AbiCoder } from 'ethers/abi';
import { getCreateAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import { RpcError, Unreachable } from '../../../src/jsonrpc/rpc.js';
import { chainHealth } from '../../../src/survey/chain/chain-store.js';
import { birthBlock, locateGroup, surveyContract, surveyState } from '../../../src/survey/chain/contracts.js';
import { chainRefused } from '../../../src/survey/chain/failure.js';
import { affordable, feesOf, GroupGas, joinGas, ranOut } from '../../../src/survey/chain/fees.js';
import { preflight } from '../../../src/survey/chain/send-join.js';
import { chainReceipt, type Sender } from '../../../src/survey/chain/sender.js';
import { madeBy } from '../../../src/survey/chain/served.js';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { calls, clock, told } from './told.js';

const survey = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';
const semaphore = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
const manager = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const down = new Unreachable('down');

describe('an error as a refusal', () => {
  const refused = (error: unknown) => chainRefused(error, 'estimateGas');
  const words = (text: string) =>
    `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], [text]).slice(2)}`;

  test.each<[string, Error, Partial<Refused>]>([
    ['no answer', down, { code: 'UNAVAILABLE', reason: 'its node did not answer', facts: {} }],
    [
      'no means',
      new RpcError(-32000, 'Insufficient funds for gas * price', '0x'),
      { code: 'INSUFFICIENT_FUNDS' },
    ],
    [
      'an error of the contract’s',
      new RpcError(3, 'execution reverted', '0x258a195a'),
      {
        code: 'CALL_EXCEPTION',
        reason: 'LeafAlreadyExists',
        message: 'this commitment is already in the group',
        facts: { action: 'estimateGas', data: '0x258a195a' },
      },
    ],
    [
      'words of the contract’s, made visible',
      new RpcError(3, 'execution reverted', words('no\u001b[2J')),
      {
        code: 'CALL_EXCEPTION',
        reason: 'no\\u{1b}[2J',
        message: 'execution reverted: "no\\u{1b}[2J"',
        facts: { action: 'estimateGas', data: words('no\u001b[2J') },
      },
    ],
    [
      'an unknown error',
      new RpcError(3, 'execution reverted', '0xdeadbeef'),
      { reason: 'unknown custom error', facts: { action: 'estimateGas', data: '0xdeadbeef' } },
    ],
    [
      'less than an error',
      new RpcError(3, 'Execution Reverted', '0xdeadbee'),
      { code: 'CALL_EXCEPTION', reason: 'execution reverted without a reason' },
    ],
    [
      'a nonce',
      new RpcError(-32000, 'Nonce too low', '0x'),
      { reason: expect.stringContaining('used elsewhere') },
    ],
    [
      'a price',
      new RpcError(-32000, 'transaction underpriced', '0x'),
      { reason: expect.stringContaining('fee') },
    ],
    [
      'a fee',
      new RpcError(-32000, 'max Fee per gas', '0x'),
      { reason: expect.stringContaining('fee is too low') },
    ],
    [
      'anything else',
      new RpcError(-32099, 'at 10.0.0.7: ?', '0x'),
      { reason: 'its node answered with error -32099' },
    ],
  ])('%s', (_, error, expected) => {
    expect(refused(error)).toBeInstanceOf(Refused);
    expect(refused(error)).toMatchObject(expected);
  });

  test('errors that do not come from the chain stay unchanged', () => {
    const error = new TypeError('x');
    expect(refused(error)).toBe(error);
  });
});

describe('a receipt', () => {
  const log = { address: semaphore.toLowerCase(), blockHash: '0xb', blockNumber: '0x10', data: '0x01' };
  const raw = {
    blockHash: '0xb',
    blockNumber: '0x10',
    contractAddress: null,
    cumulativeGasUsed: '0x20',
    from: manager.toLowerCase(),
    to: survey.toLowerCase(),
    effectiveGasPrice: '0x19',
    gasPrice: '0x1',
    gasUsed: '0x1f',
    transactionHash: '0xa',
    transactionIndex: '0x2',
    logsBloom: '0x00',
    status: '0x1',
    logs: [{ ...log, logIndex: '0x3', topics: ['0x7'], transactionHash: '0xa', transactionIndex: '0x2' }],
  };

  test('has checksums, decimal quantities and positions as numbers', () => {
    expect(chainReceipt(raw)).toEqual({
      _type: 'TransactionReceipt',
      blockHash: '0xb',
      blockNumber: 16,
      contractAddress: null,
      cumulativeGasUsed: '32',
      from: manager,
      to: survey,
      gasPrice: '25',
      gasUsed: '31',
      hash: '0xa',
      blobGasUsed: null,
      blobGasPrice: null,
      index: 2,
      logsBloom: '0x00',
      status: 1,
      logs: [
        {
          _type: 'log',
          address: semaphore,
          blockHash: '0xb',
          blockNumber: 16,
          data: '0x01',
          index: 3,
          topics: ['0x7'],
          transactionHash: '0xa',
          transactionIndex: 2,
        },
      ],
    });
  });

  test('of another kind of node is read', () => {
    const { effectiveGasPrice: _, ...older } = raw;
    expect(chainReceipt(older).gasPrice).toBe('1');
    expect(chainReceipt({ ...raw, status: '0x0' }).status).toBe(0);
    const made = {
      ...raw,
      contractAddress: semaphore.toLowerCase(),
      blobGasUsed: '0x5',
      blobGasPrice: '0x6',
    };
    expect(chainReceipt(made)).toMatchObject({
      contractAddress: semaphore,
      blobGasUsed: '5',
      blobGasPrice: '6',
    });
  });
});

describe('health', () => {
  let backlog = {
    queued: 1,
    sent: 2,
    oldestSeconds: null as number | null,
    unminedSeconds: null as number | null,
  };
  const sender = { address: manager, backlog: async () => backlog } as unknown as Sender;
  const figures = { nonce: 7, transactions: 3, oldestUnminedSeconds: 0, oldestCallSeconds: 0 };
  const answers = (change: Record<string, unknown> = {}) => ({
    eth_blockNumber: '0x10',
    eth_chainId: '0x3e9',
    eth_gasPrice: '0xa',
    eth_getTransactionCount: '0x7',
    eth_getBalance: `0x${(300_000n * 10n * 5n + 1n).toString(16)}`,
    eth_getBlockByNumber: { number: '0x10', timestamp: `0x${(1_700_000_000 - 120).toString(16)}` },
    ...change,
  });
  const health = (change: Record<string, unknown> = {}, who: Sender | null = sender) => {
    clock();
    return chainHealth(told(answers(change)).rpc, 1001, who);
  };

  test('is a block of today, and joins the balance pays for', async () => {
    expect(await health()).toEqual({
      problem: null,
      facts: { chainId: 1001, block: 16, blockAgeSeconds: 120, joinsLeft: 5, ...figures },
    });
    const noJoins = { chainId: 1001, block: 16, blockAgeSeconds: 120 };
    expect(await health({}, null)).toEqual({ problem: null, facts: noJoins });
    const ahead = { number: '0x10', timestamp: `0x${(1_700_000_030).toString(16)}` };
    expect((await health({ eth_getBlockByNumber: ahead })).facts.blockAgeSeconds).toBe(0);
  });

  test('counts up to a million joins left, and none on a chain without fees', async () => {
    const pays = (joins: bigint) => ({ eth_getBalance: `0x${(3_000_000n * joins).toString(16)}` });
    expect((await health(pays(999_999n))).facts.joinsLeft).toBe(999_999);
    expect((await health(pays(10n ** 20n))).facts.joinsLeft).toBe(1_000_000);
    expect((await health({ eth_gasPrice: '0x0' })).facts).not.toHaveProperty('joinsLeft');
  });

  test.each<[string, Record<string, unknown>]>([
    ['the node is on another chain now', { eth_chainId: '0x2019', eth_getBalance: '0x0' }],
    ['the manager’s balance pays for no join', { eth_getBalance: `0x${(3_000_000 - 1).toString(16)}` }],
    ['the node’s last block is old', { eth_getBlockByNumber: { number: '0x1', timestamp: '0x1' } }],
    ['the node’s last block is old', { eth_getBlockByNumber: null }],
    ['the chain’s node does not answer', { eth_blockNumber: down }],
  ])('%s', async (problem, change) => {
    expect((await health(change)).problem).toContain(problem);
  });

  test('a figure that is not answered is unknown, and no problem: only the block number decides', async () => {
    const silent = { eth_gasPrice: down, eth_getBlockByNumber: down, eth_chainId: down };
    expect(await health(silent)).toEqual({
      problem: null,
      facts: { chainId: null, block: 16, blockAgeSeconds: null, joinsLeft: null, ...figures },
    });
  });

  test.each([
    [{ unminedSeconds: 60 }, null],
    [{ unminedSeconds: 61 }, /sent 61 s ago and is not mined/],
    [{ oldestSeconds: 61 }, /has waited 61 s/],
  ])('of a sender with %j', async (change, problem) => {
    backlog = { queued: 1, sent: 2, oldestSeconds: null, unminedSeconds: null, ...change };
    const found = await health();
    backlog = { queued: 1, sent: 2, oldestSeconds: null, unminedSeconds: null };
    expect(found.problem).toEqual(problem === null ? null : expect.stringMatching(problem));
    expect(found.facts).toMatchObject({ transactions: 3 });
  });

  test('a block is old after two minutes', async () => {
    const block = { number: '0x10', timestamp: `0x${(1_700_000_000 - 121).toString(16)}` };
    expect((await health({ eth_getBlockByNumber: block })).problem).toContain('last block is old');
  });
});

describe('before a join is sent', () => {
  const silent = new RpcError(-32000, 'header not found', '0x');
  const free = { hasMember: false, getMerkleTreeSize: 12n, finished: false, manager, joinGroup: null };
  const place = { semaphore, groupId: 4n };
  const planned = {
    survey,
    place,
    commitment: 7n,
    from: manager,
    data: surveyContract.encodeFunctionData('joinGroup', [7n]),
  };
  const node = (change: Record<string, unknown>) => told({ eth_call: calls({ ...free, ...change }) });
  const looked = (change: Record<string, unknown> = {}) => {
    const { rpc } = node(change);
    return preflight(rpc, planned, surveyState(rpc, survey, place));
  };

  test('its call is simulated without cost and never estimated', async () => {
    const { rpc, asked } = node({});
    await preflight(rpc, planned, surveyState(rpc, survey, place));
    expect(new Set(asked)).toEqual(new Set(['eth_call']));
  });

  test('a state that the node does not answer is null; the others are kept', async () => {
    const state = (change: Record<string, unknown>) => surveyState(node(change).rpc, survey, place);
    expect(await state({})).toEqual({ members: 12, finished: false, manager });
    const none = { getMerkleTreeSize: silent, finished: silent, manager: silent };
    expect(await state(none)).toEqual({ members: null, finished: null, manager: null });
    await expect(looked({ ...none, hasMember: silent })).resolves.toBeUndefined();
  });

  test.each<[string, Record<string, unknown>, Partial<Refused>]>([
    ['a member', { hasMember: true, finished: true }, { reason: 'LeafAlreadyExists' }],
    ['finished', { finished: true, manager: survey }, { reason: 'Survey is finished' }],
    [
      'another’s',
      { manager: survey },
      {
        code: 'CALL_EXCEPTION',
        reason: 'Access denied: Not the manager',
        message: 'execution reverted: "Access denied: Not the manager"',
        facts: { action: 'estimateGas' },
      },
    ],
    [
      'refused by the contract, whatever else is so',
      { finished: true, joinGroup: new RpcError(3, 'execution reverted', '0x29691be2') },
      { reason: 'LeafCannotBeZero', facts: { action: 'estimateGas', data: '0x29691be2' } },
    ],
    ['a node that is down', { joinGroup: down }, { code: 'UNAVAILABLE' }],
  ])('%s: nothing is spent', async (_, change, expected) => {
    await expect(looked(change)).rejects.toMatchObject(expected);
  });
});

describe('the group of a survey', () => {
  const located = (change: Record<string, unknown>) =>
    locateGroup(
      told({ eth_getCode: '0x60', eth_call: calls({ semaphore, groupId: 4n }), ...change }).rpc,
      survey,
    );

  test('comes from its contract', async () => {
    expect(await located({})).toEqual({ semaphore, groupId: 4n });
  });

  test.each<[string, Record<string, unknown>, Partial<Refused>]>([
    ['no contract', { eth_getCode: '0x' }, { code: 'BAD_DATA', facts: { value: '0x' } }],
    [
      'a contract that reverts',
      { eth_call: calls({ semaphore: new RpcError(3, 'execution reverted', '0x1234'), groupId: 4n }) },
      { code: 'CALL_EXCEPTION', message: 'not a survey', facts: { action: 'call', data: '0x1234' } },
    ],
    [
      'one that answers something else',
      { eth_call: '0x' },
      { code: 'CALL_EXCEPTION', message: 'not a survey', facts: { action: 'call', data: '0x' } },
    ],
    ['a node that is down', { eth_getCode: down }, { code: 'UNAVAILABLE' }],
  ])('%s', async (_, change, expected) => {
    await expect(located(change)).rejects.toMatchObject(expected);
  });

  test('is unknown in age while the node is down', async () => {
    await expect(birthBlock(told({ eth_getCode: down }).rpc, survey, 9)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(await birthBlock(told({ eth_getCode: '0x60' }).rpc, survey, 9)).toBe(0);
  });
});

describe('fees', () => {
  const gas = { wanted: 1000n, needed: 100n };
  const answers = (change: Record<string, unknown> = {}) => ({
    eth_gasPrice: '0x19',
    eth_getBalance: '0xffffffff',
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBlockByNumber: { baseFeePerGas: '0x7' },
    ...change,
  });
  const next = (change: Record<string, unknown> = {}, maxFee = 60n, maxGas = 10_000n, allowed = 0n) =>
    feesOf(told(answers(change)).rpc, manager, { maxGas, maxFee }).next(gas, allowed);

  test('are twice the base fee plus the tip, up to the operator’s limit', async () => {
    const fields = (most: bigint, tip: bigint) => ({
      type: 2,
      maxFeePerGas: most,
      maxPriorityFeePerGas: tip,
    });
    expect(await next()).toEqual({ gasLimit: 1000n, fields: fields(15n, 1n) });
    expect((await next({ eth_maxPriorityFeePerGas: '0xff' })).fields).toEqual(fields(60n, 60n));
    expect((await next({}, 15n)).fields).toEqual(fields(15n, 1n));
    expect((await next({}, 14n)).fields).toEqual(fields(14n, 1n));
    expect((await next({}, 7n)).fields).toEqual(fields(7n, 1n));
    await expect(next({}, 6n)).rejects.toMatchObject({ code: 'FEE_TOO_HIGH' });
  });

  test('are those of a chain without a base fee or without fees', async () => {
    const old = { eth_getBlockByNumber: {} };
    expect((await next(old)).fields).toEqual({ type: 0, gasPrice: 25n });
    expect((await next({ eth_getBlockByNumber: null })).fields).toEqual({ type: 0, gasPrice: 25n });
    expect((await next(old, 25n)).fields).toEqual({ type: 0, gasPrice: 25n });
    await expect(next(old, 24n)).rejects.toMatchObject({ code: 'FEE_TOO_HIGH' });
    const free = { ...old, eth_gasPrice: '0x0', eth_getBalance: '0x0' };
    expect((await next(free)).gasLimit).toBe(1000n);
    expect((await next(free, 60n, 500n)).gasLimit).toBe(500n);
  });

  test('the limit is the balance minus the reserve for other joins', async () => {
    const poor = { eth_getBalance: `0x${(15 * 800).toString(16)}` };
    expect((await next(poor)).gasLimit).toBe(800n);
    expect((await next(poor, 60n, 10_000n, 300n)).gasLimit).toBe(500n);
    expect((await next(poor, 60n, 400n)).gasLimit).toBe(400n);
    expect((await next(poor, 60n, 10_000n, 900n)).gasLimit).toBe(100n);
    expect((await next({}, 60n, 100n)).gasLimit).toBe(100n);
    await expect(next({}, 60n, 99n)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      reason: expect.stringContaining('more gas than the operator'),
    });
  });

  test('are requested once a second', async () => {
    const time = clock();
    const { rpc, asked } = told(answers());
    const fees = feesOf(rpc, manager, { maxGas: 10_000n, maxFee: 60n });
    const prices = async () => {
      await fees.next(gas, 0n);
      return asked.filter((method) => method === 'eth_gasPrice').length;
    };
    expect([await prices(), await prices()]).toEqual([1, 1]);
    time.now += 999;
    expect(await prices()).toBe(1);
    time.now += 1;
    expect(await prices()).toBe(2);
  });

  test('a node that is down is an outage', async () => {
    for (const method of ['eth_gasPrice', 'eth_getBalance', 'eth_getBlockByNumber'])
      await expect(next({ [method]: down })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await next({ eth_maxPriorityFeePerGas: down })).fields.maxPriorityFeePerGas).toBe(25n);
  });
});

describe('the gas of a group', () => {
  /** A group whose estimates are answered by hand. */
  function group() {
    const gas = new GroupGas();
    const asked: { resolve(gas: bigint): void; reject(error: Error): void }[] = [];
    const ask = () => new Promise<bigint>((resolve, reject) => asked.push({ resolve, reject }));
    return { gas, asked, at: (size: number) => gas.estimate(size, ask) };
  }

  test('is estimated once for a burst, and again in the background when the group has doubled', async () => {
    const { asked, at } = group();
    const burst = Promise.all(Array.from({ length: 50 }, () => at(5)));
    expect(asked).toHaveLength(1);
    asked[0]?.resolve(200n);
    expect(new Set(await burst)).toEqual(new Set([200n]));
    expect([await at(7), asked.length]).toEqual([200n, 1]);
    expect([await at(8), await at(9), asked.length]).toEqual([200n, 200n, 2]);
    asked[1]?.resolve(300n);
    await expect.poll(() => at(15)).toBe(300n);
    expect([await at(16), asked.length]).toEqual([300n, 3]);
    asked[2]?.resolve(100n);
    await expect.poll(async () => [await at(16), asked.length]).toEqual([300n, 3]);
  });

  test('without an answer is more than any Semaphore group needs, and the next join asks again', async () => {
    const { asked, at } = group();
    const first = at(5);
    asked[0]?.reject(down);
    expect(await first).toBe(500_000n);
    const second = at(5);
    asked[1]?.resolve(200n);
    expect([await second, asked.length]).toEqual([200n, 2]);
  });

  test('is at least the estimate for a join that ran out of gas', async () => {
    const { gas, asked, at } = group();
    const first = at(5);
    asked[0]?.resolve(200n);
    await first;
    expect(await gas.again(async () => 900n)).toBe(900n);
    expect(await gas.again(async () => 100n)).toBe(900n);
    expect(await at(6)).toBe(900n);
  });
});

test('gas grows with the bits of the place, and a revert for want of it uses nearly all', () => {
  expect(joinGas(1000n, 0, 0)).toEqual({ wanted: 1000n + 12n * 40_000n, needed: 1000n + 2n * 40_000n });
  expect(joinGas(1000n, 3, 4)).toEqual({ wanted: 1000n + 12n * 40_000n, needed: 1000n + 4n * 40_000n });
  expect(joinGas(1000n, 4, 4).needed).toBe(1000n + 5n * 40_000n);
  expect(joinGas(1000n, 1000, 24).wanted).toBe(1000n + 13n * 40_000n);
  expect(affordable({ wanted: 9n, needed: 5n }, 9n)).toBe(9n);
  expect(affordable({ wanted: 9n, needed: 5n }, 5n)).toBe(5n);
  expect(ranOut({ status: 0, gasUsed: '60' }, 64n)).toBe(true);
  expect(ranOut({ status: 0, gasUsed: '59' }, 64n)).toBe(false);
});

describe('surveys of a factory', () => {
  const at = (nonce: number) => getCreateAddress({ from: semaphore, nonce });

  test('is known by the count of its creations, each read once', async () => {
    let count = 2;
    const { rpc, asked } = told({ eth_getTransactionCount: () => `0x${count.toString(16)}` });
    const made = madeBy(rpc, [semaphore]);
    expect([await made(at(0)), await made(at(1)), asked.length]).toEqual([true, true, 1]);
    expect([await made(at(2)), asked.length]).toEqual([false, 2]);
    count = 3;
    expect([await made(at(2)), asked.length]).toEqual([true, 3]);
    expect(await madeBy(rpc, [])(at(0))).toBe(false);
  });

  test('is unknown while the node is down', async () => {
    await expect(
      madeBy(told({ eth_getTransactionCount: down }).rpc, [semaphore])(at(0)),
    ).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});
