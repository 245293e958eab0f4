/** Work of a store that follows its writes. */

/** Work that runs once after a delay, and not while the store is busy. */
export class Chore {
  readonly #work: () => void;
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | null = null;

  constructor(work: () => void, isBusy: () => boolean = () => false) {
    this.#work = work;
    this.#isBusy = isBusy;
  }

  /** Schedules the work, unless it is scheduled. Does not keep the process alive. */
  schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#isBusy()) this.schedule(afterMs);
      else this.#work();
    }, afterMs).unref();
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Delay between a write and erasing the order of joins: a minute, or 200 times the duration of the last time. */
export function eraseAfter(tookMs: number): number {
  return Math.max(60_000, 200 * tookMs);
}
