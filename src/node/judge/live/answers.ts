/** Questions about the answers of an endpoint. */
import type { EndpointFacts } from '../../facts/live.js';
import { type BlindSpot, blindSpot, notSeen } from '../../facts/seen.js';
import { canonicalModule, type Node } from '../../kinds/node.js';
import { namespaceOf } from '../../kinds/request.js';
import type { Live } from './live.js';

/** An endpoint with the kind of node that answers there. */
export type Answering = EndpointFacts & Pick<Node, 'nodeKind'>;

/** True if it answered JSON-RPC. */
export function isOpen(endpoint: EndpointFacts): boolean {
  return endpoint.latencyMs !== null;
}

/** Whether an access check accepted a foreign caller; null: not seen. */
export function accessOf(access: EndpointFacts['foreignHost']): boolean | null {
  return access.state === 'seen' ? access.value === 'open' : null;
}

/** True if an access check was seen to accept a foreign caller. */
export function isAccessOpen(access: EndpointFacts['foreignHost']): boolean {
  return accessOf(access) === true;
}

/** True if an access check was seen to refuse a foreign caller. */
export function isAccessClosed(access: EndpointFacts['foreignHost']): boolean {
  return accessOf(access) === false;
}

/** Modules an endpoint offers, as sorted canonical names; null if not seen. */
export function modulesOf(endpoint: Answering): string[] | null {
  if (endpoint.modules.state !== 'seen') return null;
  return [
    ...new Set(Object.keys(endpoint.modules.value).map((name) => canonicalModule(endpoint, name))),
  ].sort();
}

/** Modules an endpoint was seen to offer, listed by rpc_modules or not. */
export function offeredModules(endpoint: Answering): string[] {
  return [...(modulesOf(endpoint) ?? []), ...unlistedModules(endpoint)];
}

/** Modules that answer although rpc_modules does not list them, sorted. One method of each answered. */
export function unlistedModules(endpoint: Answering): string[] {
  const listed = modulesOf(endpoint) ?? [];
  const answering = Object.entries(endpoint.methods).flatMap(([method, one]) =>
    one.state === 'seen' && one.value === 'present' ? [namespaceOf(method)] : [],
  );
  return [...new Set(answering)].filter((name) => !listed.includes(name)).sort();
}

/** The accounts that the node reports as unlocked, without duplicates. Only its ipc interface tells. */
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
