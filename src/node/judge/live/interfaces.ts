/** The interfaces of a live node: the facts of each, its listener in the settings, and who reaches it. */

import { isBoundTo } from '../../facts/access.js';
import { gateBefore, type PortGate } from '../../facts/firewall.js';
import type { OwnHop } from '../../facts/hops.js';
import type {
  Endpoint,
  EndpointFacts,
  EngineFacts,
  GrpcFacts,
  LiveFacts,
  MetricsFacts,
  PublishedPort,
  Socket,
} from '../../facts/live.js';
import { type Assumed, type Browsers, throughOwn, widest } from '../../facts/reach.js';
import type { ReleaseFound } from '../../facts/release.js';
import type { Listener } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Kind, KindListeners } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import { placeOfFlags } from '../settings/setting.js';
import {
  type KnownReach,
  type ListenerFacts,
  portReach,
  reachOfUrl,
  socketReach,
  withBrowserReach,
  withStatedReach,
} from './reach.js';

export interface LiveEndpoint extends EndpointFacts {
  /** As reports name it. */
  readonly name: string;
  /** Who reaches the addresses of its URL's host; empty for ipc, or for a name that does not resolve. */
  readonly addressed: readonly Assumed[];
  /** The kind of node that answers there; null if it is not known. */
  readonly kind: string | null;
  /** That kind at its release; null if it is not known here. */
  readonly nodeKind: Kind | null;
  /** Which release it is, or may be; null if it is not known, or another kind of node. */
  readonly release: ReleaseFound | null;
  /** The listener in the settings; null without settings, or if another kind of node answers. */
  readonly listener: Listener | null;
  /** Whether the command line or environment of the running process opens it. */
  readonly started: boolean;
  /** The place in the settings that switches it on or off. */
  readonly switchedAt: Span | null;
  /** Who reaches its socket, without browsers. */
  readonly bound: KnownReach;
  /** Who reaches what it offers, through browsers included. */
  readonly reach: KnownReach;
  /** Which web pages reach it through browsers; null if it is not known. */
  readonly browsers: Browsers;
}

/** A port that serves metrics or profiles. */
export interface LivePort extends MetricsFacts {
  readonly listener: Listener | null;
  /** The place in the settings that switches it on or off. */
  readonly switchedAt: Span | null;
  readonly reach: KnownReach;
}

/** `listener`: from the process if it opens the port, else from the settings. */
interface Opened {
  readonly listener: Listener | null;
  readonly reach: KnownReach;
}

export type LiveGrpc = GrpcFacts & Opened;
export type LiveEngine = EngineFacts & Opened;

export const noneKnown: Known = {
  settings: null,
  declared: [],
  started: [],
  published: [],
  sockets: [],
  closed: [],
};

/** Facts about the node besides its answers: settings, the listeners of settings and running process, and its machine. */
export interface Known {
  readonly settings: NodeSettings | null;
  readonly declared: readonly Listener[];
  readonly started: readonly Listener[];
  readonly published: readonly PublishedPort[];
  /** The sockets of its process. */
  readonly sockets: readonly Socket[];
  /** The ports that a firewall closes to those sockets. */
  readonly closed: readonly PortGate[];
}

export function liveEndpoint(
  one: EndpointFacts,
  known: Known,
  live: LiveFacts,
  nodeKind: KindListeners | null,
): Omit<LiveEndpoint, 'kind' | 'nodeKind' | 'release'> {
  const transport = one.endpoint.kind;
  const given = givenFor(transport, one, known);
  const bound = withStatedReach(socketReach(one, given, live.names), live.assumed?.[transport]);
  return {
    ...one,
    name: nameOfEndpoint(one.endpoint),
    addressed: one.endpoint.kind === 'ipc' ? [] : reachOfUrl(one.endpoint.url, live.names),
    listener: given.listener,
    started: given.started?.state === 'on',
    switchedAt: switchedAt(transport, known),
    bound,
    ...withBrowserReach(bound, one, given, nodeKind),
  };
}

export function livePort(one: MetricsFacts, known: Known, live: LiveFacts): LivePort {
  const { kind } = one;
  const given = givenFor(kind, one, known);
  const reach = withStatedReach(portReach(one, given, live.names), live.assumed?.[kind]);
  return { ...one, listener: given.listener, switchedAt: switchedAt(kind, known), reach };
}

/** A port of gRPC or of the engine API. */
export function openedPort<T extends GrpcFacts | EngineFacts>(
  kind: 'grpc' | 'authrpc',
  one: T,
  known: Known,
  live: LiveFacts,
): T & Opened {
  const given = givenFor(kind, one, known);
  const listener = given.started?.state === 'on' ? given.started : given.listener;
  return {
    ...one,
    listener,
    reach: withStatedReach(portReach(one, given, live.names), live.assumed?.[kind]),
  };
}

function switchedAt(kind: Listener['kind'], { settings }: Known): Span | null {
  return settings === null ? null : placeOfFlags(settings, settings.nodeKind.interfaces.flags[kind].enable);
}

function givenFor(kind: Listener['kind'], one: SeenListener, known: Known): ListenerFacts {
  const { settings, declared, started, published } = known;
  const at = (listeners: readonly Listener[]) => listenerAt(listeners, kind, one, published);
  return { listener: at(declared), started: at(started), settings, gate: gateAt(one, known) };
}

/** The gate of a firewall before the node's own sockets at this address; a port that is published is another socket. */
function gateAt({ bind, ...at }: SeenListener, { sockets, published, closed }: Known): OwnHop | null {
  const url = urlOf(at);
  if (bind.state !== 'seen' || url === null || closed.length === 0) return null;
  const port = Number(new URL(url).port);
  const isOwn = (address: string) => sockets.some((one) => one.address === address && one.port === port);
  if (published.some((one) => one.port === port) || !bind.value.every(isOwn)) return null;
  const gates = bind.value.map((host) => gateBefore({ kind: 'http', host, port }, closed));
  const all = gates.flatMap((gate) => (gate === null ? [] : [{ ...throughOwn(gate), gate }]));
  return all.length === 0 || all.length < gates.length ? null : widest(all).gate;
}

type At = { readonly endpoint: Endpoint } | { readonly url: string };
type SeenListener = Pick<EndpointFacts, 'source' | 'bind'> & At;

/** The listener of that kind. A socket found at the process belongs to it only if the port is the same. */
function listenerAt(
  listeners: readonly Listener[],
  kind: Listener['kind'],
  { source, bind, ...at }: SeenListener,
  published: readonly PublishedPort[],
): Listener | null {
  const listener = listeners.find((one) => one.kind === kind) ?? null;
  if (source !== 'process' || listener === null || kind === 'ipc') return listener;
  const url = urlOf(at);
  if (url === null) return null;
  const port = Number(new URL(url).port);
  const inside = published.find((one) => one.port === port)?.inside;
  if ((inside ?? port) !== listener.port) return null;
  const isOther = bind.state === 'seen' && !bind.value.some((one) => isBoundTo(listener.host, one));
  return inside === undefined && isOther ? null : listener;
}

function urlOf(at: At): string | null {
  if ('url' in at) return at.url;
  return at.endpoint.kind === 'ipc' ? null : at.endpoint.url;
}

function nameOfEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}
