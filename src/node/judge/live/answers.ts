/** Questions about the answers of an endpoint. */
import type { EndpointFacts } from '../../facts/live.js';
import { canonicalModule, type Node } from '../../kinds/node.js';
import { namespaceOf } from '../../kinds/request.js';

/** An endpoint with the kind of node that answers there. */
export type Answering = EndpointFacts & Pick<Node, 'nodeKind'>;

/** Whether it answered JSON-RPC. */
export function isOpen(endpoint: EndpointFacts): boolean {
  return endpoint.latencyMs !== null;
}

/** Whether an access check accepted a foreign caller; null if it was not seen. */
export function accessOf(access: EndpointFacts['foreignHost']): boolean | null {
  return access.state === 'seen' ? access.value === 'open' : null;
}

/** Whether an access check was seen to accept a foreign caller. */
export function isAccessOpen(access: EndpointFacts['foreignHost']): boolean {
  return accessOf(access) === true;
}

/** Whether an access check was seen to refuse a foreign caller. */
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
