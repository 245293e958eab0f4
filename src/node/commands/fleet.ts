/** Sharding, rate limit and concurrency of a run. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

/**
 * The part of a list for shard `3/10`. All shards in order give the whole list.
 * @throws {KaiactlError} when it is not `k/n` (exit 2)
 */
export function shardOf<T>(all: readonly T[], shard: string | undefined): readonly T[] {
  if (shard === undefined) return all;
  const [, number = '', of = ''] = /^(\d{1,6})\/(\d{1,6})$/.exec(shard) ?? [];
  const [k, n] = [Number(number), Number(of)];
  if (k < 1 || k > n)
    throw new KaiactlError(`--shard ${visible(shard, 40)} is not k/n`, {
      hint: 'Write 3/10 for the third of ten parts.',
    });
  return all.slice(Math.floor(((k - 1) * all.length) / n), Math.floor((k * all.length) / n));
}

export interface Clock {
  /** Milliseconds, from any start. */
  now(): number;
  /** Resolves early when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};

/**
 * A function that waits until the next audit may start: at most `--rate` per second, or no wait without a rate.
 * @throws {KaiactlError} on an invalid rate (exit 2)
 */
export function paceAt(
  rate: string | undefined,
  signal: AbortSignal,
  { now, wait } = systemClock,
): () => Promise<unknown> {
  if (rate === undefined) return async () => {};
  const perSecond = Number(rate);
  if (!(perSecond > 0 && perSecond <= 100_000))
    throw new KaiactlError(`--rate ${visible(rate, 40)} is not a number of nodes per second`, {
      hint: 'For example --rate 50.',
    });
  let next = 0;
  return async () => {
    const asked = now();
    const mine = Math.max(asked, next);
    next = mine + 1000 / perSecond;
    if (mine > asked) await wait(mine - asked, signal);
  };
}

/** The value of --concurrency. @throws {KaiactlError} when it is not a number from 1 to 1024 (exit 2) */
export function concurrency(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 1024) return number;
  throw new KaiactlError(`--concurrency ${visible(text, 40)} is not a number from 1 to 1024`);
}

/** Finished results that may wait for an earlier item, so that a slow node does not delay the others. */
const maxAhead = 1_000;

/** Works on at most `limit` items concurrently and yields the results in the order of the items, in bounded memory. */
export async function* inOrder<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const free = pLimit(limit);
  const begun: Promise<R>[] = [];
  for (const item of items) {
    const result = free(() => work(item));
    // The later await reports a failure; until then it must not be an unhandled rejection.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= limit + maxAhead) yield await (begun.shift() as Promise<R>);
  }
  for (let next = begun.shift(); next !== undefined; next = begun.shift()) yield await next;
}
