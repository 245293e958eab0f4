/** Following a group on simulated chains that grow, fork and refuse. */

import { hexlify, randomBytes } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpRpc, type Rpc, RpcError, Unreachable } from '../../../src/jsonrpc/rpc.js';
import { birthBlock, semaphoreContract } from '../../../src/survey/chain/contracts.js';
import {
  GroupFollower,
  type IndexMemory,
  type Remembered,
  storedMemory,
} from '../../../src/survey/chain/follow.js';
import { GroupIndex } from '../../../src/survey/chain/group-index.js';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import { bounded } from '../../peers/bounded.js';
import { seed } from '../../seed.js';
import { rpcAnswer, stub } from '../server/support.js';

fc.configureGlobal({ seed });

const semaphore = `0x${'5e'.repeat(20)}`;

/** What a block does to the group. */
type Step = { readonly add: number } | { readonly set: number; readonly to: number };
interface Block {
  readonly hash: string;
  readonly steps: readonly Step[];
}

/** A chain of blocks with one group, answering as a node does. */
class FakeChain {
  blocks: Block[] = [{ hash: hexlify(randomBytes(32)), steps: [] }];
  /** Refuses wider ranges, as public nodes do. */
  widest = Number.POSITIVE_INFINITY;
  asked: string[] = [];
  /** Runs before an answer, to change the chain under the reader. */
  meddle: (method: string) => void = () => undefined;

  mine(steps: readonly Step[]): void {
    this.blocks.push({ hash: hexlify(randomBytes(32)), steps });
  }

  /** Leaves the request after so many others without an answer. */
  async unanswered(after: number, ask: () => Promise<unknown>): Promise<void> {
    this.meddle = () => {
      if (after-- === 0) throw new Unreachable('silent');
    };
    await ask().catch((error: unknown) => expect(error).toBeInstanceOf(Unreachable));
    this.meddle = () => undefined;
  }

  leaves(): string[] {
    const leaves: string[] = [];
    for (const { steps } of this.blocks) {
      for (const step of steps) {
        if ('add' in step) leaves.push(String(step.add));
        else if (leaves.length > 0) leaves[step.set % leaves.length] = String(step.to);
      }
    }
    return leaves;
  }

  readonly rpc: Rpc = async (method, params) => {
    this.asked.push(method);
    this.meddle(method);
    switch (method) {
      case 'eth_getBlockByNumber': {
        const number = params[0] === 'latest' ? this.blocks.length - 1 : Number(params[0]);
        const block = this.blocks[number];
        return block === undefined ? null : { number: `0x${number.toString(16)}`, hash: block.hash };
      }
      case 'eth_getLogs':
        return this.#logs(params[0] as { fromBlock: string; toBlock: string });
      case 'eth_call': {
        const size = this.leaves().length;
        return semaphoreContract.encodeFunctionResult('getMerkleTreeSize', [size]);
      }
      default:
        throw new RpcError(-32601, 'the method does not exist', '0x');
    }
  };

  #logs({ fromBlock, toBlock }: { fromBlock: string; toBlock: string }): object[] {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    if (to - from + 1 > this.widest) throw new RpcError(-32005, 'range too wide', '0x');
    const logs: object[] = [];
    let size = 0;
    for (const [number, { steps }] of this.blocks.entries()) {
      const inBlock: object[] = [];
      for (const [logIndex, step] of steps.entries()) {
        const log = number >= from && number <= to ? encode(step, size) : null;
        if ('add' in step) size += 1;
        if (log !== null)
          inBlock.push({
            ...log,
            blockNumber: `0x${number.toString(16)}`,
            logIndex: `0x${logIndex.toString(16)}`,
          });
      }
      // Order within an answer is not to be relied on.
      logs.push(...inBlock.reverse());
    }
    return logs;
  }
}

function encode(step: Step, size: number): { topics: string[]; data: string } | null {
  if ('add' in step) return semaphoreContract.encodeEventLog('MemberAdded', [0, size, step.add, 0]);
  if (size === 0) return null;
  const index = step.set % size;
  if (step.to === 0) return semaphoreContract.encodeEventLog('MemberRemoved', [0, index, 0, 0]);
  return semaphoreContract.encodeEventLog('MemberUpdated', [0, index, 0, step.to, 0]);
}

const follow = (chain: FakeChain, from = 0, memory: IndexMemory | null = null) =>
  bounded(new GroupFollower(chain.rpc, { semaphore, groupId: 0n }, from, memory));

function memoryOf(): IndexMemory {
  let kept: Remembered | null = null;
  return {
    load: async () => kept,
    save: async (remembered) => {
      kept = remembered;
    },
  };
}

const step = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 1000 }) }),
  fc.record({ set: fc.nat(50), to: fc.integer({ min: 0, max: 1000 }) }),
);
const action = fc.oneof(
  fc.record({ mine: fc.array(step, { maxLength: 4 }) }),
  fc.record({ drop: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ unanswered: fc.nat(8) }),
  fc.constantFrom('look' as const, 'restart' as const, 'crash' as const),
);

