/** Who can reach an interface. */
import { isIP } from 'node:net';
import { basename } from 'node:path';
import ipaddr from 'ipaddr.js';
import { oncePerKey } from '../../util/once-per.js';
import { isWildcard, originsOf } from './access.js';
import { type Destination, type OwnHop, openTo, type PortHop, type RelayHop } from './hops.js';
import { isLocal, type Listener, type ListenerKind, type Settings } from './settings.js';
import { type Held, narrower, type Reach, reaches } from './severity.js';

export { bySeverityAndReach, type Reach, reaches } from './severity.js';

/** The evidence for a reach, strongest first; `assumed`: stated by the operator. */
export const reachEvidence = ['socket', 'process', 'settings', 'address', 'assumed'] as const;
export type ReachBy = (typeof reachEvidence)[number];

/** A reach and its reason: "any address reaches it (0.0.0.0 is every interface)". */
export interface Assumed extends Held {
  readonly reach: Reach;
  readonly because: string;
}

/** The largest reach; of equals the first that needs no missing check. `all` is not empty. */
export function widest<T extends Assumed>(all: readonly T[]): T {
  const rank = ({ reach, unchecked }: T) => 2 * reaches.indexOf(reach) + (unchecked === undefined ? 1 : 0);
  return all.reduce((a, b) => (rank(b) > rank(a) ? b : a));
}

/** Who reaches a socket bound to this host, or a URL with it. */
export const reachOfHost = oncePerKey((host: string | null): Assumed => {
  if (host === null) {
    return {
      reach: 'any',
      because: 'any address is assumed to reach it, since its address cannot be known offline',
    };
  }
  const bare = bareOf(host).toLowerCase();
  const address = ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
  if (bare === '' || bare === '*' || /^(?:0\.0\.0\.0|::)$/.test(address?.toString() ?? '')) {
    return {
      reach: 'any',
      because: `any address reaches it (${host === '' ? 'no host' : host} is every interface)`,
    };
  }
  const range = /^(?:.*\.)?localhost$/.test(bare) ? 'loopback' : address?.range();
  if (range === 'loopback') return { reach: 'loopback', because: `this machine reaches it (${host})` };
  if (privateRanges.includes(range))
    return { reach: 'private', because: `the private network reaches it (${host})` };
  return { reach: 'any', because: `any address reaches it (${host} is not a private address)` };
}, 1_000);

/** Who reaches a listener's socket: by its address, or by the published port of its container. */
export function reachOfBind(listener: Listener): Assumed {
  const { assumed } = listener;
  const found = onceStarted(listener, reachOfSocket(listener));
  return withLogin(listener, assumed === undefined ? found : assume(found, assumed));
}

function withLogin({ login }: Listener, { reach, because }: Assumed): Assumed {
  return login === undefined
    ? { reach, because }
    : { reach, because: `${because}, and needs its ${login}`, login };
}

function onceStarted({ refused }: Listener, { reach, because }: Assumed): Assumed {
  return { reach, because: refused === true ? `${because}, once it starts` : because };
}

/** Replaces a reach by the one the operator states; the reason names the operator. */
export function assume<T extends Assumed>(without: T, reach: Reach): Assumed {
  const because = `${callers[reach]} reaches it, as --assume-reach says (without it: ${without.because})`;
  return { reach, because };
}

function reachOfSocket(listener: Listener): Assumed {
  const bound = reachOfHost(listener.host);
  const { container } = listener;
  const own = ownHop(listener);
  const limited = own === undefined ? bound : behindOwn(bound, own);
  if (limited !== bound) return limited;
  if (container === undefined) return bound;
  if (isContainerOnly(listener)) {
    const why = bound.reach === 'loopback' ? ` (${listener.host})` : ': it has no network';
    return { reach: 'loopback', because: `its container alone reaches it${why}` };
  }
  const published = publishedBy(listener);
  if (published === null)
    return { reach: 'private', because: `${container.network} reach it: no port is published for it` };
  const { host, port, because, access } = published;
  const reach = access.open ?? 'private';
  return {
    reach,
    because: `${callers[reach]} reaches it: ${because}${host === null && port === null ? '' : ` on ${host ?? '?'}${port === null ? '' : `:${port}`}`}`,
  };
}

