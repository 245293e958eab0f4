/** Adaptive concurrency: fewer requests at once while the API is overloaded, then slowly more again. */
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
