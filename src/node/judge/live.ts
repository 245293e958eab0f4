/** A live node as rules see it: what was seen of each interface, the listener it belongs to, and who reaches it. */

import { withoutAssumed } from '../facts/assumed.js';
import type { Facts } from '../facts/facts.js';
import {
  type Endpoint,
  type EndpointFacts,
  type GrpcFacts,
  type LiveFacts,
  type MetricsFacts,
  namespaceOf,
} from '../facts/live.js';
import {
  type Assumed,
  assume,
  lettingPagesIn,
  type Reach,
  type ReachBy,
  reachOfBind,
  reachOfHost,
  widest,
} from '../facts/reach.js';
import { type BlindSpot, blindSpot, isMoot } from '../facts/seen.js';
import type { Listener, Settings } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { canonicalModule } from '../kinds/kaia/modules.js';
import type { NodeKind } from '../kinds/kaia/names.js';
import { placeOf } from './setting.js';

/** Who reaches an interface, and what that rests on. */
export interface Reached extends Assumed {
  readonly by: ReachBy;
  /** True when nothing but a loopback address that was dialled speaks for it: others may reach it too. */
  readonly lowerBound: boolean;
}

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

/** What the operator says counts, and is said wherever it is used. */
function assumed(reach: Reached, said: Reach | undefined): Reached {
  return said === undefined ? reach : { ...assume(reach, said), by: 'assumed', lowerBound: false };
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

/**
 * `http personal` for each module that the settings list there and the node does not offer: rpc_modules does not list it,
 * and where its namespace was asked too, that answered that it is absent.
 */
export function notOffered(endpoint: LiveEndpoint): string[] {
  const { listener } = endpoint;
  const offered = modulesOf(endpoint);
  if (offered === null || listener?.state !== 'on') return [];
  return namesListed(listener)
    .filter((name) => !offered.includes(name) && !mayAnswer(endpoint, name))
    .map((name) => `${listener.kind} ${name}`);
}

function mayAnswer({ methods }: EndpointFacts, name: string): boolean {
  const asked = Object.entries(methods).filter(([method]) => namespaceOf(method) === name);
  return asked.some(([, one]) => one.state !== 'seen' || one.value === 'present');
}

/** The names of a list, under today's names. */
export function namesListed({ listed }: Listener): string[] {
  return [...new Set((listed ?? []).map(({ name }) => canonicalModule(name)))];
}

/** Modules that answer although rpc_modules does not list them, sorted: proven one method each. */
export function unlistedModules(endpoint: EndpointFacts): string[] {
  const listed = modulesOf(endpoint) ?? [];
  const answering = Object.entries(endpoint.methods).flatMap(([method, one]) =>
    one.state === 'seen' && one.value === 'present' ? [namespaceOf(method)] : [],
  );
  return [...new Set(answering)].filter((name) => !listed.includes(name)).sort();
}

/** What keeps it open whether an interface offers more than it lists: each reason once. */
export function blindToUnlisted(endpoint: LiveEndpoint): BlindSpot[] {
  const { calibrated, methods, name } = endpoint;
  if (!isOpen(endpoint) || isMoot(calibrated)) return [];
  if (calibrated.state !== 'seen') return [blindSpot(name, calibrated)];
  return Object.values(methods).flatMap((one) => (one.state === 'seen' ? [] : [blindSpot(name, one)]));
}

/** Why it is not known whether a gRPC port that settings open listens. */
export function blindToGrpc({ grpc }: Live): BlindSpot[] {
  return grpc.flatMap(({ url, listening }) =>
    listening.state === 'seen' || isMoot(listening) ? [] : [blindSpot(`grpc ${url}`, listening)],
  );
}

/** Why a fact of an endpoint is missing, as a blind spot; empty when it was seen. */
export function blindTo(
  endpoint: LiveEndpoint,
  fact: 'modules' | 'accounts' | 'foreignHost' | 'foreignOrigin' | 'calibrated' | 'client',
): BlindSpot[] {
  const value = endpoint[fact];
  return value.state === 'seen' ? [] : [blindSpot(endpoint.name, value)];
}

interface Given {
  readonly listener: Listener | null;
  /** The same as the running process was started. */
  readonly started: Listener | null;
  readonly settings: Settings | null;
}

/** Who reaches its socket: the widest of what the kernel, the process, the settings and the address say. */
function boundReach(endpoint: EndpointFacts, { listener, started, settings }: Given): Reached {
  const { endpoint: at, bind } = endpoint;
  if (at.kind === 'ipc') {
    const because = 'users of this machine who can open the socket';
    return { reach: 'ipc', because, by: 'address', lowerBound: false };
  }
  const bound = bind.state === 'seen' ? bind.value.map(reachOfHost) : [];
  const dialled = endpoint.source === 'conf' ? [] : [reachOfHost(hostOf(at.url))];
  return weigh([
    ...by('socket', bound),
    ...by('process', boundTo(started, null)),
    ...by('settings', listener?.state === 'off' && bound.length > 0 ? [] : boundTo(listener, settings)),
    ...by('address', dialled),
  ]);
}

/** The same with the browsers it lets in, as the settings say and as they stood open: no firewall keeps those out. */
function withBrowsers(bound: Reached, endpoint: EndpointFacts, { listener, started }: Given): Reached {
  if (endpoint.endpoint.kind === 'ipc') return bound;
  const said = (one: Listener | null): Assumed[] => (one?.state === 'on' ? lettingPagesIn(one) : []);
  const ways = [
    ...by('process', said(started)),
    ...by('settings', said(listener)),
    ...by('address', throughBrowsers(endpoint)),
  ];
  return widest([bound, ...ways.map((way) => ({ ...way, lowerBound: false }))]);
}

/** A metrics port binds every interface (metrics/utils/metrics.go), pprof what the settings say. */
function reachOfPort(
  port: Pick<MetricsFacts, 'bind' | 'url'>,
  { listener, started }: Omit<Given, 'settings'>,
): Reached {
  const bound = port.bind.state === 'seen' ? port.bind.value.map(reachOfHost) : [];
  const opened = (one: Listener | null): Assumed[] => (one?.state === 'on' ? [reachOfBind(one)] : []);
  return weigh([
    ...by('socket', bound),
    ...by('process', opened(started)),
    ...by('settings', opened(listener)),
    ...by('address', [reachOfHost(hostOf(port.url))]),
  ]);
}

type Evidence = Assumed & { readonly by: ReachBy };

function by(evidence: ReachBy, all: readonly Assumed[]): Evidence[] {
  return all.map((one) => ({ ...one, by: evidence }));
}

/** The widest counts, of equals the strongest; that a loopback address answers does not say who else gets through. */
function weigh(all: readonly Evidence[]): Reached {
  const least: Evidence = { reach: 'loopback', because: 'this machine reaches it', by: 'address' };
  const most = widest(all.length === 0 ? [least] : all);
  return { ...most, lowerBound: most.reach === 'loopback' && most.by === 'address' };
}

/** By the address the settings bind; for an interface they keep closed, by the one it would have. */
function boundTo(listener: Listener | null, settings: Settings | null): Assumed[] {
  if (listener?.state === 'on') return [reachOfBind(listener)];
  if (listener?.state !== 'off' || settings === null) return [];
  const { addr } = listenerFlags[listener.kind === 'ws' ? 'ws' : 'http'];
  const address = settings.keys[addr]?.value ?? settings.values[addr]?.value ?? null;
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
