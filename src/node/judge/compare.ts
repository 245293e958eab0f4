/** Conf against node: the two sides of each interface that both know. */

import { type BlindSpot, blindSpot, indeterminate } from '../facts/seen.js';
import type { Listener } from '../facts/settings.js';
import { modulesOf } from './answers.js';
import type { Live, LiveEndpoint } from './live.js';
/** One interface that the conf opens and that answered. */
export interface Pair {
  readonly listener: Listener;
  readonly endpoint: LiveEndpoint;
  /** Offered, not listed. */
  readonly more: readonly string[];
  /** Listed, not offered. */
  readonly less: readonly string[];
}

/** Compares the module lists of http and ws; what cannot be compared is a blind spot. */
export function compareLists(live: Live): { pairs: Pair[]; blindSpots: BlindSpot[] } {
  const pairs: Pair[] = [];
  const blindSpots: BlindSpot[] = [];
  for (const endpoint of live.endpoints) {
    const { listener } = endpoint;
    if (listener === null || listener.kind === 'ipc' || listener.state === 'off') continue;
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

function whyNot(listener: Listener, endpoint: LiveEndpoint): BlindSpot {
  if (endpoint.modules.state !== 'seen') return blindSpot(endpoint.name, endpoint.modules);
  return indeterminate(listener.kind, listener.reason ?? 'its module list cannot be known offline');
}
