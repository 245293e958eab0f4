/** The modules that the settings list on an interface, compared with those that the node offers there. */

import type { EndpointFacts } from '../../facts/live.js';
import { type BlindSpot, blindSpot, indeterminate } from '../../facts/seen.js';
import type { Module } from '../../kinds/kind.js';
import { namespaceOf } from '../../kinds/request.js';
import { isOf, type ListenerOf } from '../settings/listeners.js';
import { namesListed } from '../settings/module-lists.js';
import { modulesOf } from './answers.js';
import type { LiveEndpoint } from './interfaces.js';
import type { Live } from './live.js';
import { type EndpointOf, relevantEndpoints } from './parts.js';

/** One interface that the conf opens and that answered. */
export interface Pair {
  readonly listener: ListenerOf<'http' | 'ws'>;
  readonly endpoint: EndpointOf<'http' | 'ws'>;
  /** Offered, not listed. */
  readonly more: readonly string[];
  /** Listed, not offered. */
  readonly less: readonly string[];
}

/** Compares the module lists of http and ws; lists that cannot be compared are blind spots. */
export function compareLists(live: Live): { pairs: Pair[]; blindSpots: BlindSpot[] } {
  const pairs: Pair[] = [];
  const blindSpots: BlindSpot[] = [];
  for (const endpoint of relevantEndpoints(live, 'http', 'ws')) {
    const { listener } = endpoint;
    if (listener === null || !isOf(listener, ['http', 'ws']) || listener.state === 'off') continue;
    const offered = modulesOf(endpoint);
    if (offered === null || listener.modules === null) {
      blindSpots.push(whyNot(listener, endpoint));
      continue;
    }
    const declared = new Set([...listener.modules, 'rpc', ...Object.keys(publicPartsOf(endpoint))]);
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

function whyNot(listener: ListenerOf<'http' | 'ws'>, endpoint: EndpointOf<'http' | 'ws'>): BlindSpot {
  if (endpoint.modules.state !== 'seen') return blindSpot(endpoint.name, endpoint.modules);
  return indeterminate(listener.kind, listener.reason ?? 'its module list cannot be resolved offline');
}

/**
 * Modules that the settings list and the node does not offer: rpc_modules does not list them, and no method of theirs that
 * was asked may exist.
 */
export function notOffered(endpoint: LiveEndpoint): string[] {
  const { listener } = endpoint;
  const offered = modulesOf(endpoint);
  if (offered === null || listener?.state !== 'on') return [];
  return namesListed(endpoint, listener).filter(
    (name) => !offered.includes(name) && !mayAnswer(endpoint, name),
  );
}

/** These modules as subjects of findings: `http personal`. */
export function refutedModules(endpoint: LiveEndpoint): string[] {
  return notOffered(endpoint).map((name) => `${endpoint.endpoint.kind} ${name}`);
}

/**
 * The modules of which a node offers only the half that reads, and what that lets its callers do: its release offers them so
 * without a list, and a method of another half is absent, or nothing was asked and its settings have an empty list.
 */
export function publicPartsOf(
  endpoint: LiveEndpoint,
): Readonly<Record<string, Pick<Module, 'severity' | 'does'>>> {
  const halves = endpoint.nodeKind?.modules.publicParts ?? null;
  const offered = modulesOf(endpoint) ?? [];
  if (halves === null || !Object.keys(halves).every((name) => offered.includes(name))) return {};
  const asked = endpoint.methods[endpoint.nodeKind?.probes.otherHalf ?? ''];
  const { listed, modules } = endpoint.listener ?? {};
  const isEmpty = listed?.every(({ name }) => name === '') === true && modules?.includes('eth') === true;
  return (asked?.state === 'seen' ? asked.value === 'absent' : isEmpty) ? halves : {};
}

function mayAnswer({ methods }: EndpointFacts, name: string): boolean {
  const asked = Object.entries(methods).filter(([method]) => namespaceOf(method) === name);
  return asked.some(([, one]) => one.state !== 'seen' || one.value === 'present');
}
