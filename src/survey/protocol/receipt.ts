/** What in a receipt proves that somebody joined. */
import { addedIn } from './events.js';
import type { Receipt } from './wire.js';

/** Whether `semaphore` itself says in this receipt that the group now holds the commitment. */
export function provesJoin(
  receipt: Pick<Receipt, 'logs'>,
  semaphore: string,
  groupId: bigint,
  commitment: bigint,
): boolean {
  const logs = receipt.logs.filter((log) => log.address.toLowerCase() === semaphore.toLowerCase());
  return addedIn({ logs }).some((added) => added.groupId === groupId && added.commitment === commitment);
}
