import { describe, expect, test } from 'vitest';
import { inOrder } from '../../../src/node/commands/fleet.js';
import { Spool } from '../../../src/node/commands/spool.js';

test('a spool returns its values in order on every read, also on concurrent reads', async () => {
  // Blocks end at 256 KiB: the values fill some and begin another.
  const things = Array.from({ length: 3_200 }, (_, at) => ({ at, text: `“thing” ${at}\n`.repeat(80) }));
  const spool = new Spool<(typeof things)[number]>();
  for (const one of things.slice(0, 10)) await spool.push(one);
  expect(await collect(spool)).toEqual(things.slice(0, 10));
  for (const one of things.slice(10)) await spool.push(one);
  expect(await Promise.all([collect(spool), collect(spool)])).toEqual([things, things]);
  expect(await collect(spool)).toEqual(things);
});

test('a value of a spool is read by its index, in any order', async () => {
  const spool = new Spool<string>();
  const values = Array.from({ length: 900 }, (_, at) => `${at} `.repeat(300));
  for (const one of values) await spool.push(one);
  for (const at of [0, 899, 450, 449, 451, 0, 898, 1])
    expect((await spool.at(at)).slice(0, 9)).toBe(values[at]?.slice(0, 9));
  for (const [at, one] of values.entries()) expect(await spool.at(at)).toBe(one);
});

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const one of all) items.push(one);
  return items;
}

describe('work in order', () => {
  test('runs with limited concurrency and returns results in the order of the items', async () => {
    const waiting: (() => void)[] = [];
    let [now, most] = [0, 0];
    const work = async (item: number) => {
      most = Math.max(most, ++now);
      // The first of all ends last of those that are begun with it.
      await new Promise<void>((resolve) => {
        if (item === 0) waiting.push(resolve);
        else setImmediate(resolve);
      });
      now -= 1;
      if (item === 20) for (const resolve of waiting) resolve();
      return item;
    };
    const items = Array.from({ length: 40 }, (_, at) => at);
    expect(await collect(inOrder(items, 4, work))).toEqual(items);
    expect(most).toBe(4);
  });

  test('starts at most a window of items ahead of the results taken', async () => {
    let begun = 0;
    const items = Array.from({ length: 5_000 }, (_, at) => at);
    const results = inOrder(items, 8, async (item) => {
      begun += 1;
      return item;
    });
    expect((await results.next()).value).toBe(0);
    expect(begun).toBeLessThan(1_100);
    await results.return(undefined);
  });

  test('a failure is thrown in the order of the items', async () => {
    const taken: number[] = [];
    const run = async () => {
      const work = async (item: number) => {
        if (item === 2) throw new Error('two');
        return item;
      };
      for await (const one of inOrder([0, 1, 2, 3], 4, work)) taken.push(one);
    };
    await expect(run()).rejects.toThrow('two');
    expect(taken).toEqual([0, 1]);
  });
});
