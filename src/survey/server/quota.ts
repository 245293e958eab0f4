/** Limits uses per key within fixed windows of a minute, on the monotonic clock. */
const windowMs = 60_000;
/** Keys of one window; more are refused, so that callers cannot fill the memory. */
const maxKeys = 10_000;

export class Quota {
  readonly #max: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  readonly #used = new Map<string, number>();

  /** @param max uses of each key per minute */
  constructor(max: number) {
    this.#max = max;
  }

  /** Uses the key once; false, without a use, when its quota is exhausted. */
  take(key: string): boolean {
    const now = performance.now();
    if (now - this.#startedAt >= windowMs) {
      this.#startedAt = now;
      this.#used.clear();
    }
    const used = this.#used.get(key) ?? 0;
    if (used >= this.#max || (used === 0 && this.#used.size >= maxKeys)) return false;
    this.#used.set(key, used + 1);
    return true;
  }
}
