/** Ends a wait for what never settles with a message that names it. */

// A test may replace the global ones.
const { setTimeout, clearTimeout } = globalThis;

/** Longer than any call takes on a busy machine. */
const patienceMs = 60_000;

/** The object; a promise from one of its methods that is not settled within a minute rejects, and names the method. */
export function bounded<T extends object>(object: T, name = object.constructor.name): T {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const result: unknown = value.apply(target, given);
        return result instanceof Promise ? within(result, `${name}.${String(key)}`) : result;
      };
    },
  });
}

/** The result of some work; rejects with its name when it is not settled in time. */
export async function within<T>(work: Promise<T>, what: string, limitMs = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`waited ${limitMs / 1000} s for ${what}, which did not settle`);
    timer = setTimeout(reject, limitMs, error);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
