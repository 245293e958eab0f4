/** A live node as rules see it: the facts of each interface, its listener in the settings, and who reaches it. */

import type { Facts } from '../../facts/facts.js';
import type { Endpoint, EndpointFacts, GrpcFacts, LiveFacts, MetricsFacts } from '../../facts/live.js';
import { withoutAssumed } from '../../facts/reach.js';
import type { ReleaseFound } from '../../facts/release.js';
import type { TargetReport } from '../../facts/report.js';
import type { Listener, Settings } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { isKnown, kindAnswering, kindOfProgram, listenerFlags } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { placeOf } from '../settings/setting.js';
import { isOpen } from './answers.js';
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

export interface Live extends NodeIdentity {
  /** The kind of the node, from its answers, else from its process or settings; null: not known. */
  readonly kind: string | null;
  readonly kindBy: KindBy | null;
  /** The file of settings whose node was not seen, because another kind of node answers; null: none. */
  readonly inPlaceOf: string | null;
  readonly endpoints: readonly LiveEndpoint[];
  readonly metrics: readonly LivePort[];
  readonly grpc: readonly LiveGrpc[];
  readonly process: LiveFacts['process'];
  readonly sockets: LiveFacts['sockets'];
}

/** The live node of a target; null if the target has none. */
export function liveOf(facts: Facts): Live | null {
  const { live } = facts;
  if (live === null) return null;
  const settings = facts.conf?.state === 'seen' ? facts.conf.value.settings : null;
  const started = live.process.state === 'seen' ? (live.process.value.settings?.listeners ?? []) : [];
  const known = { settings, declared: (settings?.listeners ?? []).map(withoutAssumed), started };
  const identity = identify(live, settings);
  const release = releaseSeen(facts);
  return {
    ...identity,
    release: isForeign(identity) ? null : release,
    inPlaceOf: isForeign(identity) ? (settings?.source.path ?? null) : null,
    endpoints: live.endpoints.map((one) => {
      const kind = kindAnswering(one) ?? identity.kind;
      const endpoint = liveEndpoint(one, kind, isForeign({ kind }) ? noneKnown : known, live);
      return { ...endpoint, release: isForeign({ kind }) ? null : release };
    }),
    metrics: live.metrics.map((one) => livePort(one, known, live)),
    grpc: (live.grpc ?? []).map((one) => liveGrpc(one, known, live)),
    process: live.process,
    sockets: live.sockets,
    launcher: settings?.launcher ?? null,
    ...(settings === null ? {} : { by: settings.by }),
    role: facts.role,
  };
}

/** The evidence for the kind of a node, strongest first. */
export type KindBy = Exclude<TargetReport['kindBy'], undefined | null>;

/** Answers count before the program's name, and that counts before the settings. */
function identify(
  { endpoints, process: node }: LiveFacts,
  settings: Settings | null,
): Pick<Live, 'kind' | 'kindBy'> {
  const answers = endpoints.filter(isOpen).flatMap((one) => kindAnswering(one) ?? []);
  const [first = null] = answers;
  if (first !== null) return { kind: answers.find((kind) => isKnown({ kind })) ?? first, kindBy: 'answer' };
  if (node.state === 'seen') {
    const program = (node.value.argv[0] ?? '').replace(/^.*\//, '');
    const kind = kindOfProgram(program)?.id ?? settings?.kind;
    if (kind !== undefined) return { kind, kindBy: 'name' };
  }
  return settings === null ? { kind: null, kindBy: null } : { kind: settings.kind, kindBy: 'settings' };
}

/** True for a kind of node that kaiactl does not know. */
function isForeign({ kind }: { readonly kind: string | null }): boolean {
  return kind !== null && !isKnown({ kind });
}

const noneKnown: Known = { settings: null, declared: [], started: [] };

/** Facts about the node besides its answers: settings, and the listeners of settings and running process. */
interface Known {
  readonly settings: Settings | null;
  readonly declared: readonly Listener[];
  readonly started: readonly Listener[];
}

function liveEndpoint(
  one: EndpointFacts,
  kind: string | null,
  known: Known,
  live: LiveFacts,
): Omit<LiveEndpoint, 'release'> {
  const transport = one.endpoint.kind;
  const given = givenFor(transport, one, known);
  const bound = withStatedReach(socketReach(one, given), live.assumed?.[transport]);
  return {
    ...one,
    kind,
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
  return settings === null ? null : placeOf(settings, listenerFlags(settings)[kind].enable);
}

function givenFor(kind: Listener['kind'], one: Place, { settings, declared, started }: Known): ListenerFacts {
  return { listener: listenerAt(declared, kind, one), started: listenerAt(started, kind, one), settings };
}

type Place = Pick<EndpointFacts, 'source'> & ({ readonly endpoint: Endpoint } | { readonly url: string });

/** The listener of that kind. A socket found at the process belongs to it only if the port is the same. */
function listenerAt(
  listeners: readonly Listener[],
  kind: Listener['kind'],
  { source, ...at }: Place,
): Listener | null {
  const listener = listeners.find((one) => one.kind === kind) ?? null;
  if (source !== 'process' || listener === null) return listener;
  const url = 'url' in at ? at.url : at.endpoint.kind === 'ipc' ? null : at.endpoint.url;
  return url !== null && Number(new URL(url).port) === listener.port ? listener : null;
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
  if (isKnown(live) || answering.length === 0) {
    const others = answering.filter((one) => !isKnown(one));
    const own = live.endpoints.filter((one) => !others.includes(one));
    const { kind = null } = others[0] ?? {};
    return {
      own: { ...live, endpoints: own },
      other: others.length === 0 ? null : anyNode(live, { kind, endpoints: others, metrics: [] }),
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
      kinds.some((kind) => kind === one.endpoint.kind) && (isOpen(one) || one.listener?.state !== 'off'),
  );
}

/** An endpoint of one of these kinds. */
export type EndpointOf<K extends Endpoint['kind']> = LiveEndpoint & {
  readonly endpoint: { readonly kind: K };
};
