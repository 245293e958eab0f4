/** A live node as rules see it: what was seen of each interface, the listener it belongs to, and who reaches it. */

import type { Facts } from '../facts/facts.js';
import type { Endpoint, EndpointFacts, LiveFacts, MetricsFacts } from '../facts/live.js';
import { type Assumed, reachOf, reachOfHost, widest } from '../facts/reach.js';
import type { InterfaceReport } from '../facts/report.js';
import { type BlindSpot, blindSpot } from '../facts/seen.js';
import type { Listener, Settings } from '../facts/settings.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { canonicalModule } from '../kinds/kaia/modules.js';
import type { Launcher } from '../kinds/kaia/names.js';

export interface LiveEndpoint extends EndpointFacts {
  /** As reports name it. */
  readonly name: string;
  /** What the settings say of it; null without settings. */
  readonly listener: Listener | null;
  readonly reach: Reached;
}

/** A port that serves metrics or profiles. */
export interface LivePort extends MetricsFacts {
  readonly listener: Listener | null;
  readonly reach: Reached;
}

/** A reach and the evidence it is taken from. */
export interface Reached extends Assumed {
  readonly by: NonNullable<InterfaceReport['reachBy']>;
}

export interface Live {
  readonly endpoints: readonly LiveEndpoint[];
  readonly metrics: readonly LivePort[];
  readonly process: LiveFacts['process'];
  /** null: unknown. */
  readonly launcher: Launcher | null;
}

/** The node of a target; null when nothing live was asked for. */
export function liveOf(facts: Facts): Live | null {
  if (facts.live === null) return null;
  const settings = facts.conf?.state === 'seen' ? facts.conf.value.settings : null;
  const listenerOf = (kind: Listener['kind']): Listener | null =>
    settings?.listeners.find((one) => one.kind === kind) ?? null;
  return {
    endpoints: facts.live.endpoints.map((one) => {
      const listener = listenerOf(one.endpoint.kind);
      return {
        ...one,
        name: nameOfEndpoint(one.endpoint),
        listener,
        reach: reachOfEndpoint(one, listener, settings),
      };
    }),
    metrics: facts.live.metrics.map((one) => {
      const listener = listenerOf(one.kind);
      return { ...one, listener, reach: reachOfPort(one, listener) };
    }),
    process: facts.live.process,
    launcher: settings?.launcher ?? null,
  };
}

/** The endpoint as reports name it. */
export function nameOfEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}

/** True when it answered JSON-RPC at all. */
export function isOpen(endpoint: EndpointFacts): boolean {
  return endpoint.latencyMs !== null;
}

/** True when some interface of the node answered: then one that does not is closed, not merely out of reach. */
export function isUp(live: Live): boolean {
  return live.endpoints.some(isOpen);
}

/** The endpoints of a kind that count: what the conf keeps closed and is closed raises no question. */
export function asked(live: Live, ...kinds: readonly Endpoint['kind'][]): LiveEndpoint[] {
  return live.endpoints.filter(
    (one) => kinds.includes(one.endpoint.kind) && (isOpen(one) || one.listener?.state !== 'off'),
  );
}

/** True when a check of who is let in was seen to let a stranger in. */
export function stoodOpen(access: EndpointFacts['foreignHost']): boolean {
  return access.state === 'seen' && access.value === 'open';
}

/** Modules an endpoint offers under today's names, sorted; null when they were not seen. */
export function modulesOf(endpoint: EndpointFacts): string[] | null {
  if (endpoint.modules.state !== 'seen') return null;
  return [...new Set(Object.keys(endpoint.modules.value).map(canonicalModule))].sort();
}

/** Why a fact of an endpoint is missing, as a blind spot; empty when it was seen. */
export function blindTo(
  endpoint: LiveEndpoint,
  fact: 'modules' | 'accounts' | 'foreignHost' | 'foreignOrigin' | 'calibrated' | 'client',
): BlindSpot[] {
  const value = endpoint[fact];
  return value.state === 'seen' ? [] : [blindSpot(endpoint.name, value)];
}

/** By the address the settings bind, by the one dialled, and by the access that stood open. */
function reachOfEndpoint(
  endpoint: EndpointFacts,
  listener: Listener | null,
  settings: Settings | null,
): Reached {
  const { endpoint: at } = endpoint;
  if (at.kind === 'ipc')
    return { reach: 'ipc', because: 'users of this machine who can open the socket', by: 'address' };
  const dialled = endpoint.source === 'conf' ? [] : [reachOfHost(hostOf(at.url))];
  return widest([
    { reach: 'loopback', because: 'this machine reaches it', by: 'address' },
    ...[...dialled, ...throughBrowsers(endpoint)].map((one) => ({ ...one, by: 'address' as const })),
    ...boundTo(listener, settings).map((one) => ({ ...one, by: 'settings' as const })),
  ]);
}

/** A metrics port binds every interface (metrics/utils/metrics.go), pprof what the settings say. */
function reachOfPort(port: MetricsFacts, listener: Listener | null): Reached {
  const dialled = { ...reachOfHost(hostOf(port.url)), by: 'address' as const };
  if (listener?.state !== 'on') return dialled;
  return widest([dialled, { ...reachOfHost(listener.host), by: 'settings' }]);
}

/** By the address the settings bind; for an interface they keep closed, by the one it would have. */
function boundTo(listener: Listener | null, settings: Settings | null): Assumed[] {
  if (listener?.state === 'on') return [reachOf(listener)];
  if (listener?.state !== 'off') return [];
  const address = settings?.keys[listenerFlags[listener.kind === 'ws' ? 'ws' : 'http'].addr]?.value ?? null;
  return [reachOfHost(address === null ? null : String(address))];
}

function throughBrowsers({ foreignOrigin, foreignHost }: EndpointFacts): Assumed[] {
  const through = 'any web page reaches it through a visitor’s browser';
  if (stoodOpen(foreignOrigin))
    return [{ reach: 'any', because: `${through} (a foreign Origin was let in)` }];
  if (stoodOpen(foreignHost)) return [{ reach: 'any', because: `${through} (a foreign Host was answered)` }];
  return [];
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}
