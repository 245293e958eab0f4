/** Adaptive concurrency: fewer requests at once while the API is overloaded, then slowly more again. */

import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

export interface Lanes {
  /** Runs the work in the order of the calls, never during a pause. */
  use<T>(work: () => Promise<T>): Promise<T>;
  /** Reports a success. After ten successes per lane there is one lane more, up to `max`. */
  widen(): void;
  /** Reports an overload: half as many lanes, at least one. */
  narrow(): void;
  /** Starts no work until the wait ends. Returns false, and does not wait, if a pause is in progress. */
  pause(wait: () => Promise<unknown>): boolean;
}

export function lanes(max: number): Lanes {
  const limit = pLimit(max);
  let successCount = 0;
  let pause: Promise<unknown> | null = null;
  return {
    use: (work) =>
      limit(async () => {
        while (pause !== null) await pause;
        return work();
      }),
    widen() {
      successCount = limit.concurrency < max ? successCount + 1 : 0;
      if (successCount < 10 * limit.concurrency) return;
      successCount = 0;
      limit.concurrency++;
    },
    narrow() {
      successCount = 0;
      limit.concurrency = Math.max(1, limit.concurrency >> 1);
    },
    pause(wait) {
      if (pause !== null) return false;
      pause = wait().finally(() => {
        pause = null;
      });
      return true;
    },
  };
}

export interface Backoff {
  /** Waits for the next delay, at most `within` milliseconds. Ends when the signal aborts. */
  wait(within?: number): Promise<void>;
  /** Restarts with the first delay. */
  reset(): void;
}

const growth = 1.5;
const jitter = 0.2;

/** Delays from `firstMs` to `maxMs`, each 1.5 times the one before. Jitter of 20 % keeps clients from retrying in step. */
export function backoff(firstMs: number, maxMs: number, signal: AbortSignal, random = Math.random): Backoff {
  let delay = firstMs;
  return {
    async wait(within = Number.POSITIVE_INFINITY) {
      const jittered = delay * (1 - jitter + 2 * jitter * random());
      delay = Math.min(delay * growth, maxMs);
      await sleep(Math.max(0, Math.min(jittered, within)), undefined, { signal }).catch(() => undefined);
    },
    reset() {
      delay = firstMs;
    },
  };
}
