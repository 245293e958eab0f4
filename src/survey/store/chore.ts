/** Work that is done a while after it was first asked for, once, and never while something else is under way. */
export class Chore {
  readonly #work: () => void;
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | null = null;

  constructor(work: () => void, isBusy: () => boolean) {
    this.#work = work;
    this.#isBusy = isBusy;
  }

  /** A process may end without having done it. */
  askFor(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#isBusy()) this.askFor(afterMs);
      else this.#work();
    }, afterMs).unref();
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
