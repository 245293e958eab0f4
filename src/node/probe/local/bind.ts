/** The addresses that ports of this machine are bound to, from the kernel. */
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from '../../../util/once.js';
import type { Endpoint, Names, Provenance, Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen, seenValue } from '../../facts/seen.js';

/** The listening sockets of this machine and of the node's process. */
export interface Listening {
  readonly machine: Seen<readonly Socket[]>;
  readonly node: readonly Socket[];
}

const wildcards = ['::', '0.0.0.0'];

/**
 * The addresses of the sockets that accept connections to a URL, each once: of the node's own, else of the machine's.
 * `not-applicable` for another machine.
 */
export function bindOf(
  url: string,
  { machine, node }: Listening,
  names: Names = {},
): Seen<readonly string[]> {
  if (localAddresses(splitUrl(url).host, names).length === 0)
    return notSeen('not-applicable', 'it is on another machine');
  const own = boundAddresses(url, node, names);
  if (own.length > 0) return seen(own);
  if (machine.state !== 'seen') return machine;
  const addresses = boundAddresses(url, machine.value, names);
  if (addresses.length > 0) return seen(addresses);
  return notSeen('not-found', 'no socket of this machine’s own network listens on that port');
}

/** The addresses of the sockets that accept connections to a URL, sorted, each once. */
export function boundAddresses(url: string, sockets: readonly Socket[], names: Names = {}): string[] {
  const there = sockets.filter(accepting(url, names));
  return [...new Set(there.map(({ address }) => address))].sort();
}

/** A test for sockets that accept connections to a URL: of its port, at its address or at every address. */
export function accepting(url: string, names: Names = {}): (socket: Socket) => boolean {
  const { host, port } = splitUrl(url);
  const hosts = once(() => [host, ...localAddresses(host, names)]);
  return (socket) => {
    if (socket.port !== port) return false;
    const { address } = socket;
    if (address === '::') return true;
    return address === '0.0.0.0' ? !hosts().every(isIPv6) : hosts().includes(address);
  };
}

/** The port of an endpoint on this machine; null for another machine or an ipc path. */
export function localPort(endpoint: Endpoint, names: Names = {}): number | null {
  if (endpoint.kind === 'ipc') return null;
  const { host, port } = splitUrl(endpoint.url);
  return localAddresses(host, names).length > 0 ? port : null;
}

/** Whether the user named the address. */
export function isNamed(source: Provenance): boolean {
  return source === 'argument' || source === 'inventory';
}

interface Dialled {
  readonly address: { readonly endpoint: Endpoint };
  readonly source: Provenance;
}

/** Whether the user named the address of another machine. */
export function isElsewhere({ address: { endpoint }, source }: Dialled, names: Names = {}): boolean {
  return source !== 'conf' && endpoint.kind !== 'ipc' && localPort(endpoint, names) === null;
}

/** The port of a URL, or its scheme's default. */
export function portOf(url: string): number {
  return splitUrl(url).port;
}

function splitUrl(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : port),
  };
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
