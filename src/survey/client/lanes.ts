/** How many requests may be under way at once: fewer while the API cannot take them, then slowly more again. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

export interface Lanes {
  /** Runs the work when its turn comes, in the order of the calls, and not while all are to rest. */
  use<T>(work: () => Promise<T>): Promise<T>;
  /** The API took one: after ten for each lane there is one more, up to the first number. */
  widen(): void;
  /** The API could not take one: half as many lanes, at least one. */
  narrow(): void;
  /** Nobody starts for so many milliseconds; whether that is news. */
  rest(ms: number): boolean;
}

/** @param signal ends all rests */
export function lanes(most: number, signal: AbortSignal): Lanes {
  const limit = pLimit(most);
  let taken = 0;
  let rested: Promise<unknown> | null = null;
  return {
    use: (work) =>
      limit(async () => {
        while (rested !== null) await rested;
        return work();
      }),
    widen() {
      taken = limit.concurrency < most ? taken + 1 : 0;
      if (taken < 10 * limit.concurrency) return;
      taken = 0;
      limit.concurrency++;
    },
    narrow() {
      taken = 0;
      limit.concurrency = Math.max(1, limit.concurrency >> 1);
    },
    rest(ms) {
      if (rested !== null) return false;
      rested = sleep(ms, undefined, { signal })
        .catch(() => undefined)
        .then(() => {
          rested = null;
        });
      return true;
    },
  };
}
