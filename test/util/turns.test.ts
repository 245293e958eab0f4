import { setImmediate } from 'node:timers';
import { expect, test } from 'vitest';
import { finish, inTurns } from '../../src/util/turns.js';

function* counting(until: () => boolean): Generator<void, number> {
  for (let count = 0; ; count += 1) {
    if (until()) return count;
    yield;
  }
}

test('an event that waits is handled while the work goes on', async () => {
  let isHandled = false;
  setImmediate(() => {
    isHandled = true;
  });
  expect(
    await inTurns(
      counting(() => isHandled),
      new AbortController().signal,
    ),
  ).toBeGreaterThan(0);
});

test('work ends soon after it is aborted', async () => {
  const abort = new AbortController();
  setImmediate(() => abort.abort());
  expect(
    await inTurns(
      counting(() => false),
      abort.signal,
    ),
  ).toBeNull();
});

test('work without pauses gives the same result', () => {
  let left = 5;
  expect(finish(counting(() => left-- === 0))).toBe(5);
});
