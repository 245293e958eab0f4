/** One read at a time, shared by the callers that wait for it. */

/** Every call resolves with a read that began after the call; one further run serves all waiting callers. */
export function sharedRuns<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const run = read().finally(() => {
      if (running === run) running = null;
    });
    running = run;
    return run;
  };
  return () => {
    if (running === null && next === null) return start();
    next ??= (running ?? Promise.resolve()).then(start, start);
    return next;
  };
}
