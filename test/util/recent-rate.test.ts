import { expect, test } from 'vitest';
import { recentRate } from '../../src/util/recent-rate.js';

test('the rate is that of the last 30 s, not the average since the start', () => {
  const rate = recentRate(1_000_000);
  const after = (seconds: number, done: number) => rate(done, 1_000_000 + 1000 * seconds);
  expect(after(0, 0)).toBe(0);
  expect(after(10, 1000)).toBe(100);
  expect(after(20, 2000)).toBe(100);
  // The rate falls to a tenth.
  for (let second = 21; second <= 50; second++) after(second, 2000 + 10 * (second - 20));
  expect(after(51, 2310)).toBe(10);
  // Nothing is done any more.
  for (let second = 52; second <= 81; second++) after(second, 2310);
  expect(after(82, 2310)).toBe(0);
});
