/** Sending through nodes that stop answering, drop transactions, or are shared with another program. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transaction } from 'ethers/transaction';
import { Wallet } from 'ethers/wallet';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Rpc, RpcError, Unreachable } from '../../../src/jsonrpc/rpc.js';
import { affordable, amplerGas, feesOf, joinGas, ranOut } from '../../../src/survey/chain/fees.js';
import { Outbox } from '../../../src/survey/chain/outbox.js';
import { Sender } from '../../../src/survey/chain/sender.js';
import { Outage, Refused } from '../../../src/survey/protocol/refused.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { bounded } from '../../peers/bounded.js';

const key = `0x${'42'.repeat(32)}`;
const to = '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f';

/** A node with one account: takes transactions in the order of their nonces and mines them at once. */
class FakeNode {
  count = 5;
  mined = new Map<string, Transaction>();
  head = 1;
  baseFee: string | undefined = '0x7';
  tip = true;
  balance = 10n ** 18n;
  /** Runs on each eth_sendRawTransaction, before or instead of the node. */
  onSend: (take: () => void) => void = (take) => take();
  sends = 0;

  readonly rpc: Rpc = async (method, [first]) => {
    switch (method) {
      case 'eth_getTransactionCount':
        return `0x${this.count.toString(16)}`;
      case 'eth_getBalance':
        return `0x${this.balance.toString(16)}`;
      case 'eth_blockNumber':
        return `0x${this.head.toString(16)}`;
      case 'eth_gasPrice':
        return '0x19';
      case 'eth_maxPriorityFeePerGas':
        if (this.tip) return '0x1';
        throw new RpcError(-32601, 'the method does not exist', '0x');
      case 'eth_getBlockByNumber':
        return { baseFeePerGas: this.baseFee };
      case 'eth_sendRawTransaction':
        this.sends += 1;
        this.onSend(() => this.#take(Transaction.from(String(first))));
        return '0x';
      case 'eth_getTransactionReceipt':
        return this.#receipt(String(first));
      case 'eth_getTransactionByHash':
        return this.mined.has(String(first)) ? {} : null;
      default:
        throw new Error(method);
    }
  };

  #take(transaction: Transaction): void {
    if (this.mined.has(transaction.hash ?? '')) throw new RpcError(-32000, 'already known', '0x');
    if (transaction.nonce < this.count) throw new RpcError(-32003, 'nonce too low', '0x');
    if (transaction.nonce > this.count) return;
    this.count += 1;
    this.mined.set(transaction.hash ?? '', transaction);
  }

  #receipt(hash: string): object | null {
    const transaction = this.mined.get(hash);
    if (transaction === undefined) return null;
    const { from } = transaction;
    return { transactionHash: hash, from, to, status: '0x1', logs: [], blockNumber: '0x1', gasUsed: '0x1' };
  }
}

const spending = { maxGas: 3_000_000n, maxFee: 1_000n };
/** A sender with the test's store, or a new one. */
async function sender(
  node: FakeNode,
  timeoutMs = 2000,
  kept?: Storage,
  errors: string[] = [],
): Promise<Sender> {
  const storage = kept ?? (await memory());
  const settings = { chainId: 1001, timeoutMs, spending, storage };
  return bounded(
    new Sender(node.rpc, new Wallet(key), { ...settings, onError: (code) => void errors.push(code) }),
  );
}

async function memory(): Promise<Storage> {
  const storage = await openSqlite(':memory:', Buffer.alloc(32));
  onTestFinished(() => storage.close());
  return storage;
}

const call = { to, data: '0x', commitment: '1', gas: { wanted: 400_000n, needed: 100_000n } };

test('problems of the writer are reported as codes, and the queue is sent afterwards', async () => {
  const node = new FakeNode();
  const { rpc } = node;
  const refusals = [new RpcError(-32005, 'at 10.0.0.7', '0x'), new Unreachable('at 10.0.0.7')];
  const failing: Rpc = async (method, params) => {
    const error = method === 'eth_blockNumber' ? refusals.shift() : undefined;
    if (error !== undefined) throw error;
    return rpc(method, params);
  };
  const errors: string[] = [];
  const one = await sender(Object.assign(node, { rpc: failing }), 10_000, undefined, errors);
  await one.send(call);
  await expect.poll(() => errors).toEqual(['RPC_-32005', 'UNREACHABLE']);
  expect((await one.send(call)).receipt.status).toBe(1);
});

