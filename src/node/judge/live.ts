/** A live node as rules see it: what was seen of each interface, the listener it belongs to, and who reaches it. */

import { withoutAssumed } from '../facts/assumed.js';
import type { Facts } from '../facts/facts.js';
import type { Endpoint, EndpointFacts, GrpcFacts, LiveFacts, MetricsFacts } from '../facts/live.js';
import type { Listener } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import type { NodeKind } from '../kinds/kaia/names.js';
import { isOpen } from './answers.js';
import { assumed, boundReach, type Reached, reachOfPort, withBrowsers } from './reached.js';
import { placeOf } from './setting.js';

export interface LiveEndpoint extends EndpointFacts {
  /** As reports name it. */
  readonly name: string;
  /** What the settings say of it; null without settings. */
  readonly listener: Listener | null;
  /** True when the running process's command line or environment opens it. */
  readonly started: boolean;
  /** Where the settings switch it on or off. */
  readonly switchedAt: Span | null;
  /** Who reaches its socket. */
  readonly bound: Reached;
  /** Who reaches what it offers: browsers too, where it lets them in. */
  readonly reach: Reached;
}

/** A port that serves metrics or profiles. */
export interface LivePort extends MetricsFacts {
  readonly listener: Listener | null;
  /** Where the settings switch it on or off. */
  readonly switchedAt: Span | null;
  readonly reach: Reached;
}

/** A gRPC port; `listener`: what opens it, the process before the settings. */
export interface LiveGrpc extends GrpcFacts {
  readonly listener: Listener | null;
  readonly reach: Reached;
}

export interface Live extends NodeKind {
  readonly endpoints: readonly LiveEndpoint[];
  readonly metrics: readonly LivePort[];
  readonly grpc: readonly LiveGrpc[];
  readonly process: LiveFacts['process'];
  readonly sockets: LiveFacts['sockets'];
}

/** The node of a target; null when nothing live was asked for. */
export function liveOf(facts: Facts): Live | null {
  const { live } = facts;
  if (live === null) return null;
  const settings = facts.conf?.state === 'seen' ? facts.conf.value.settings : null;
  const switchedAt = (kind: Listener['kind']): Span | null =>
    settings === null ? null : placeOf(settings, listenerFlags[kind].enable);
  const declared = (settings?.listeners ?? []).map(withoutAssumed);
  const started = live.process.state === 'seen' ? (live.process.value.settings?.listeners ?? []) : [];
  return {
    endpoints: live.endpoints.map((one) => {
      const { kind } = one.endpoint;
      const listener = listenerAt(declared, kind, one);
      const given = { listener, started: listenerAt(started, kind, one), settings };
      const bound = assumed(boundReach(one, given), live.assumed?.[kind]);
      return {
        ...one,
        name: nameOfEndpoint(one.endpoint),
        listener,
        started: given.started?.state === 'on',
        switchedAt: switchedAt(kind),
        bound,
        reach: withBrowsers(bound, one, given),
      };
    }),
    metrics: live.metrics.map((one) => {
      const listener = listenerAt(declared, one.kind, one);
      const given = { listener, started: listenerAt(started, one.kind, one) };
      const reach = assumed(reachOfPort(one, given), live.assumed?.[one.kind]);
      return { ...one, listener, switchedAt: switchedAt(one.kind), reach };
    }),
    grpc: (live.grpc ?? []).map((one) => {
      const opens = (listeners: readonly Listener[]): Listener | null => listenerAt(listeners, 'grpc', one);
      const given = { listener: opens(declared), started: opens(started) };
      const listener = given.started?.state === 'on' ? given.started : given.listener;
      return { ...one, listener, reach: assumed(reachOfPort(one, given), live.assumed?.grpc) };
    }),
    process: live.process,
    sockets: live.sockets,
    launcher: settings?.launcher ?? null,
    guessed: settings?.guessed === true,
    role: facts.role,
  };
}

/** The listener of that kind; a socket that nobody named belongs to it only where the port is the same. */
function listenerAt(
  listeners: readonly Listener[],
  kind: Listener['kind'],
  { source, ...at }: Pick<EndpointFacts, 'source'> & ({ endpoint: Endpoint } | { url: string }),
): Listener | null {
  const listener = listeners.find((one) => one.kind === kind) ?? null;
  if (source !== 'process' || listener === null) return listener;
  const url = 'url' in at ? at.url : at.endpoint.kind === 'ipc' ? null : at.endpoint.url;
  return url !== null && Number(new URL(url).port) === listener.port ? listener : null;
}

/** The endpoint as reports name it. */
export function nameOfEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}

/** True when some interface of the node answered: then one that does not is closed, not merely out of reach. */
export function isUp(live: Live): boolean {
  return live.endpoints.some(isOpen);
}

/** The endpoints of a kind that count: what the conf keeps closed and is closed raises no question. */
export function asked<K extends Endpoint['kind']>(live: Live, ...kinds: readonly K[]): EndpointOf<K>[] {
  return live.endpoints.filter(
    (one): one is EndpointOf<K> =>
      kinds.some((kind) => kind === one.endpoint.kind) && (isOpen(one) || one.listener?.state !== 'off'),
  );
}

/** An endpoint of one of these kinds. */
export type EndpointOf<K extends Endpoint['kind']> = LiveEndpoint & {
  readonly endpoint: { readonly kind: K };
};
