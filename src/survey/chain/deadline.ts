/** Nobody waits for a node for ever. */
import { Refused } from '../protocol/refused.js';

/** What the work resolves with, if it does in time; it goes on either way. @throws {Refused} when it does not */
export async function within<T>(ms: number, work: Promise<T>, reason: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refused('UNAVAILABLE', 'the chain is slow to answer', reason)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
