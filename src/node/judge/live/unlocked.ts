/** Which accounts of a live node are unlocked. Only its ipc interface tells. */
import { type BlindSpot, blindSpot, notSeen } from '../../facts/seen.js';
import type { Live } from './live.js';

/** The accounts that the node reports as unlocked, without duplicates. */
export function unlockedAccounts({ endpoints }: Pick<Live, 'endpoints'>): string[] {
  return [...new Set(endpoints.flatMap(({ unlocked }) => (unlocked.state === 'seen' ? unlocked.value : [])))];
}

/**
 * Why it is unknown which accounts are unlocked. Empty if ipc told, or if the node lists no account: it lists every key
 * of its key store, locked or not.
 */
export function unlockedBlindSpots({ endpoints }: Pick<Live, 'endpoints'>): BlindSpot[] {
  const hasNone = endpoints.some(
    ({ accounts, nodeKind }) => nodeKind !== null && accounts.state === 'seen' && accounts.value.length === 0,
  );
  const ipc = endpoints.filter(({ endpoint }) => endpoint.kind === 'ipc');
  if (hasNone || ipc.some(({ unlocked }) => unlocked.state === 'seen')) return [];
  return ipc.length === 0
    ? [blindSpot(null, unaskedIpc)]
    : ipc.flatMap(({ name, unlocked }) => (unlocked.state === 'seen' ? [] : [blindSpot(name, unlocked)]));
}

/** True if an option kept kaiactl from asking for accounts. */
export function isUnlockedLeftOut({ endpoints }: Pick<Live, 'endpoints'>): boolean {
  return endpoints
    .flatMap(({ accounts, unlocked }) => [accounts, unlocked])
    .some((fact) => fact.state === 'not-seen' && fact.code === 'left-out');
}

const unaskedIpc = notSeen(
  'not-asked',
  'only IPC tells which accounts are unlocked: audit the conf or process (pid:N) on its machine, or name its socket as ipc in the inventory',
);