/** A published port; without `access`, of those who reach its host. */
export function portHop(one: Omit<PortHop, 'of' | 'access'> & Partial<Pick<PortHop, 'access'>>): PortHop {
  return { of: 'port', access: openTo(reachOfHost(one.host).reach), ...one };
}

/** What limits who connects to the address that a listener binds; undefined if there is nothing. */
export function ownHop({ hops = [] }: Pick<Listener, 'hops'>): OwnHop | undefined {
  return hops.find((one) => one.of === 'address');
}

/** The widest published port without a login; null if there is none. */
export function publishedBy({ hops = [] }: Pick<Listener, 'hops'>): PortHop | null {
  const all = hops.flatMap((hop) =>
    hop.of === 'port' && hop.access.open !== null ? [{ hop, reach: hop.access.open, because: '' }] : [],
  );
  return all.length === 0 ? null : widest(all).hop;
}

/** Whether a listener is in a container that publishes no port for it. */
export function isUnpublished(listener: Pick<Listener, 'container' | 'hops'>): boolean {
  return listener.container !== undefined && publishedBy(listener) === null;
}

/** The programs that forward to a listener. */
export function relaysTo({ hops = [] }: Listener): readonly RelayHop[] {
  return hops.filter((one) => one.of === 'relay');
}

/** The programs and the published ports that lead to a listener. */
export function hopsTo({ hops = [] }: Listener): readonly LeadingHop[] {
  return hops.filter((one) => one.of !== 'address');
}

type LeadingHop = PortHop | RelayHop;

/** A reach behind what limits it: that of the limit where it is smaller. */
export function behindOwn<T extends Assumed>(bound: T, own: OwnHop): T | ReturnType<typeof throughOwn> {
  const limited = throughOwn(own);
  return narrower(bound.reach, limited.reach) === bound.reach ? bound : limited;
}

/** Who reaches what a gate closes to all others, with the rules of a firewall that set it. */
export function throughOwn({ access, because, via }: OwnHop): Assumed & { readonly via: readonly string[] } {
  const reach = access.open ?? 'loopback';
  return { reach, because: `${callers[reach]} reaches it: ${because}`, via };
}

/** Whether only its own container reaches a listener: it binds loopback there, or the container has no network. */
export function isContainerOnly(listener: Listener): boolean {
  const { host, container } = listener;
  if (container === undefined) return false;
  if (reachOfHost(host).reach === 'loopback') return true;
  return container.network === null && publishedBy(listener) === null;
}

/** The callers with a reach, as a sentence names them. */
export const callers: Readonly<Record<Reach, string>> = {
  any: 'any address',
  private: 'the private network',
  loopback: 'this machine',
  ipc: 'this machine',
};

/** Who reaches an interface: by its address, or through browsers that its CORS, Host or Origin rules allow. */
export function reachOf(listener: Listener): Assumed {
  const { because, ...rest } = widest([throughBrowsers(listener), ...pagesByRelays(listener)]);
  return { ...rest, because: listener.reason === null ? because : `${because}, ${listener.reason}` };
}

/** Who reaches every module of an interface through relays, without a login; empty where the operator states the reach. */
export function reachByRelays(listener: Listener): Assumed[] {
  if (listener.assumed !== undefined) return [];
  return relaysTo(listener).flatMap((hop) => {
    const reach = openThrough(hop, listener);
    return reach === null
      ? []
      : [withLogin(listener, { reach, because: `${callers[reach]} reaches it: ${hop.because}` })];
  });
}

/** The addresses that call every module of a listener through a relay without a login; null if none does. */
export function openThrough(hop: LeadingHop, listener: Listener): Reach | null {
  const isFiltered = hop.of === 'relay' && hop.filtered === true;
  return isFiltered || hostThrough(hop, listener)?.isAccepted === false ? null : hop.access.open;
}

/** The reach through browsers that the headers of relays let in; empty where the operator states the reach. */
function pagesByRelays(listener: Listener): Assumed[] {
  if (listener.assumed !== undefined) return [];
  const pages = 'any web page reaches it through a visitor’s browser';
  return hopsTo(listener)
    .filter((hop) => letsPagesIn(hop, listener) || passesOrigins(hop, listener))
    .map(({ because }) => ({
      reach: 'any',
      because: `${pages}: ${because} and changes what the node checks`,
    }));
}

