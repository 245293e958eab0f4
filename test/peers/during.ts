/** Waits for an event of some work without a limit of time. */
import { inspect } from 'node:util';

/** Resolves with the event. @throws when the work ends before it, and when the work fails */
export function during<T>(work: Promise<unknown>, event: Promise<T>): Promise<T> {
  const early = work.then((result): never => {
    throw new Error(`ended before the event, with ${inspect(result)}`);
  });
  return Promise.race([event, early]);
}