test('a fee that rose since it was read is read again: the join is sent, or refused with when to try again', async () => {
  const node = new FakeNode();
  const one = await sender(node);
  await one.send(call);
  const rise = (baseFee: string) => {
    node.onSend = (take) => {
      if (node.baseFee === baseFee) return take();
      node.baseFee = baseFee;
      throw new RpcError(-32000, 'max fee per gas less than block base fee: 0x…', '0x');
    };
  };
  rise('0x64');
  expect((await one.send(call)).receipt.status).toBe(1);
  expect([...node.mined.values()].at(-1)?.maxFeePerGas).toBe(201n);
  rise('0x3e9');
  await expect(one.send(call)).rejects.toMatchObject({ code: 'FEE_TOO_HIGH' });
});

test('a transaction that the node rejected is not sent again while another attempt or a refusal is on its way', async () => {
  const node = new FakeNode();
  const { rpc } = node;
  let checks = 0;
  // Fees are read until the loop that checks sent transactions has begun twice.
  const slow: Rpc = async (method, params) => {
    if (method === 'eth_blockNumber') checks += 1;
    if (method === 'eth_getBlockByNumber' && node.sends > 1)
      await expect.poll(() => checks).toBeGreaterThan(2);
    return rpc(method, params);
  };
  const one = await sender(Object.assign(node, { rpc: slow }), 60_000);
  await one.send(call);
  node.onSend = (take) => {
    if (node.baseFee === '0x3e9') return take();
    node.baseFee = '0x3e9';
    checks = 0;
    throw new RpcError(-32000, 'max fee per gas less than block base fee: 0x…', '0x');
  };
  await expect(one.send(call)).rejects.toMatchObject({ code: 'FEE_TOO_HIGH' });
  await expect.poll(() => checks).toBeGreaterThan(4);
  expect([node.sends, node.mined.size]).toEqual([2, 1]);
});

test('slow receipts do not delay later joins', async () => {
  const node = new FakeNode();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { rpc } = node;
  let looks = 0;
  const slow: Rpc = async (method, params) => {
    if (method === 'eth_blockNumber') {
      looks += 1;
      await asked;
    }
    return rpc(method, params);
  };
  const one = await sender(Object.assign(node, { rpc: slow }), 10_000);
  await one.send(call);
  await expect.poll(() => looks).toBe(1);
  expect((await one.send({ ...call, commitment: '2' })).receipt.status).toBe(1);
  expect(looks).toBe(1);
  answer();
});

test('a transaction that is final before its receipt was read is answered', async () => {
  const node = new FakeNode();
  node.head = 100;
  const { rpc } = node;
  let looks = 0;
  const slow: Rpc = async (method, params) => {
    if (method !== 'eth_getTransactionReceipt' || ++looks > 1) return rpc(method, params);
    await expect.poll(() => one.pending()).toBe(0);
    return null;
  };
  const one = await sender(Object.assign(node, { rpc: slow }), 20_000);
  expect((await one.send(call)).receipt.status).toBe(1);
  expect(await one.pending()).toBe(0);
});

test('fifty concurrent joins get fifty consecutive nonces', async () => {
  const node = new FakeNode();
  const one = await sender(node, 20_000);
  await Promise.all(Array.from({ length: 50 }, () => one.send(call)));
  expect([...node.mined.values()].map(({ nonce }) => nonce)).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 5),
  );
});

test('three concurrent joins are sent once each with consecutive nonces', async () => {
  const node = new FakeNode();
  const one = await sender(node);
  await Promise.all([1, 2, 3].map(() => one.send(call)));
  expect([...node.mined.values()].map(({ nonce }) => nonce)).toEqual([5, 6, 7]);
  expect(node.sends).toBe(3);
});

