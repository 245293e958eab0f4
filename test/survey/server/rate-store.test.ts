/** The rate limit on the monotonic clock. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { RateStore } from '../../../src/survey/server/rate-store.js';
import { clock } from '../chain/told.js';
import { request, started, usualLimits } from './support.js';

const count = (store: RateStore, key: string) => {
  const results: { current: number; ttl: number }[] = [];
  store.incr(key, (_, result) => results.push(result), 60_000);
  return results[0];
};

test('a window begins with its first request and ends a minute later; keys and routes are apart', () => {
  const time = clock();
  const store = new RateStore();
  expect([count(store, 'a'), count(store, 'a'), count(store, 'b')].map((one) => one?.current)).toEqual([
    1, 2, 1,
  ]);
  expect(count(store.child({}), 'a')?.current).toBe(1);
  time.now += 59_999;
  expect(count(store, 'a')).toEqual({ current: 3, ttl: 1 });
  time.now += 1;
  expect(count(store, 'a')).toEqual({ current: 1, ttl: 60_000 });
});

test('it remembers 10,000 addresses, the most recent ones', () => {
  clock();
  const store = new RateStore();
  for (const key of ['old', 'used']) count(store, key);
  for (let n = 0; n < 9_998; n++) count(store, `key ${n}`);
  count(store, 'used');
  count(store, 'new');
  expect([count(store, 'used')?.current, count(store, 'old')?.current]).toEqual([3, 1]);
});

test('a system clock that is set forwards or back neither ends nor prolongs a limit', async () => {
  const { url } = await started({ limits: { ...usualLimits, perMinute: 1 } });
  const ask = async () => (await request(`${url}/api/invite/encode`, 'POST', '{}')).status;
  expect([await ask(), await ask()]).toEqual([400, 429]);
  const now = Date.now();
  const wall = vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
  onTestFinished(() => wall.mockRestore());
  expect(await ask()).toBe(429);
  const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
  onTestFinished(() => time.mockRestore());
  wall.mockReturnValue(now - 3_600_000);
  expect(await ask()).toBe(400);
});
