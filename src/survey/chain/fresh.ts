/** Runs one reading at a time, shared by those who asked before it began. */

/** Every call resolves with a reading that began after the call; however many wait, one more run serves them. */
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
