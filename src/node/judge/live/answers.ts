/** What an endpoint was seen to answer. */
import type { EndpointFacts } from '../../facts/live.js';
import { canonicalModule } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { namespaceOf } from '../../kinds/request.js';

/** An endpoint with the kind of node that answers there. */
export type Answering = EndpointFacts & Pick<NodeIdentity, 'kind'>;

/** True when it answered JSON-RPC at all. */
export function isOpen(endpoint: EndpointFacts): boolean {
  return endpoint.latencyMs !== null;
}

/** Whether a check let a stranger in; null: it was not seen. */
export function letIn(access: EndpointFacts['foreignHost']): boolean | null {
  return access.state === 'seen' ? access.value === 'open' : null;
}

/** True when a check of who is let in was seen to let a stranger in. */
export function stoodOpen(access: EndpointFacts['foreignHost']): boolean {
  return letIn(access) === true;
}

/** Modules an endpoint offers under today's names, sorted; null when they were not seen. */
export function modulesOf(endpoint: Answering): string[] | null {
  if (endpoint.modules.state !== 'seen') return null;
  return [
    ...new Set(Object.keys(endpoint.modules.value).map((name) => canonicalModule(endpoint, name))),
  ].sort();
}

/** All that an endpoint was seen to offer, listed or not. */
export function offeredModules(endpoint: Answering): string[] {
  return [...(modulesOf(endpoint) ?? []), ...unlistedModules(endpoint)];
}

/** Modules that answer although rpc_modules does not list them, sorted: proven one method each. */
export function unlistedModules(endpoint: Answering): string[] {
  const listed = modulesOf(endpoint) ?? [];
  const answering = Object.entries(endpoint.methods).flatMap(([method, one]) =>
    one.state === 'seen' && one.value === 'present' ? [namespaceOf(method)] : [],
  );
  return [...new Set(answering)].filter((name) => !listed.includes(name)).sort();
}
