/** Counts of requests per address within fixed windows, on the monotonic clock: a change of the system time has no effect. */
import { keepRecent } from '../../util/keep-recent.js';

/** Addresses of one route; beyond it, the least recent one is forgotten. */
const maxKeys = 10_000;

export const minuteMs = 60_000;

type Window = { readonly count: number; readonly startedAt: number };

export class RateStore {
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    callback: (error: Error | null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    callback(null, this.use(key, windowMs));
  }

  /** Counts a request; returns those of the window, and the time until it ends. */
  use(key: string, windowMs = minuteMs): { current: number; ttl: number } {
    const now = performance.now();
    const known = this.#current(key, windowMs);
    const window = known === null ? { count: 1, startedAt: now } : { ...known, count: known.count + 1 };
    keepRecent(this.#windows, key, window, maxKeys);
    return { current: window.count, ttl: window.startedAt + windowMs - now };
  }

  used(key: string): number {
    return this.#current(key, minuteMs)?.count ?? 0;
  }

  /** Counts a use unless there were `max` in the window; false then. */
  take(key: string, max: number): boolean {
    return this.used(key) < max && this.use(key).current <= max;
  }

  #current(key: string, windowMs: number): Window | null {
    const known = this.#windows.get(key);
    return known === undefined || performance.now() - known.startedAt >= windowMs ? null : known;
  }

  /** Of a route. */
  child(_: unknown): RateStore {
    return new RateStore();
  }
}

/** The class of stores of which one route has a given one. */
export function ratesWith(path: string, own: RateStore): typeof RateStore {
  return class extends RateStore {
    override child(route: { readonly routeInfo?: { readonly method?: unknown; readonly url?: string } }) {
      const { method, url } = route.routeInfo ?? {};
      return method === 'GET' && url === path ? own : new RateStore();
    }
  };
}
