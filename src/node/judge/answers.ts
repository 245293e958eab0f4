/** What an endpoint was seen to answer. */
import { type EndpointFacts, namespaceOf } from '../facts/live.js';
import { canonicalModule } from '../kinds/kaia/modules.js';

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
export function modulesOf(endpoint: EndpointFacts): string[] | null {
  if (endpoint.modules.state !== 'seen') return null;
  return [...new Set(Object.keys(endpoint.modules.value).map(canonicalModule))].sort();
}

/** All that an endpoint was seen to offer, listed or not. */
export function offeredModules(endpoint: EndpointFacts): string[] {
  return [...(modulesOf(endpoint) ?? []), ...unlistedModules(endpoint)];
}

/** Modules that answer although rpc_modules does not list them, sorted: proven one method each. */
export function unlistedModules(endpoint: EndpointFacts): string[] {
  const listed = modulesOf(endpoint) ?? [];
  const answering = Object.entries(endpoint.methods).flatMap(([method, one]) =>
    one.state === 'seen' && one.value === 'present' ? [namespaceOf(method)] : [],
  );
  return [...new Set(answering)].filter((name) => !listed.includes(name)).sort();
}
