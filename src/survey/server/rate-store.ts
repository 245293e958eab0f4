/** Counts of requests per address within fixed windows, on the monotonic clock: a change of the system time has no effect. */
import { keepRecent } from '../../util/keep-recent.js';

/** Addresses of one route; beyond it, the least recent one is forgotten. */
const maxKeys = 10_000;

export class RateStore {
  readonly #windows = new Map<string, { readonly count: number; readonly startedAt: number }>();

  incr(
    key: string,
    callback: (error: Error | null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const now = performance.now();
    const known = this.#windows.get(key);
    const isOver = known === undefined || now - known.startedAt >= windowMs;
    const window = isOver ? { count: 1, startedAt: now } : { ...known, count: known.count + 1 };
    keepRecent(this.#windows, key, window, maxKeys);
    callback(null, { current: window.count, ttl: window.startedAt + windowMs - now });
  }

  child(): RateStore {
    return new RateStore();
  }
}
