/** A live node as rules see it: the facts of each interface, its listener in the settings, and who reaches it. */
import type { Facts } from '../../facts/facts.js';
import type {
  Endpoint,
  EndpointFacts,
  GrpcFacts,
  LiveFacts,
  MetricsFacts,
  PublishedPort,
  Socket,
} from '../../facts/live.js';
import { withoutAssumed } from '../../facts/reach.js';
import type { ReleaseFound } from '../../facts/release.js';
import type { TargetReport } from '../../facts/report.js';
import { isRefused } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { starterOfProcess } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { kindAnswering, kindKnown, type Node, type NodeSettings, withKind } from '../../kinds/node.js';
import { placeOf } from '../settings/setting.js';
import { isOpen } from './answers.js';
import { isRestartPending } from './command-line.js';
import {
  type KnownReach,
  type ListenerFacts,
  portReach,
  socketReach,
  withBrowserReach,
  withStatedReach,
} from './reach.js';
import { releaseSeen } from './release.js';

export interface LiveEndpoint extends EndpointFacts {
  /** As reports name it. */
  readonly name: string;
  /** The kind of node that answers there; null: not known. */
  readonly kind: string | null;
  /** That kind at its release; null: not known here. */
  readonly nodeKind: Kind | null;
  /** Which release it is, or may be; null: not known, or another kind of node. */
  readonly release: ReleaseFound | null;
  /** The listener in the settings; null without settings, or if another kind of node answers. */
  readonly listener: Listener | null;
  /** True if the command line or environment of the running process opens it. */
  readonly started: boolean;
  /** The place in the settings that switches it on or off. */
  readonly switchedAt: Span | null;
  /** Who reaches its socket, without browsers. */
  readonly bound: KnownReach;
  /** Who reaches what it offers, through browsers included. */
  readonly reach: KnownReach;
}

/** A port that serves metrics or profiles. */
export interface LivePort extends MetricsFacts {
  readonly listener: Listener | null;
  /** The place in the settings that switches it on or off. */
  readonly switchedAt: Span | null;
  readonly reach: KnownReach;
}

/** A gRPC port. `listener`: from the process if it opens the port, else from the settings. */
export interface LiveGrpc extends GrpcFacts {
  readonly listener: Listener | null;
  readonly reach: KnownReach;
}

export interface Live extends Node {
  /** The kind of the node, from its answers, else from its process or settings; null: not known. */
  readonly kind: string | null;
  readonly kindBy: KindBy | null;
  /** The file of settings whose node was not seen, because another kind of node answers; null: none. */
  readonly inPlaceOf: string | null;
  readonly endpoints: readonly LiveEndpoint[];
  readonly metrics: readonly LivePort[];
  readonly grpc: readonly LiveGrpc[];
  readonly process: LiveFacts['process'];
  /** The settings that the running process was started with; null: not known. */
  readonly started: NodeSettings | null;
  readonly sockets: LiveFacts['sockets'];
  /** Sockets that may be the process's. */
  readonly unmatched: readonly Socket[];
  /** True if the process was started with other settings than the file now contains. */
  readonly isRestartPending: boolean;
}

/** The live node of a target; null if the target has none. */
export function liveOf(facts: Facts, kinds: readonly Kind[]): Live | null {
  const { live } = facts;
  if (live === null) return null;
  const settings = facts.conf?.state === 'seen' ? withKind(kinds, facts.conf.value.settings) : null;
  const running = live.process.state === 'seen' ? live.process.value.settings : null;
  const started = running === null ? null : withKind(kinds, running);
  const known = {
    settings,
    declared: (settings?.listeners ?? []).map(withoutAssumed),
    started: started?.listeners ?? [],
    published: (live.process.state === 'seen' ? live.process.value.published : null) ?? [],
  };
  const found = releaseSeen(facts, kinds);
  /** The kind with this id: another one than those known here has neither a release nor these settings. */
  const identified = (kind: string | null) => {
    const nodeKind = kindKnown(kinds, { kind, release: found });
    const isForeign = kind !== null && nodeKind === null;
    return { kind, nodeKind, release: isForeign ? null : found, isForeign };
  };
  const { kind: own, kindBy } = identify(live, settings, kinds);
  const { isForeign, ...identity } = identified(own);
  return {
    ...identity,
    kindBy,
    inPlaceOf: isForeign ? (settings?.source.path ?? null) : null,
    endpoints: live.endpoints.map((one) => {
      const { isForeign, ...identity } = identified(kindAnswering(kinds, one) ?? own);
      return { ...liveEndpoint(one, isForeign ? noneKnown : known, live), ...identity };
    }),
    metrics: live.metrics.map((one) => livePort(one, known, live)),
    grpc: (live.grpc ?? []).map((one) => liveGrpc(one, known, live)),
    process: live.process,
    started,
    sockets: live.sockets,
    unmatched: live.unmatched ?? [],
    isRestartPending: settings !== null && isRestartPending(settings, live),
    launcher: settings?.launcher ?? null,
    ...(settings === null ? {} : { by: settings.by }),
    role: facts.role,
  };
}

/** The evidence for the kind of a node, strongest first. */
export type KindBy = Exclude<TargetReport['kindBy'], undefined | null>;

/** The program's build information counts before the answers, those before its name, and that before the settings. */
function identify(
  { endpoints, process: node }: LiveFacts,
  settings: NodeSettings | null,
  kinds: readonly Kind[],
): Pick<Live, 'kind' | 'kindBy'> {
  const starter = node.state === 'seen' ? starterOfProcess(kinds, node.value) : null;
  if (starter?.by === 'build') return { kind: starter.kind.id, kindBy: 'build' };
  const answers = endpoints.filter(isOpen).flatMap((one) => kindAnswering(kinds, one) ?? []);
  const [first = null] = answers;
  const known = answers.find((kind) => kindKnown(kinds, { kind }) !== null);
  if (first !== null) return { kind: known ?? first, kindBy: 'answer' };
  if (node.state === 'seen') {
    const kind = starter?.kind.id ?? settings?.kind;
    if (kind !== undefined) return { kind, kindBy: 'name' };
  }
  return settings === null ? { kind: null, kindBy: null } : { kind: settings.kind, kindBy: 'settings' };
}