test('after any growth, any fork and any unanswered request the leaves equal those of the chain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      async (actions, widest) => {
        const chain = new FakeChain();
        chain.widest = widest;
        const memory = memoryOf();
        let follower = follow(chain, 0, memory);
        for (const one of [...actions, 'look' as const]) {
          if (typeof one !== 'string') {
            if ('mine' in one) chain.mine(one.mine);
            else if ('unanswered' in one) await chain.unanswered(one.unanswered, () => follower.leaves());
            else chain.blocks.splice(Math.max(1, chain.blocks.length - one.drop));
            continue;
          }
          if (one === 'look') expect(await follower.leaves()).toEqual(chain.leaves());
          if (one === 'restart') await follower.save();
          if (one !== 'look') follower = follow(chain, 0, memory);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a fork deeper than the kept blocks is read from the start', async () => {
  const chain = new FakeChain();
  const follower = follow(chain);
  for (let n = 1; n <= 150; n++) {
    chain.mine([{ add: n }]);
    await follower.leaves();
  }
  chain.blocks.splice(10);
  chain.mine([{ add: 9999 }]);
  expect(await follower.leaves()).toEqual(chain.leaves());
});

test('a restart reads only the blocks since', async () => {
  const chain = new FakeChain();
  const memory = storedMemory(await openSqlite(':memory:', Buffer.alloc(32)), 1001, {
    semaphore,
    groupId: 0n,
  });
  for (let n = 1; n <= 20; n++) chain.mine([{ add: n }]);
  const first = follow(chain, 0, memory);
  await first.leaves();
  await first.save();
  chain.widest = 1;
  chain.asked = [];
  chain.mine([{ set: 3, to: 0 }]);
  expect(await follow(chain, 0, memory).leaves()).toEqual(chain.leaves());
  expect(chain.asked.filter((method) => method === 'eth_getLogs')).toHaveLength(1);
});

test('an unchanged group costs one request and returns the same array', async () => {
  const chain = new FakeChain();
  chain.mine([{ add: 1 }]);
  const follower = follow(chain);
  const first = await follower.leaves();
  chain.asked = [];
  expect(await follower.leaves()).toBe(first);
  expect(chain.asked).toEqual(['eth_getBlockByNumber']);
  chain.mine([]);
  expect(await follower.leaves()).toBe(first);
});

test('a chain that forks while it is read is read again, a limited number of times', async () => {
  const chain = new FakeChain();
  chain.mine([{ add: 1 }]);
  const follower = follow(chain);
  let forks = 0;
  chain.meddle = (method) => {
    if (method !== 'eth_getLogs' || forks === 0) return;
    forks -= 1;
    chain.blocks.pop();
    chain.mine([{ add: 100 + forks }]);
  };
  forks = 2;
  expect(await follower.leaves()).toEqual(['100']);
  forks = 1000;
  chain.mine([]);
  await expect(follower.leaves()).rejects.toThrow('could not be read completely');
});

test('events that do not add up to the tree are an error, never a shorter list', async () => {
  const chain = new FakeChain();
  chain.mine([{ add: 1 }]);
  chain.mine([{ add: 2 }]);
  await expect(follow(chain, 2).leaves()).rejects.toThrow(Refused);
  const silent: Rpc = async (method, params) => (method === 'eth_getLogs' ? [] : chain.rpc(method, params));
  const follower = bounded(new GroupFollower(silent, { semaphore, groupId: 0n }, 0));
  await expect(follower.leaves()).rejects.toMatchObject({ reason: 'the events hold 0 members, the tree 2' });
});

test('a saved list that lacks members is read from the chain again', async () => {
  for (const isAdded of [false, true]) {
    const chain = new FakeChain();
    chain.mine([{ add: 1 }, { add: 2 }]);
    const tip = { block: 1, hash: chain.blocks[1]?.hash ?? '' };
    if (isAdded) chain.mine([{ add: 3 }]);
    const memory = { load: async () => ({ tip, leaves: ['1'] }), save: async () => undefined };
    const follower = follow(chain, 0, memory);
    await expect(follower.leaves()).rejects.toThrow('could not be read completely');
    expect(await follower.leaves()).toEqual(chain.leaves());
  }
});

test('a node that refuses even one block is an error', async () => {
  const chain = new FakeChain();
  chain.widest = 0;
  await expect(follow(chain).leaves()).rejects.toThrow(RpcError);
});

test('where a contract appeared is found by halving, unless old states are gone', async () => {
  const asked: number[] = [];
  const rpc: Rpc = async (_, [, block]) => {
    asked.push(Number(block));
    return Number(block) >= 123_456 ? '0x60' : '0x';
  };
  expect(await birthBlock(rpc, semaphore, 200_000_000)).toBe(123_456);
  expect(asked.length).toBeLessThan(30);
  const pruned: Rpc = async () => {
    throw new RpcError(-32000, 'missing trie node', '0x');
  };
  expect(await birthBlock(pruned, semaphore, 1000)).toBeNull();
});

