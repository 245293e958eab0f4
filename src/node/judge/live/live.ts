/** A live node as rules see it: what was seen of each interface, the listener it belongs to, and who reaches it. */

import type { Facts } from '../../facts/facts.js';
import type { Endpoint, EndpointFacts, GrpcFacts, LiveFacts, MetricsFacts } from '../../facts/live.js';
import { withoutAssumed } from '../../facts/reach.js';
import type { TargetReport } from '../../facts/report.js';
import type { Listener, Settings } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { isKnown, kindAnswering, kindOfProgram, listenerFlags } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { placeOf } from '../settings/setting.js';
import { isOpen } from './answers.js';
import { assumed, boundReach, type Given, type Reached, reachOfPort, withBrowsers } from './reach.js';

export interface LiveEndpoint extends EndpointFacts {
  /** As reports name it. */
  readonly name: string;
  /** The kind of node that answers there; null: not known. */
  readonly kind: string | null;
  /** What the settings say of it; null without settings, and where another kind of node answers. */
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

export interface Live extends NodeIdentity {
  /** The kind of the node, as its interfaces answer or else as its settings and its process say; null: not known. */
  readonly kind: string | null;
  readonly kindBy: KindBy | null;
  /** The file whose node was not seen, because another kind of node answers; null: none. */
  readonly inPlaceOf: string | null;
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
  const started = live.process.state === 'seen' ? (live.process.value.settings?.listeners ?? []) : [];
  const known = { settings, declared: (settings?.listeners ?? []).map(withoutAssumed), started };
  const identity = identify(live, settings);
  return {
    ...identity,
    inPlaceOf: isOther(identity) ? (settings?.source.path ?? null) : null,
    endpoints: live.endpoints.map((one) => {
      const kind = kindAnswering(one) ?? identity.kind;
      return liveEndpoint(one, kind, isOther({ kind }) ? nothing : known, live);
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

/** What the kind of a node rests on, strongest first. */
export type KindBy = Exclude<TargetReport['kindBy'], undefined | null>;

/** The kind of the node; what answers counts before the process's name, and that before the settings. */
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

/** True for a kind that is known to be another. */
function isOther({ kind }: { readonly kind: string | null }): boolean {
  return kind !== null && !isKnown({ kind });
}

const nothing: Known = { settings: null, declared: [], started: [] };

/** What else is known of the node: its settings, and the listeners that they and the running process open. */
interface Known {
  readonly settings: Settings | null;
  readonly declared: readonly Listener[];
  readonly started: readonly Listener[];
}

function liveEndpoint(one: EndpointFacts, kind: string | null, known: Known, live: LiveFacts): LiveEndpoint {
  const transport = one.endpoint.kind;
  const given = givenFor(transport, one, known);
  const bound = assumed(boundReach(one, given), live.assumed?.[transport]);
  return {
    ...one,
    kind,
    name: nameOfEndpoint(one.endpoint),
    listener: given.listener,
    started: given.started?.state === 'on',
    switchedAt: switchedAt(transport, known),
    bound,
    reach: withBrowsers(bound, one, given),
  };
}

function livePort(one: MetricsFacts, known: Known, live: LiveFacts): LivePort {
  const { kind } = one;
  const given = givenFor(kind, one, known);
  const reach = assumed(reachOfPort(one, given), live.assumed?.[kind]);
  return { ...one, listener: given.listener, switchedAt: switchedAt(kind, known), reach };
}

function liveGrpc(one: GrpcFacts, known: Known, live: LiveFacts): LiveGrpc {
  const given = givenFor('grpc', one, known);
  const listener = given.started?.state === 'on' ? given.started : given.listener;
  return { ...one, listener, reach: assumed(reachOfPort(one, given), live.assumed?.grpc) };
}

function switchedAt(kind: Listener['kind'], { settings }: Known): Span | null {
  return settings === null ? null : placeOf(settings, listenerFlags(settings)[kind].enable);
}

function givenFor(kind: Listener['kind'], one: Place, { settings, declared, started }: Known): Given {
  return { listener: listenerAt(declared, kind, one), started: listenerAt(started, kind, one), settings };
}

type Place = Pick<EndpointFacts, 'source'> & ({ readonly endpoint: Endpoint } | { readonly url: string });

/** The listener of that kind; a socket that nobody named belongs to it only where the port is the same. */
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

/** The endpoint as reports name it. */
function nameOfEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}

/** A target's interfaces by whose they are; null: none are. */
export interface Parts {
  /** The Kaia node, and what did not answer. */
  readonly own: Live | null;
  /** What is judged as any node: another kind of node, or one that does not tell its kind. */
  readonly other: Live | null;
}

/**
 * Splits what was seen of a target. Where a Kaia node answers, or nothing does, all but the endpoints that answer as
 * another kind are its own. Elsewhere the endpoints are judged as those of any node; what the settings alone name, and
 * did not answer, is nothing of that node.
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
