import { expect, test } from 'vitest';
import { parseDuration } from '../../src/util/duration.js';
import { pooled } from '../../src/util/pool.js';

test('results come in the order of the items, however long each takes', async () => {
  const releases: (() => void)[] = [];
  const running = pooled(
    [0, 1, 2],
    3,
    (item) => new Promise<number>((resolve) => releases.push(() => resolve(item))),
  );
  for (const release of releases.toReversed()) release();
  expect(await running).toEqual([0, 1, 2]);
});

test('no more than the limit run at once, and all do run', async () => {
  let now = 0;
  let most = 0;
  const items = Array.from({ length: 50 }, (_, at) => at);
  const results = await pooled(items, 7, async (item) => {
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    return item * 2;
  });
  expect(most).toBe(7);
  expect(results).toEqual(items.map((item) => item * 2));
  expect(await pooled([], 7, async () => 1)).toEqual([]);
});

test('an error ends it', async () => {
  await expect(pooled([1, 2], 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test.each([
  ['5s', 5000],
  ['800ms', 800],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['3', 3000],
  [' 1s ', 1000],
  ['', null],
  ['-1s', null],
  ['5 s', null],
  ['1d', null],
  ['1e3', null],
])('%j is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
