/** Who reaches a live interface: the widest reach of kernel, process, settings and address. */

import type { OwnHop } from '../../facts/hops.js';
import type { EndpointFacts, MetricsFacts, Names } from '../../facts/live.js';
import {
  type Assumed,
  assume,
  type Browsers,
  behindOwn,
  besides,
  type Reach,
  type ReachBy,
  reachByBrowsers,
  reachByRelays,
  reachOfBind,
  reachOfHost,
  widest,
} from '../../facts/reach.js';
import { seenValue } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import { uncheckedList } from '../../kinds/interfaces.js';
import type { KindListeners } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import { isAccessClosed, isAccessOpen } from './answers.js';

/** Who reaches an interface, with the evidence. */
export interface KnownReach extends Assumed {
  readonly by: ReachBy;
  /** Whether the only evidence is a loopback address that answered: others may reach it too. */
  readonly lowerBound: boolean;
  /** The rules of a firewall that narrow it: "nft (rules in force)". It is absent if there is none. */
  readonly via?: readonly string[];
}

/** The reach that the operator stated with --assume-reach, if any, overrides the evidence. */
export function withStatedReach(reach: KnownReach, stated: Reach | undefined): KnownReach {
  return stated === undefined ? reach : { ...assume(reach, stated), by: 'assumed', lowerBound: false };
}

/** The listener of a live interface, where known. */
export interface ListenerFacts {
  readonly listener: Listener | null;
  /** The listener that the running process was started with. */
  readonly started: Listener | null;
  readonly settings: NodeSettings | null;
  /** The gate of a firewall before its socket, however it is bound and dialled; absent or null: none. */
  readonly gate?: OwnHop | null;
}

/** Who reaches the addresses of a URL's host; empty if its name does not resolve. */
export function reachOfUrl(url: string, names: Names = {}): Assumed[] {
  const host = new URL(url).hostname;
  const named = Object.hasOwn(names, host) ? names[host] : undefined;
  return named === undefined ? [reachOfHost(host)] : (seenValue(named) ?? []).map(reachOfHost);
}

/** Who reaches the socket of an endpoint. */
export function socketReach(endpoint: EndpointFacts, given: ListenerFacts, names?: Names): KnownReach {
  const { listener, started, settings, gate = null } = given;
  const { endpoint: at, bind } = endpoint;
  const relayed = [...by('process', throughRelays(started)), ...by('settings', throughRelays(listener))];
  if (at.kind === 'ipc') {
    const because = 'users of this machine who can open the socket';
    return widestReach([{ reach: 'ipc', because, by: 'address' }, ...relayed]);
  }
  const bound = bind.state === 'seen' ? bind.value.map(reachOfHost) : [];
  const dialled = endpoint.source === 'conf' ? [] : reachOfUrl(at.url, names);
  return widestReach([
    ...by('socket', limited(bound, gate)),
    ...by('process', boundTo(started, null)),
    ...by('settings', isInForce(given, bound.length > 0) ? boundTo(listener, settings) : []),
    ...by('address', limited(dialled, gate)),
    ...relayed,
  ]);
}

/** Who gets to an interface through the forwarders that lead to it, without a login. */
function throughRelays(one: Listener | null): Assumed[] {
  return one?.state === 'on' ? reachByRelays(one) : [];
}

/**
 * False if the process is known to run with other settings: those of the file count after a restart. Ports that a
 * container publishes are not in its process.
 */
function isInForce({ listener, started }: ListenerFacts, isBound: boolean): boolean {
  if (listener?.state === 'off') return !isBound;
  if (started === null || listener?.container !== undefined) return true;
  return started.state === 'on' ? started.host === null : !isBound;
}

/** Who reaches what an endpoint offers, and which pages do through browsers. */
export interface Browsed {
  readonly reach: KnownReach;
  readonly browsers: Browsers;
}

/** Adds browsers, where settings or access checks let foreign pages in. A firewall does not stop those. */
export function withBrowserReach(
  bound: KnownReach,
  endpoint: EndpointFacts,
  given: ListenerFacts,
  nodeKind: KindListeners | null,
): Browsed {
  if (endpoint.endpoint.kind === 'ipc') return { reach: bound, browsers: 'none' };
  const isBound = endpoint.bind.state === 'seen' && endpoint.bind.value.length > 0;
  const openToPages = (one: Listener | null): Assumed[] =>
    one?.state === 'on' ? reachByBrowsers(withoutRefuted(one, endpoint)) : [];
  const ways = [
    ...by('process', openToPages(given.started)),
    ...by('settings', isInForce(given, isBound) ? openToPages(given.listener) : []),
    ...by('address', throughBrowsers(endpoint, bound.reach, nodeKind)),
  ];
  const pages = ways.map((way) => ({ ...besides(bound, way), lowerBound: false }));
  return {
    reach: widest([bound, ...pages]),
    browsers: ways.length > 0 ? 'any page' : checkedBrowsers(endpoint, given.started ?? given.listener),
  };
}

