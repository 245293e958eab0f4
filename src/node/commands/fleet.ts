/** How a run is spread: over time, and over several runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

/**
 * The part of a list that shard `3/10` has: the shards one after another are the whole list in its order.
 * @throws {KaiactlError} when it is not a shard (exit 2)
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

/** Milliseconds, from any moment on. */
export interface Clock {
  now(): number;
  /** Ends at once when the run is interrupted. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

const clock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};

/**
 * Waits so that no more than `--rate` begin in a second; without a rate nobody waits.
 * @throws {KaiactlError} when it is not a rate (exit 2)
 */
export function paced(
  rate: string | undefined,
  signal: AbortSignal,
  { now, wait } = clock,
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

/** How many nodes are asked at the same time. @throws {KaiactlError} when it is not such a number (exit 2) */
export function concurrency(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 1024) return number;
  throw new KaiactlError(`--concurrency ${visible(text, 40)} is not a number from 1 to 1024`);
}

/** So many may be done and wait for one before them: a slow node holds up none of the others. */
const ahead = 1_000;

/** Works on `limit` at a time and gives the results in the order of the items; of all others nothing is held. */
export async function* inOrder<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const free = pLimit(limit);
  const begun: Promise<R>[] = [];
  for (const item of items) {
    const result = free(() => work(item));
    // Whoever awaits it hears of its failure; until then it is not unhandled.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= limit + ahead) yield await (begun.shift() as Promise<R>);
  }
  for (let next = begun.shift(); next !== undefined; next = begun.shift()) yield await next;
}
