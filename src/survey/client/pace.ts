/** Adaptive concurrency: fewer requests at once while the API is overloaded, then slowly more again. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

export function lanes(max: number) {
  const limit = pLimit(max);
  let successCount = 0;
  let pause: Promise<unknown> | null = null;
  return {
    /** Runs the work in the order of the calls, never during a pause. */
    use: <T>(work: () => Promise<T>): Promise<T> =>
      limit(async () => {
        while (pause !== null) await pause;
        return work();
      }),
    /** Reports a success. After ten successes per lane there is one lane more, up to `max`. */
    widen(): void {
      successCount = limit.concurrency < max ? successCount + 1 : 0;
      if (successCount < 10 * limit.concurrency) return;
      successCount = 0;
      limit.concurrency++;
    },
    /** Reports an overload: half as many lanes, at least one. */
    narrow(): void {
      successCount = 0;
      limit.concurrency = Math.max(1, limit.concurrency >> 1);
    },
    /** Starts no work until the wait ends. Returns false, and does not wait, if a pause is in progress. */
    pause(wait: () => Promise<unknown>): boolean {
      if (pause !== null) return false;
      pause = wait().finally(() => {
        pause = null;
      });
      return true;
    },
  };
}

const growth = 1.5;
const jitter = 0.2;

/** Delays from `firstMs` to `maxMs`, each 1.5 times the one before. Jitter of 20 % keeps clients from retrying in step. */
export function backoff(firstMs: number, maxMs: number, signal: AbortSignal, random = Math.random) {
  let delay = firstMs;
  return {
    /** Waits for the next delay, at most `within` milliseconds. Ends when the signal aborts. */
    async wait(within = Number.POSITIVE_INFINITY): Promise<void> {
      const jittered = delay * (1 - jitter + 2 * jitter * random());
      delay = Math.min(delay * growth, maxMs);
      await sleep(Math.max(0, Math.min(jittered, within)), undefined, { signal }).catch(() => undefined);
    },
    reset(): void {
      delay = firstMs;
    },
  };
}