const noneKnown: Known = { settings: null, declared: [], started: [], published: [] };

/** Facts about the node besides its answers: settings, and the listeners of settings and running process. */
interface Known {
  readonly settings: NodeSettings | null;
  readonly declared: readonly Listener[];
  readonly started: readonly Listener[];
  readonly published: readonly PublishedPort[];
}

function liveEndpoint(
  one: EndpointFacts,
  known: Known,
  live: LiveFacts,
): Omit<LiveEndpoint, 'kind' | 'nodeKind' | 'release'> {
  const transport = one.endpoint.kind;
  const given = givenFor(transport, one, known);
  const bound = withStatedReach(socketReach(one, given), live.assumed?.[transport]);
  return {
    ...one,
    name: nameOfEndpoint(one.endpoint),
    listener: given.listener,
    started: given.started?.state === 'on',
    switchedAt: switchedAt(transport, known),
    bound,
    reach: withBrowserReach(bound, one, given),
  };
}

function livePort(one: MetricsFacts, known: Known, live: LiveFacts): LivePort {
  const { kind } = one;
  const given = givenFor(kind, one, known);
  const reach = withStatedReach(portReach(one, given), live.assumed?.[kind]);
  return { ...one, listener: given.listener, switchedAt: switchedAt(kind, known), reach };
}

function liveGrpc(one: GrpcFacts, known: Known, live: LiveFacts): LiveGrpc {
  const given = givenFor('grpc', one, known);
  const listener = given.started?.state === 'on' ? given.started : given.listener;
  return { ...one, listener, reach: withStatedReach(portReach(one, given), live.assumed?.grpc) };
}

function switchedAt(kind: Listener['kind'], { settings }: Known): Span | null {
  return settings === null ? null : placeOf(settings, settings.nodeKind.interfaces.flags[kind].enable);
}

function givenFor(kind: Listener['kind'], one: Place, known: Known): ListenerFacts {
  const { settings, declared, started, published } = known;
  const at = (listeners: readonly Listener[]) => listenerAt(listeners, kind, one, published);
  return { listener: at(declared), started: at(started), settings };
}

type Place = Pick<EndpointFacts, 'source'> & ({ readonly endpoint: Endpoint } | { readonly url: string });

/** The listener of that kind. A socket found at the process belongs to it only if the port is the same. */
function listenerAt(
  listeners: readonly Listener[],
  kind: Listener['kind'],
  { source, ...at }: Place,
  published: readonly PublishedPort[],
): Listener | null {
  const listener = listeners.find((one) => one.kind === kind) ?? null;
  if (source !== 'process' || listener === null || kind === 'ipc') return listener;
  const url = 'url' in at ? at.url : at.endpoint.kind === 'ipc' ? null : at.endpoint.url;
  if (url === null) return null;
  const port = Number(new URL(url).port);
  return (published.find((one) => one.port === port)?.inside ?? port) === listener.port ? listener : null;
}

function nameOfEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}

/** The interfaces of a target by node; null: none. */
export interface Parts {
  /** The node of a known kind, and interfaces that did not answer. */
  readonly own: Live | null;
  /** A node of another or unknown kind, judged by the rules for any node. */
  readonly other: Live | null;
}

/**
 * Splits the interfaces of a target by node. If a node of a known kind answers, or nothing does, all endpoints are its own
 * except those that answer as another kind. Otherwise they are judged as those of any node, without the endpoints that
 * only the settings name and that did not answer.
 */
export function partsOf(live: Live): Parts {
  const answering = live.endpoints.filter(isOpen);
  if (live.nodeKind !== null || answering.length === 0) {
    const others = answering.filter((one) => one.nodeKind === null);
    const own = live.endpoints.filter((one) => !others.includes(one));
    const { kind = null, nodeKind = null } = others[0] ?? {};
    return {
      own: { ...live, endpoints: own },
      other: others.length === 0 ? null : anyNode(live, { kind, nodeKind, endpoints: others, metrics: [] }),
    };
  }
  const named = live.endpoints.filter((one) => isOpen(one) || one.source !== 'conf');
  return { own: null, other: anyNode(live, { endpoints: named }) };
}

function anyNode(live: Live, part: Partial<Live>): Live {
  return { ...live, launcher: null, grpc: [], ...part };
}

/** True if an interface of the node answered: another one that refuses connections is then closed, not out of reach. */
export function isUp(live: Live): boolean {
  return live.endpoints.some(isOpen);
}

/** The endpoints of these kinds, without those that are closed as the settings say. */
export function relevantEndpoints<K extends Endpoint['kind']>(
  live: Live,
  ...kinds: readonly K[]
): EndpointOf<K>[] {
  return live.endpoints.filter(
    (one): one is EndpointOf<K> =>
      kinds.some((kind) => kind === one.endpoint.kind) && (isOpen(one) || !isClosed(live, one)),
  );
}

/** True if the settings close it, or if only a restart would open it. */
function isClosed({ isRestartPending, started }: Live, one: LiveEndpoint): boolean {
  if (one.listener?.state === 'off') return true;
  return isRestartPending && started !== null && !one.started && isRefused(one.modules);
}

/** An endpoint of one of these kinds. */
export type EndpointOf<K extends Endpoint['kind']> = LiveEndpoint & {
  readonly endpoint: { readonly kind: K };
};