/** Which pages reach an endpoint that refused a foreign one; null if a check was not seen. */
function checkedBrowsers(endpoint: EndpointFacts, listener: Listener | null): Browsers {
  const { kind } = endpoint.endpoint;
  const isRefused =
    isAccessClosed(endpoint.foreignOrigin) && (kind === 'ws' || isAccessClosed(endpoint.foreignHost));
  if (!isRefused) return null;
  return (listener?.origins ?? []).length > 0 ? 'listed' : 'none';
}

/** Without the access lists that a check on the live node refuted. */
function withoutRefuted(listener: Listener, { foreignOrigin, foreignHost }: EndpointFacts): Listener {
  return {
    ...listener,
    ...(isAccessClosed(foreignOrigin) ? { origins: [] } : {}),
    ...(isAccessClosed(foreignHost) ? { vhosts: [] } : {}),
  };
}

/** Who reaches a port of metrics, pprof or grpc. A metrics port binds every address (metrics/utils/metrics.go). */
export function portReach(
  port: Pick<MetricsFacts, 'bind' | 'url'>,
  { listener, started, gate = null }: ListenerFacts,
  names?: Names,
): KnownReach {
  const bound = port.bind.state === 'seen' ? port.bind.value.map(reachOfHost) : [];
  const opened = (one: Listener | null): Assumed[] => (one?.state === 'on' ? [reachOfBind(one)] : []);
  return widestReach([
    ...by('socket', limited(bound, gate)),
    ...by('process', opened(started)),
    ...by('settings', opened(listener)),
    ...by('address', limited(reachOfUrl(port.url, names), gate)),
  ]);
}

type Limited = Assumed & Pick<KnownReach, 'via'>;
type Evidence = Limited & { readonly by: ReachBy };

function by(evidence: ReachBy, all: readonly Limited[]): Evidence[] {
  return all.map((one) => ({ ...one, by: evidence }));
}

function limited(all: readonly Assumed[], gate: OwnHop | null): Limited[] {
  return all.map((one) => (gate === null ? one : behindOwn(one, gate)));
}

/** The widest reach; of equals, the one with the strongest evidence. */
function widestReach(all: readonly Evidence[]): KnownReach {
  const fallback: Evidence = { reach: 'loopback', because: 'this machine reaches it', by: 'address' };
  const widestOne = widest(all.length === 0 ? [fallback] : all);
  return { ...widestOne, lowerBound: widestOne.reach === 'loopback' && widestOne.by === 'address' };
}

/** The address that settings bind; for a closed interface, the address it would have. */
function boundTo(listener: Listener | null, settings: NodeSettings | null): Assumed[] {
  if (listener?.state === 'on') return [reachOfBind(listener)];
  if (listener?.state !== 'off' || settings === null) return [];
  const { addr } = settings.nodeKind.interfaces.flags[listener.kind === 'ws' ? 'ws' : 'http'];
  const address = addr === null ? null : (settings.keys[addr]?.value ?? settings.values[addr]?.value ?? null);
  return [reachOfHost(address === null ? null : String(address))];
}

function throughBrowsers(
  { endpoint, foreignOrigin, foreignHost }: EndpointFacts,
  unchecked: Reach,
  nodeKind: KindListeners | null,
): Assumed[] {
  const lacked = nodeKind === null ? null : uncheckedList(endpoint.kind, nodeKind.interfaces.checks);
  const held = (list: typeof lacked) => (list === lacked ? { unchecked } : {});
  const through = 'any web page reaches it through a visitor’s browser';
  if (isAccessOpen(foreignOrigin))
    return [{ reach: 'any', because: `${through} (a foreign Origin was accepted)`, ...held('origins') }];
  if (isAccessOpen(foreignHost))
    return [{ reach: 'any', because: `${through} (a foreign Host was accepted)`, ...held('vhosts') }];
  return [];
}
