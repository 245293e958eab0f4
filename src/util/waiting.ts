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

/** The result of the work; the work is not cancelled when time is up. @throws the error of `late` then */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