test('a transaction is final after eight more blocks, and not before', async () => {
  const node = new FakeNode();
  const one = await sender(node);
  const { receipt } = await one.send(call);
  const { signal } = new AbortController();
  let looks = 0;
  const { rpc } = node;
  const counted: Rpc = (method, params) => {
    if (method === 'eth_getTransactionReceipt') looks += 1;
    return rpc(method, params);
  };
  const kept = await memory();
  const settings = { chainId: 1001, timeoutMs: 2000, spending, storage: kept, onError: () => undefined };
  const two = bounded(new Sender(counted, new Wallet(key), settings));
  node.head = 8;
  const sent = (await two.send({ ...call, data: '0x02' })).receipt;
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 1);
  expect([await two.pending(), await one.pending()]).toEqual([1, 1]);
  const end = AbortSignal.abort();
  expect(await two.final(sent.hash, end)).toBe(false);
  node.head = 9;
  expect(await two.final(sent.hash, signal)).toBe(true);
  expect(await one.final(receipt.hash, signal)).toBe(true);
  expect([await two.pending(), await two.final('0xother', signal)]).toEqual([0, true]);
});

test('a transaction is sent once to a node that accepts it and stops answering', async () => {
  const node = new FakeNode();
  let silent = 2;
  node.onSend = (take) => {
    take();
    if (silent-- > 0) throw new Unreachable('silent');
  };
  expect((await (await sender(node)).send(call)).receipt.status).toBe(1);
  expect([node.mined.size, node.sends]).toEqual([1, 1]);
});

test('a transaction is sent again until the deadline if the node does not answer', async () => {
  const node = new FakeNode();
  let silent = 3;
  node.onSend = (take) => {
    if (silent-- > 0) throw new Unreachable('silent');
    take();
  };
  expect((await (await sender(node, 10_000)).send(call)).receipt.status).toBe(1);
});

test('a join that is withdrawn before it is sent is never sent', async () => {
  const node = new FakeNode();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { rpc } = node;
  const slow: Rpc = async (method, params) => {
    if (method === 'eth_getTransactionCount') await asked;
    return rpc(method, params);
  };
  const queue = await sender(Object.assign(node, { rpc: slow }), 3000);
  const given = queue.send({ to, data: '0x', commitment: '1', gas: { wanted: 100n, needed: 100n } });
  await expect(given).rejects.toMatchObject({ code: 'BUSY' });
  answer();
  await queue.send({ to, data: '0x02', commitment: '2', gas: { wanted: 100n, needed: 100n } });
  expect([...node.mined.values()].map(({ data }) => data)).toEqual(['0x02']);
});

test('a node that refuses while it cannot say whether it has the transaction has it, until it says', async () => {
  const node = new FakeNode();
  let away = true;
  node.onSend = (take) => {
    if (!away) return take();
    take();
    throw new RpcError(-32003, 'nonce too low', '0x');
  };
  const { rpc } = node;
  const away_: Rpc = async (method, params) => {
    if (method === 'eth_getTransactionByHash' && away) throw new Unreachable('gone');
    return rpc(method, params);
  };
  const queue = await sender(Object.assign(node, { rpc: away_ }));
  const sent = queue.send({ to, data: '0x', commitment: '1', gas: { wanted: 100n, needed: 100n } });
  await expect(sent).resolves.toMatchObject({ receipt: { status: 1 } });
  away = false;
  expect(node.mined.size).toBe(1);
});

test('a join that is not mined in time is reported as sent, and blocks no later join', async () => {
  const node = new FakeNode();
  node.onSend = () => undefined;
  const one = await sender(node, 2000);
  await expect(one.send(call)).rejects.toMatchObject({ code: 'TIMEOUT' });
  node.onSend = (take) => take();
  expect((await one.send(call)).receipt.status).toBe(1);
});

test('the next process resends the joins of a killed process with the same nonces', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-outbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = () => openSqlite(join(folder, 'a.db'), Buffer.alloc(32));
  const node = new FakeNode();
  node.onSend = () => undefined;
  const before = await open();
  const lost = await (await sender(node, 300, before)).send(call).catch((error: Refused) => error);
  expect(lost).toMatchObject({ code: 'TIMEOUT', facts: { transactionHash: expect.stringMatching(/^0x/) } });
  await before.close();
  node.onSend = (take) => take();
  const after = await open();
  onTestFinished(() => after.close());
  const next = await sender(node, 5000, after);
  expect(await next.outbox.commitments(to)).toEqual(['1']);
  await expect.poll(() => node.mined.size).toBe(1);
  expect([...node.mined.keys()]).toEqual([(lost as Refused).facts.transactionHash]);
  await next.send({ ...call, commitment: '2' });
  expect([...node.mined.values()].map(({ nonce }) => nonce)).toEqual([5, 6]);
});

