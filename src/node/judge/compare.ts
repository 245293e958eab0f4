/** Conf against node: the two sides of each interface that both know. */
import type { ConfFacts, Listener } from '../facts/conf.js';
import type { EndpointFacts, LiveFacts } from '../facts/live.js';
import { type BlindSpot, blindSpot, indeterminate } from '../facts/seen.js';
import { isOpen, modulesOf, nameOfEndpoint } from './live.js';

/** One interface that the conf opens and that answered. */
export interface Pair {
  readonly listener: Listener;
  readonly endpoint: EndpointFacts;
  /** Offered, not listed. */
  readonly more: readonly string[];
  /** Listed, not offered. */
  readonly less: readonly string[];
}

/** Compares the module lists of http and ws; what cannot be compared is a blind spot. */
export function compareLists(conf: ConfFacts, live: LiveFacts): { pairs: Pair[]; blindSpots: BlindSpot[] } {
  const pairs: Pair[] = [];
  const blindSpots: BlindSpot[] = [];
  for (const endpoint of live.endpoints) {
    const { kind } = endpoint.endpoint;
    const listener = conf.listeners.find((one) => one.kind === kind);
    if (listener === undefined || kind === 'ipc' || listener.state === 'off') continue;
    const offered = modulesOf(endpoint);
    if (offered === null || listener.modules === null) {
      blindSpots.push(whyNot(listener, endpoint));
      continue;
    }
    const declared = new Set([...listener.modules, 'rpc']);
    const there = new Set([...offered, 'rpc']);
    pairs.push({
      listener,
      endpoint,
      more: [...there].filter((name) => !declared.has(name)),
      less: [...declared].filter((name) => !there.has(name)),
    });
  }
  return { pairs, blindSpots };
}

function whyNot(listener: Listener, endpoint: EndpointFacts): BlindSpot {
  if (endpoint.modules.state !== 'seen')
    return blindSpot(nameOfEndpoint(endpoint.endpoint), endpoint.modules);
  return indeterminate(listener.kind, listener.reason ?? 'its module list cannot be known offline');
}

/** True when some interface of the node answered: then one that does not is closed, not merely out of reach. */
export function isUp(live: LiveFacts): boolean {
  return live.endpoints.some(isOpen);
}