/** The web pages that reach an interface through the browser of a user of the machine; null if it is not known. */
export const browserReaches = ['any page', 'listed', 'none'] as const;
export type Browsers = (typeof browserReaches)[number] | null;

/** A page has no token of the engine API, and cannot speak gRPC or JSON over plain TCP. */
const pageless: readonly ListenerKind[] = ['authrpc', 'grpc', 'socket'];

/** The web pages that the lists of an interface and the headers of its proxies let in. */
export function browsersOf(listener: Listener): Browsers {
  const { kind, login, origins, vhosts } = listener;
  if (pagesByRelays(listener).length > 0) return 'any page';
  if (isLocal(kind) || pageless.includes(kind) || login !== undefined || isUnbrowsed(listener)) return 'none';
  if (openList(listener) !== null) return 'any page';
  if (origins === null || (kind === 'http' && vhosts === null)) return null;
  return origins.length === 0 ? 'none' : 'listed';
}

/** Whether the headers of a relay let every web page call http, which has no login. */
export function letsPagesIn(hop: LeadingHop, listener: Listener): boolean {
  const isAsked = listener.kind !== 'http' || listener.login !== undefined;
  return !isAsked && hop.changes?.cors === 'any' && openThrough(hop, listener) !== null;
}

/** Whether a relay replaces the Origin of every page by none, or by one that ws accepts. */
export function passesOrigins(hop: LeadingHop, listener: Listener): boolean {
  const { kind, origins, login } = listener;
  const sent = hop.changes?.origin;
  const accepts = sent === '' || (sent !== undefined && origins?.includes(sent) === true);
  return (
    accepts && kind === 'ws' && origins !== null && login === undefined && openThrough(hop, listener) !== null
  );
}

/**
 * The Host that a relay sends in place of the client's, and whether the node accepts it or answers with 403; null if the node's
 * list counts. An address in place of a name passes every list.
 */
export function hostThrough({ changes }: LeadingHop, { kind, vhosts }: Listener) {
  const host = changes?.host;
  if (host === undefined || kind !== 'http' || vhosts === null) return null;
  const bare = bareOf(host.replace(/:\d+$/, '')).toLowerCase();
  const isListed = vhosts.some((one) => one === '*' || one.toLowerCase() === bare);
  return { host, isAccepted: isIP(bare) !== 0 || bare === '' || isListed };
}

const ofSocket: Assumed = { reach: 'ipc', because: 'users of this machine who can open the socket' };

/** Who reaches a listener without a browser: by its own address, or through a relay to it. */
export function reachByAddress(listener: Listener): Assumed {
  const own = isLocal(listener.kind) ? ofSocket : reachOfBind(listener);
  return widest([own, ...reachByRelays(listener)]);
}

function throughBrowsers(listener: Listener): Assumed {
  const host = reachByAddress(listener);
  if (isUnbrowsed(listener)) return host;
  return widest([host, ...reachByBrowsers(listener).map((pages) => besides(host, pages))]);
}

/** Names addresses and browsers, which are two facts: "this machine reaches it (127.0.0.1), and any web page …". */
export function besides<T extends Assumed>(host: Assumed, pages: T): T {
  return { ...pages, because: `${host.because}, and ${pages.because.replace(' reaches it', '')}` };
}

/** Whether no browser can connect: no browser runs in a container or among its neighbours. */
export function isUnbrowsed(listener: Listener): boolean {
  return isUnpublished(listener) || isContainerOnly(listener);
}

/** The reach through browsers, independent of the bound address; empty when there is none. */
export function reachByBrowsers(listener: Listener): Assumed[] {
  const access = openAccess(listener);
  const because = `any web page reaches it through a visitor’s browser (${access})`;
  if (access === null) return [];
  const { unchecked } = listener;
  const isWritten = unchecked === undefined || openAccess({ ...listener, [unchecked]: [] }) !== null;
  const held = isWritten ? {} : { unchecked: reachOfBind(listener).reach };
  return [{ ...onceStarted(listener, { reach: 'any', because }), ...held }];
}