test('a transaction that a reorganisation took away is mined again; under a new nonce where its own is used', async () => {
  const node = new FakeNode();
  const one = await sender(node);
  const { receipt } = await one.send(call);
  node.mined.clear();
  node.count = 5;
  await expect.poll(() => [...node.mined.keys()]).toEqual([receipt.hash]);
  node.mined.clear();
  await expect.poll(() => [...node.mined.values()].map(({ nonce }) => nonce)).toEqual([6]);
});

/** The system's clock, at the given time from now on. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

test('a reorganisation removes final transactions too, and all are sent again', async () => {
  const node = new FakeNode();
  const one = await sender(node);
  const hashes: string[] = [];
  for (const commitment of ['1', '2', '3'])
    hashes.push((await one.send({ ...call, commitment })).receipt.hash);
  node.head = 100;
  await expect.poll(() => one.pending()).toBe(0);
  node.mined.clear();
  node.count = 6;
  await expect.poll(() => [...node.mined.keys()].toSorted()).toEqual(hashes.slice(1).toSorted());
});

test('a transaction that its node swallows goes to every node, then with higher fees up to the limit', async () => {
  const node = new FakeNode();
  node.onSend = () => undefined;
  const sent: Transaction[] = [];
  let isOpen = false;
  const everywhere: Rpc = async (method, params) => {
    const transaction = Transaction.from(String(params[0]));
    if (sent.at(-1)?.hash !== transaction.hash) sent.push(transaction);
    if (isOpen) node.onSend = (take) => take();
    return node.rpc(method, params);
  };
  const storage = await memory();
  const settings = {
    chainId: 1001,
    timeoutMs: 20_000,
    spending,
    storage,
    everywhere,
    onError: () => undefined,
  };
  const one = bounded(new Sender(node.rpc, new Wallet(key), settings));
  const joined = one.send(call);
  await expect.poll(async () => (await one.backlog()).unminedSeconds).toBe(0);
  later(6000);
  await expect.poll(() => sent.length).toBe(1);
  expect((await one.backlog()).unminedSeconds).toBeGreaterThanOrEqual(6);
  later(61_000);
  await expect.poll(() => sent.length).toBe(2);
  const [first, second] = sent;
  expect(second).toMatchObject({ nonce: first?.nonce, data: first?.data, to });
  for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
    expect(Number(second?.[name])).toBeGreaterThanOrEqual(Number(first?.[name]) * 1.1);
  isOpen = true;
  expect((await joined).receipt.hash).toBe(second?.hash);
  await expect.poll(async () => (await one.backlog()).unminedSeconds).toBeNull();
});

test('fees are never raised above the operator’s limit', async () => {
  const { rpc } = Object.assign(new FakeNode(), { baseFee: '0x1f4' });
  const wallet = new Wallet(key);
  const signed = (maxFeePerGas: bigint) =>
    wallet.signTransaction({ to, type: 2, chainId: 1001, maxFeePerGas, maxPriorityFeePerGas: 1n });
  const fees = feesOf(rpc, wallet.address, spending);
  expect(await fees.replacement(await signed(800n))).toMatchObject({
    maxFeePerGas: 1000n,
    maxPriorityFeePerGas: 2n,
  });
  expect(await fees.replacement(await signed(890n))).toBeNull();
});

test('a nonce used elsewhere is replaced; if every nonce is used, the join is refused without a transaction', async () => {
  const node = new FakeNode();
  let races = 10;
  node.onSend = (take) => {
    if (races-- > 0) throw new RpcError(-32003, 'nonce too low', '0x');
    take();
  };
  const one = await sender(node, 20_000);
  expect((await one.send(call)).receipt.status).toBe(1);
  races = 1000;
  const refused = await one.send(call).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'SERVER_ERROR', reason: expect.stringContaining('used elsewhere') });
  expect(JSON.stringify(refused)).not.toMatch(/0x02f8|0xf8/);
  races = 0;
  expect((await one.send(call)).receipt.status).toBe(1);
});

test('fees fit the chain: with a base fee, without a tip, without either', async () => {
  const fees = async (change: Partial<FakeNode>) => {
    const node = Object.assign(new FakeNode(), change);
    await (await sender(node)).send(call);
    const [sent] = node.mined.values();
    return [sent?.type, sent?.maxFeePerGas ?? sent?.gasPrice, sent?.maxPriorityFeePerGas];
  };
  expect(await fees({})).toEqual([2, 15n, 1n]);
  expect(await fees({ tip: false })).toEqual([2, 39n, 25n]);
  expect(await fees({ baseFee: undefined })).toEqual([0, 25n, null]);
});

test('gas covers the possible index of a join, as far as the balance allows', () => {
  // 127 others at once after a listing of one member: the 128th may have seven set bits.
  expect(joinGas(175_000n, 1, 127).needed).toBeGreaterThanOrEqual(146_000n + 7n * 28_600n);
  const range = joinGas(146_000n, 100, 28);
  expect(range.needed).toBeGreaterThanOrEqual(146_000n + 7n * 28_600n);
  expect(range.wanted).toBeGreaterThanOrEqual(146_000n + 11n * 28_600n);
  expect(amplerGas(146_000n).needed).toBeGreaterThanOrEqual(146_000n + 32n * 28_600n);
  expect(
    [10n ** 9n, 450_000n, 1n].map((means) => affordable({ wanted: 500_000n, needed: 400_000n }, means)),
  ).toEqual([500_000n, 450_000n, 400_000n]);
});

test('a revert by lack of gas is recognised by the gas used', () => {
  expect(ranOut({ status: 0, gasUsed: '296000' }, 300_000n)).toBe(true);
  expect(ranOut({ status: 0, gasUsed: '150000' }, 300_000n)).toBe(false);
  expect(ranOut({ status: 1, gasUsed: '300000' }, 300_000n)).toBe(false);
});

test('a small balance lowers the limit to the need, with pending joins counted', async () => {
  const node = Object.assign(new FakeNode(), { balance: 15n * 500_000n });
  const one = await sender(node);
  await Promise.all([one.send(call), one.send(call)]);
  expect([...node.mined.values()].map(({ gasLimit }) => gasLimit)).toEqual([400_000n, 100_000n]);
});

test('gas and fees stay within the operator’s limits', async () => {
  const dear = { ...call, gas: { wanted: 9_000_000n, needed: 2_999_999n } };
  const node = new FakeNode();
  await (await sender(node)).send(dear);
  expect([...node.mined.values()].map(({ gasLimit }) => gasLimit)).toEqual([3_000_000n]);
  const refused = { code: 'UNAVAILABLE', message: 'the join could not be sent' };
  await expect(
    (await sender(node)).send({ ...dear, gas: { wanted: 9_000_000n, needed: 3_000_001n } }),
  ).rejects.toMatchObject(refused);
  await expect(
    (await sender(Object.assign(new FakeNode(), { baseFee: '0x3e9' }))).send(call),
  ).rejects.toMatchObject({ code: 'FEE_TOO_HIGH', message: 'the chain is too expensive now' });
  const capped = Object.assign(new FakeNode(), { baseFee: '0x3e8' });
  await (await sender(capped)).send(call);
  expect([...capped.mined.values()].map(({ maxFeePerGas }) => maxFeePerGas)).toEqual([1_000n]);
});

/** Storage whose methods are replaced by others, if they are named here. */
function changed(storage: Storage, methods: Partial<Storage>): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('a join that is sent at the last moment may be mined yet: it is not reported as unsent', async () => {
  const kept = await memory();
  const signed = { nonce: 5, raw: '0xf8', hash: '0xaa', gas: 300n };
  const racing = changed(kept, {
    async run(sql, ...values) {
      const isWithdrawal = /^DELETE FROM transactions WHERE id = \? AND state/.test(sql);
      if (isWithdrawal) await new Outbox(kept, 'any').markSent(String(values[0]), signed);
      return kept.run(sql, ...values);
    },
  });
  const one = await sender(new FakeNode(), 0, racing);
  await expect(one.send(call)).rejects.toMatchObject({
    code: 'TIMEOUT',
    reason: 'check the member list later; transaction 0xaa',
    facts: { transactionHash: '0xaa' },
  });
  expect(await one.pending()).toBe(1);
});

