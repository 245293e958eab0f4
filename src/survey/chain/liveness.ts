/** Decides whether a node is up by its cheapest question alone: a slow answer to another question says nothing. */

/** How long a failed check answers for the node, in milliseconds. */
const downMs = 1000;

export class Liveness {
  readonly #check: () => Promise<unknown>;
  readonly #intervalMs: number;
  #running: Promise<void> | null = null;
  /** The last check, if it failed. */
  #failed: { readonly at: number; readonly error: unknown } | null = null;

  /**
   * @param check asks the cheapest question and rejects when no answer comes
   * @param intervalMs how long an answer may be overdue before the node is checked, again and again
   */
  constructor(check: () => Promise<unknown>, intervalMs: number) {
    this.#check = check;
    this.#intervalMs = intervalMs;
  }

  /**
   * Runs the work, and aborts its signal with the check's error when the node is found down meanwhile.
   * @throws what the work throws, or the check while the node is known to be down
   */
  async watch<T>(work: (down: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#failed !== null) await this.#expectUp();
    const down = new AbortController();
    const timer = setInterval(() => {
      this.#expectUp().catch((error: unknown) => down.abort(error));
    }, this.#intervalMs);
    try {
      return await work(down.signal);
    } finally {
      clearInterval(timer);
    }
  }

  /** One check serves all who wait for it. */
  async #expectUp(): Promise<void> {
    if (this.#failed !== null && Date.now() - this.#failed.at < downMs) throw this.#failed.error;
    this.#running ??= this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#check();
      this.#failed = null;
    } catch (error) {
      this.#failed = { at: Date.now(), error };
      throw error;
    } finally {
      this.#running = null;
    }
  }
}
