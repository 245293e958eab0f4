/** Exponential backoff between two tries. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Backoff {
  /** Waits for the next delay, or for `within` milliseconds if that is shorter. Returns at once if the signal has aborted. */
  wait(within?: number): Promise<void>;
  /** Restarts with the first delay. */
  reset(): void;
}

const growth = 1.5;
const jitter = 0.2;

/** Delays from `firstMs` to `maxMs`, each 1.5 times as long as the one before, with 20 % jitter so that clients do not retry in step. */
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
