import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inOrder } from '../../src/node/commands/fleet.js';
import { openSpool } from '../../src/node/commands/spool.js';

describe('a spool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-spool-'));
  beforeEach(() => vi.stubEnv('TMPDIR', folder));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(folder, { recursive: true }));

  const things = Array.from({ length: 3_000 }, (_, at) => ({ at, text: `“thing” ${at}\n` }));

  async function filled() {
    const spool = openSpool<(typeof things)[number]>(() => 1);
    for (const one of things) await spool.push(one);
    return spool;
  }

  test('gives back what was put in, in its order, as often as it is read, also by two at once', async () => {
    const spool = await filled();
    const read = () => collect(spool);
    expect(await Promise.all([read(), read()])).toEqual([things, things]);
    expect(await read()).toEqual(things);
    spool.close();
  });

  test('has no name in the folder for temporary files, while it is open and after', async () => {
    const spool = await filled();
    expect(readdirSync(folder)).toEqual([]);
    spool.close();
    expect(await collect(spool)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('where no file can be made it stays in memory', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    const spool = await filled();
    expect(await collect(spool)).toEqual(things);
    spool.close();
  });
});

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const one of all) items.push(one);
  return items;
}

describe('work in order', () => {
  test('is done so many at a time and given in the order of the items, whoever is done first', async () => {
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

  test('holds no more than a window: the rest begins when results are taken', async () => {
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

  test('a failure is thrown in its turn', async () => {
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