test('a join that was not sent in time is taken back, and reported as unsent', async () => {
  const node = new FakeNode();
  const noLeader = changed(await memory(), { lead: () => undefined });
  const one = await sender(node, 0, noLeader);
  await expect(one.send(call)).rejects.toMatchObject({ code: 'BUSY' });
  expect([await one.pending(), node.sends]).toEqual([0, 0]);
});

/** Storage where something happens as soon as a transaction is queued. */
function onceQueued(storage: Storage, happens: (id: string) => Promise<unknown>): Storage {
  return changed(storage, {
    lead: () => undefined,
    async run(sql, ...values) {
      const count = await storage.run(sql, ...values);
      if (sql.startsWith('INSERT INTO transactions')) await happens(String(values[0]));
      return count;
    },
  });
}

/** A store whose database is away for these statements about a queued join. */
function away(storage: Storage, isAway: () => boolean, change: Partial<Storage> = {}): Storage {
  const unless = async (about: boolean) => {
    if (about && isAway()) throw new Outage('the store could not be reached', 'its database does not answer');
  };
  return changed(storage, {
    one: (sql, ...values) =>
      unless(sql.includes('FROM transactions WHERE id')).then(() => storage.one(sql, ...values)),
    run: (sql, ...values) =>
      unless(sql.startsWith('DELETE FROM transactions')).then(() => storage.run(sql, ...values)),
    notify: (...about) => unless(true).then(() => storage.notify(...about)),
    ...change,
  });
}

