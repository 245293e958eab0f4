/** Decides whether a node is up: while any request is answered, or its cheapest one. A slow answer is no evidence. */

/** How long a failed check counts, in milliseconds. */
const downMs = 1000;

export class Liveness {
  readonly #check: () => Promise<unknown>;
  readonly #intervalMs: number;
  #running: Promise<void> | null = null;
  /** The last check, if it failed. */
  #failed: { readonly at: number; readonly error: unknown } | null = null;
  #answers = 0;

  /**
   * @param check sends the cheapest request; rejects when no answer comes
   * @param intervalMs between checks while an answer is overdue, in milliseconds
   */
  constructor(check: () => Promise<unknown>, intervalMs: number) {
    this.#check = check;
    this.#intervalMs = intervalMs;
  }

  /**
   * Runs a request, and aborts its signal with the check's error if the node goes down meanwhile.
   * @throws what the work throws; while the node is known to be down, what the check throws
   */
  async watch<T>(work: (down: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#failed !== null) await this.#expectUp();
    const down = new AbortController();
    const timer = setInterval(() => {
      this.#expectUp().catch((error: unknown) => down.abort(error));
    }, this.#intervalMs);
    try {
      const answer = await work(down.signal);
      this.#answers += 1;
      return answer;
    } finally {
      clearInterval(timer);
    }
  }

  /** Concurrent callers share one check. */
  async #expectUp(): Promise<void> {
    if (this.#failed !== null && performance.now() - this.#failed.at < downMs) throw this.#failed.error;
    this.#running ??= this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    const answers = this.#answers;
    try {
      await this.#check();
      this.#failed = null;
    } catch (error) {
      if (this.#answers > answers) return;
      this.#failed = { at: performance.now(), error };
      throw error;
    } finally {
      this.#running = null;
    }
  }
}
