/** Counts of requests per address within fixed windows, on the monotonic clock: a change of the system time has no effect. */

/** Addresses of one route; beyond it, the least recent one is forgotten. */
const maxKeys = 10_000;

interface Window {
  count: number;
  startedAt: number;
}

export class RateStore {
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    callback: (error: Error | null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const now = performance.now();
    const known = this.#windows.get(key);
    const isOver = known === undefined || now - known.startedAt >= windowMs;
    const window = isOver ? { count: 1, startedAt: now } : { ...known, count: known.count + 1 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > maxKeys && oldest !== undefined) this.#windows.delete(oldest);
    callback(null, { current: window.count, ttl: window.startedAt + windowMs - now });
  }

  child(): RateStore {
    return new RateStore();
  }
}
