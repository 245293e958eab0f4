/** Waiting between two looks at the same thing. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Backoff {
  /** Waits the next span, at most `within` milliseconds; returns at once when the signal has aborted. */
  wait(within?: number): Promise<void>;
  /** Goes back to the first span. */
  reset(): void;
}

const growth = 1.5;
const jitter = 0.2;

/** Spans from `firstMs`, each half as long again up to `mostMs`, spread by a fifth so that clients fall out of step. */
export function backoff(firstMs: number, mostMs: number, signal: AbortSignal, random = Math.random): Backoff {
  let span = firstMs;
  return {
    async wait(within = Number.POSITIVE_INFINITY) {
      const spread = span * (1 - jitter + 2 * jitter * random());
      span = Math.min(span * growth, mostMs);
      await sleep(Math.max(0, Math.min(spread, within)), undefined, { signal }).catch(() => undefined);
    },
    reset() {
      span = firstMs;
    },
  };
}
