/** The one place where a failed question becomes a fact: not seen, and why. */
import { ChannelError } from '../../jsonrpc/failure.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';

/** What the step found, or how it stayed unseen. Anything but a ChannelError is a defect and passes through. */
export async function observe<T>(step: () => Promise<T>): Promise<Seen<T>> {
  try {
    return seen(await step());
  } catch (error) {
    if (error instanceof ChannelError) return notSeen(error.code, error.message);
    throw error;
  }
}
