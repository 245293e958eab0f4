/** The addresses that ports of this machine are bound to, from the kernel. */
import { networkInterfaces } from 'node:os';
import type { Endpoint, Names, Provenance, Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen, seenValue } from '../../facts/seen.js';

/** The listening sockets of this machine and of the node's process. */
export interface Listening {
  readonly machine: Seen<readonly Socket[]>;
  readonly node: readonly Socket[];
}

const wildcards = ['::', '0.0.0.0'];

/**
 * The addresses that the port of a URL is bound to, each once: those of the node's own sockets, else of the sockets
 * that accept connections to the URL's host. `not-applicable` for another machine.
 */
export function bindOf(
  url: string,
  { machine, node }: Listening,
  names: Names = {},
): Seen<readonly string[]> {
  const number = portOf(url);
  const hosts = localAddresses(hostOf(url), names);
  if (hosts.length === 0) return notSeen('not-applicable', 'it is on another machine');
  const own = boundAddresses(url, node);
  if (own.length > 0) return seen(own);
  if (machine.state !== 'seen') return machine;
  const there = machine.value.filter(({ address, port: at }) => at === number && accepts(address, hosts));
  const addresses = boundAddresses(url, there);
  if (addresses.length > 0) return seen(addresses);
  return notSeen('not-found', 'no socket of this machine’s own network listens on that port');
}

/** The addresses that sockets of a URL's port are bound to, sorted, each once. */
export function boundAddresses(url: string, sockets: readonly Socket[]): string[] {
  const there = sockets.filter(({ port }) => port === portOf(url));
  return [...new Set(there.map(({ address }) => address))].sort();
}

/** The port of an endpoint on this machine; null for another machine or an ipc path. */
export function localPort(endpoint: Endpoint, names: Names = {}): number | null {
  return endpoint.kind !== 'ipc' && localAddresses(hostOf(endpoint.url), names).length > 0
    ? portOf(endpoint.url)
    : null;
}

/** True for an address that the user named. */
export function isNamed(source: Provenance): boolean {
  return source === 'argument' || source === 'inventory';
}

interface Dialled {
  readonly address: { readonly endpoint: Endpoint };
  readonly source: Provenance;
}

/** True for a named address of another machine. */
export function isElsewhere({ address: { endpoint }, source }: Dialled, names: Names = {}): boolean {
  return source !== 'conf' && endpoint.kind !== 'ipc' && localPort(endpoint, names) === null;
}

/** The port of a URL, or its scheme's default. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : port);
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function accepts(address: string, hosts: readonly string[]): boolean {
  return wildcards.includes(address) || hosts.includes(address);
}

/** The addresses of this machine that a host names; empty for another machine. */
function localAddresses(host: string, names: Names): string[] {
  const named = Object.hasOwn(names, host) ? names[host] : undefined;
  if (named !== undefined) return (seenValue(named) ?? []).flatMap((address) => localAddresses(address, {}));
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  if (/^127(?:\.\d+){3}$/.test(host) || host === '::1') return [host];
  if (wildcards.includes(host)) return ['127.0.0.1', '::1'];
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  return own.includes(host) ? [host] : [];
}