test('a node that is silent, sends HTML or errors is reported as unavailable', async () => {
  const ask = (url: string) => httpRpc(url, 200)('eth_chainId', []);
  await expect(ask('http://127.0.0.1:1')).rejects.toThrow(Unreachable);
  await expect(ask((await stub(() => 'silence')).url)).rejects.toThrow(Unreachable);
  await expect(ask((await stub(() => ({ body: '<html>' }))).url)).rejects.toThrow(Unreachable);
  const error = '"error":{"code":-32603,"message":"x","data":{"data":"0x258a195a"}}';
  await expect(ask((await stub((heard) => rpcAnswer(heard, error))).url)).rejects.toMatchObject({
    code: -32603,
    data: '0x258a195a',
  });
});

test('leaves are undone, a changed one gets its former value, and a gap changes nothing', () => {
  const index = new GroupIndex();
  const added = (block: number, at: number, ...leaves: string[]) =>
    ({ block, logIndex: 0, event: { kind: 'added', index: at, leaves } }) as const;
  const set = (block: number, logIndex: number, at: number, leaf: string) =>
    ({ block, logIndex, event: { kind: 'set', index: at, leaf } }) as const;
  const to = (block: number) => ({ block, hash: `0x${block}` });
  expect([index.tip, index.leaves(), index.size]).toEqual([null, [], 0]);
  expect(index.advance([added(1, 0, '5', '6')], to(1))).toBe(true);
  expect(index.advance([set(2, 1, 1, '8'), set(2, 0, 1, '7')], to(2))).toBe(true);
  expect(index.leaves()).toEqual(['5', '8']);
  for (const gap of [added(3, 3, '9'), added(3, 1, '9'), set(3, 0, 2, '9')])
    expect([index.advance([set(3, 0, 0, '4'), gap], to(3)), index.leaves()]).toEqual([false, ['5', '8']]);
  expect(index.tip).toEqual(to(2));
  index.retreat();
  expect([index.leaves(), index.tip]).toEqual([['5', '6'], to(1)]);
  index.retreat();
  expect([index.leaves(), index.tip]).toEqual([[], null]);
  index.restore(['1', '2'], to(9));
  expect(index.advance([set(10, 0, 0, '0')], to(10))).toBe(true);
  index.retreat();
  expect([index.leaves(), index.tip, index.size]).toEqual([['1', '2'], to(9), 2]);
});

test('at least the last 64 blocks that were read can be stepped back over', () => {
  const index = new GroupIndex();
  const hash = '0x';
  for (let block = 0; block < 200; block++)
    index.advance([{ block, logIndex: 0, event: { kind: 'added', index: block, leaves: ['1'] } }], {
      block,
      hash,
    });
  for (let block = 198; block >= 136; block--) {
    index.retreat();
    expect([index.tip?.block, index.size]).toEqual([block, block + 1]);
  }
});

test('the memory is written after 256 events, or a sixteenth of a large group, and after none of fewer', async () => {
  /** What was saved, by its size, as a group of so many members grows by these, a block each. */
  const savedAs = async (size: number, ...growth: number[]) => {
    const saved: number[] = [];
    const leaves = Array.from({ length: size }, () => '1');
    const memory: IndexMemory = {
      load: async () => ({ tip: { block: 0, hash: '0x0' }, leaves }),
      save: async ({ leaves }) => void saved.push(leaves.length),
    };
    let head = 0;
    const logs: object[] = [];
    const rpc: Rpc = async (method, [first]) => {
      if (method === 'eth_getLogs') return logs;
      if (method === 'eth_call') return semaphoreContract.encodeFunctionResult('getMerkleTreeSize', [size]);
      const block = first === 'latest' ? head : Number(first);
      return { number: `0x${block.toString(16)}`, hash: `0x${block}` };
    };
    const follower = bounded(new GroupFollower(rpc, { semaphore, groupId: 0n }, 0, memory));
    for (const count of growth) {
      head += 1;
      logs.length = 0;
      for (let n = 0; n < count; n++) {
        const log = semaphoreContract.encodeEventLog('MemberAdded', [0, size + n, 1, 0]);
        logs.push({ ...log, blockNumber: `0x${head.toString(16)}`, logIndex: `0x${n.toString(16)}` });
      }
      size += count;
      await follower.leaves();
      saved.push(-1);
    }
    return saved;
  };
  expect(await savedAs(0, 255, 1, 255, 1)).toEqual([-1, 256, -1, -1, 512, -1]);
  expect(await savedAs(4800, 290, 29, 1)).toEqual([-1, -1, 5120, -1]);
});

test('a group without members is cached as an empty group', async () => {
  const storage = await openSqlite(':memory:', Buffer.alloc(32));
  const [memory, other] = [0n, 1n].map((groupId) => storedMemory(storage, 1001, { semaphore, groupId }));
  expect(await memory?.load()).toBeNull();
  const tip = { block: 7, hash: '0x7' };
  await memory?.save({ tip, leaves: [] });
  expect(await memory?.load()).toEqual({ tip, leaves: [] });
  await memory?.save({ tip: { block: 8, hash: '0x8' }, leaves: ['1', '0'] });
  expect(await memory?.load()).toEqual({ tip: { block: 8, hash: '0x8' }, leaves: ['1', '0'] });
  expect(await other?.load()).toBeNull();
  await storage.close();
});