/** The list that lets every web page in, or null. A page does not have the token of a login. */
export function openList(listener: Listener): 'origins' | 'vhosts' | null {
  if (listener.login !== undefined) return null;
  if (openOrigin(listener) !== undefined) return 'origins';
  return listener.vhosts?.includes('*') === true ? 'vhosts' : null;
}

const openOrigin = (listener: Listener) =>
  listener.origins?.find((entry) => isWildcard(originsOf(listener), entry));

/** The entry that allows every web page, or null. */
function openAccess(listener: Listener): string | null {
  const [list, origin] = [openList(listener), openOrigin(listener)];
  if (list === null) return null;
  if (origin === '*' && listener.kind === 'ws') return 'ws accepts every Origin';
  if (origin !== undefined) return listener.kind === 'ws' ? `WebSocket origins ${origin}` : `CORS ${origin}`;
  return 'http accepts every Host name';
}

/** The widest reach of client addresses and subnets: `10.0.0.0/8`. `any` for a list without entries. */
export function reachOfClients(list: readonly string[]): Reach {
  const all = list.map((one) => ({ reach: reachOfSubnet(one.trim()), because: '' }));
  return all.length === 0 ? 'any' : widest(all).reach;
}

/** A subnet is as wide as its first and last address: one that holds more than a private range ends outside it. */
function reachOfSubnet(subnet: string): Reach {
  if (!subnet.includes('/')) return reachOfHost(subnet).reach;
  const kind = [ipaddr.IPv4, ipaddr.IPv6].find((one) => one.isValidCIDR(subnet));
  if (kind === undefined) return 'any';
  const ends = [kind.networkAddressFromCIDR(subnet), kind.broadcastAddressFromCIDR(subnet)];
  return widest(ends.map((one) => reachOfHost(one.toString()))).reach;
}

/** RFC 1918, RFC 6598, link-local and unique local addresses. */
const privateRanges: readonly (string | undefined)[] = [
  'private',
  'carrierGradeNat',
  'linkLocal',
  'uniqueLocal',
];

/** Whether a destination is this interface of a node, or may be. */
export function leadsTo(to: Destination, listener: Listener, name: Settings['name']): boolean {
  if (to === null) return false;
  if ('unknown' in to) return !isLocal(listener.kind);
  if ('socket' in to) return isLocal(listener.kind) && isSocket(to.socket, listener.path);
  const { port } = listener;
  const ports = [port, publishedBy(listener)?.port].filter((one) => one != null);
  if (to.port === null || !ports.includes(to.port)) return false;
  return isOwn(to.host, listener) || (mayBeHere(to.host, name) && !isForeign(to.host, listener));
}

/** Whether it is a host name that leads to no container of this name, and to no port that its machine publishes to others. */
function isForeign(host: string | null, listener: Listener): boolean {
  const names = listener.container?.names;
  if (host === null || names === undefined || /[.:]/.test(host)) return false;
  const published = publishedBy(listener);
  const isLocal = published === null || reachOfHost(published.host).reach === 'loopback';
  return isLocal && reachOfHost(host).reach !== 'loopback' && !names.includes(host);
}

/** Whether it is the address that a listener is bound to, or its container published on, which may be a public one. */
function isOwn(host: string | null, listener: Listener): boolean {
  const own = [listener.host, publishedBy(listener)?.host];
  return host !== null && own.some((one) => bareOf(one ?? '') === bareOf(host));
}

const bareOf = (host: string) => host.replace(/^\[|\]$/g, '');

/** Where the data folder is not known, any IPC socket may be that of the node. */
function isSocket(named: string, path: string | null): boolean {
  return path === null ? named.endsWith('.ipc') : basename(named) === basename(path);
}

/** False for the public name of another machine. */
export function mayBeHere(host: string | null, name?: Settings['name']): boolean {
  if (host === null || host === name) return true;
  const bare = bareOf(host);
  if (/^[\d.]+$|:/.test(bare)) return reachOfHost(host).reach !== 'any';
  return !bare.includes('.') || /\.(?:local|internal|svc|cluster\.local|localhost)$/.test(bare);
}