test('a store that is away after a join was queued delays the answer until it is back', async () => {
  const node = new FakeNode();
  let left = 3;
  const one = await sender(
    node,
    60_000,
    away(await memory(), () => left-- > 0),
  );
  expect((await one.send(call)).receipt.status).toBe(1);
  expect(left).toBeLessThan(0);
});

test('a join that is queued while the store is away may still be sent: it is not reported as unsent', async () => {
  const node = new FakeNode();
  const storage = away(await memory(), () => true, { lead: () => undefined });
  const one = await sender(node, 0, storage);
  await expect(one.send(call)).rejects.toMatchObject({ code: 'TIMEOUT' });
});

test('a join that was sent once is not taken back when it is queued again', async () => {
  const node = new FakeNode();
  const kept = await memory();
  const outbox = new Outbox(kept, 'any');
  const signed = { nonce: 5, raw: '0xf8', hash: '0xaa', gas: 300n };
  let queued = '';
  const storage = onceQueued(kept, (id) => {
    queued = id;
    return outbox.markSent(id, signed);
  });
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const rpc: Rpc = async (method, params) => {
    if (method === 'eth_getTransactionReceipt') {
      await outbox.requeue(queued, signed.hash);
      now += 60_000;
    }
    return node.rpc(method, params);
  };
  const settings = { chainId: 1001, timeoutMs: 30_000, spending, storage, onError: () => undefined };
  const one = bounded(new Sender(rpc, new Wallet(key), settings));
  const facts = { transactionHash: '0xaa' };
  await expect(one.send(call)).rejects.toMatchObject({ code: 'TIMEOUT', facts });
  expect(await one.pending()).toBe(1);
});

test('a refused join is reported once and leaves nothing behind', async () => {
  const kept = await memory();
  const refused = new Refused('CALL_EXCEPTION', 'execution reverted', 'Survey is finished');
  const storage = onceQueued(kept, (id) => new Outbox(kept, 'any').refuse(id, refused));
  const one = await sender(new FakeNode(), 2000, storage);
  await expect(one.send(call)).rejects.toMatchObject({
    code: 'CALL_EXCEPTION',
    reason: 'Survey is finished',
  });
  expect(await one.pending()).toBe(0);
});

test('a clock that is set forward by an hour ends no deadline', async () => {
  const node = new FakeNode();
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const hourAhead = Date.now() + 3_600_000;
  const storage = onceQueued(await memory(), async () => clock.mockReturnValue(hourAhead));
  const writing = changed(storage, { lead: (_, lead) => void lead(new AbortController().signal) });
  const one = await sender(node, 20_000, writing);
  expect((await one.send(call)).receipt.status).toBe(1);
  expect(Date.now()).toBe(hourAhead);
});

test('a node that does not answer for a receipt does not extend the deadline, and the refusal names the transaction', async () => {
  const node = new FakeNode();
  const { rpc } = node;
  const stalling: Rpc = async (method, params) =>
    method === 'eth_getTransactionReceipt' ? new Promise(() => undefined) : rpc(method, params);
  const one = await sender(Object.assign(node, { rpc: stalling }), 500);
  const refused = await one.send(call).catch((error: Refused) => error);
  const [hash] = node.mined.keys();
  expect(refused).toMatchObject({
    code: 'TIMEOUT',
    reason: `check the member list later; transaction ${hash}`,
    facts: { transactionHash: hash },
  });
});
