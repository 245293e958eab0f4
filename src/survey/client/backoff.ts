/** Exponential backoff between two tries. */
import { setTimeout as sleep } from 'node:timers/promises';

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
