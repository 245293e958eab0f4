/** Decides whether a node is up: while any request is answered, or its cheapest one. A slow answer is no evidence. */

/** How long a failed check counts, in milliseconds. */
const downMs = 1000;

/**
 * Returns a function that runs a request, and aborts its signal with the check's error if the node goes down meanwhile. It
 * throws what the work throws; while the node is known to be down, what the check throws.
 * @param check sends the cheapest request; rejects when no answer comes
 * @param intervalMs between checks while an answer is overdue, in milliseconds
 */
export function liveness(check: () => Promise<unknown>, intervalMs: number) {
  let running: Promise<void> | null = null;
  let failed: { readonly at: number; readonly error: unknown } | null = null;
  let answers = 0;
  const run = async (): Promise<void> => {
    const before = answers;
    try {
      await check();
      failed = null;
    } catch (error) {
      if (answers > before) return;
      failed = { at: performance.now(), error };
      throw error;
    } finally {
      running = null;
    }
  };
  /** Concurrent callers share one check. */
  const expectUp = async (): Promise<void> => {
    if (failed !== null && performance.now() - failed.at < downMs) throw failed.error;
    running ??= run();
    await running;
  };
  return async <T>(work: (down: AbortSignal) => Promise<T>): Promise<T> => {
    if (failed !== null) await expectUp();
    const down = new AbortController();
    const timer = setInterval(() => {
      expectUp().catch((error: unknown) => down.abort(error));
    }, intervalMs);
    try {
      const answer = await work(down.signal);
      answers += 1;
      return answer;
    } finally {
      clearInterval(timer);
    }
  };
}
