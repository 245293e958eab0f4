/** Which addresses a dialled port of this machine is bound to, as the kernel has it. */
import { networkInterfaces } from 'node:os';
import type { Endpoint, Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';
import type { Target } from '../target.js';

/** What listens here: on this machine, and of it what the node's own process holds. */
export interface Listening {
  readonly machine: Seen<readonly Socket[]>;
  readonly node: readonly Socket[];
}

const wildcards = ['::', '0.0.0.0'];

/**
 * The addresses the port behind a URL is bound to, each once. The node's own sockets count first, all of them;
 * otherwise those that take what is sent to the URL's host. `not-applicable` for another machine.
 */
export function bindOf(url: string, { machine, node }: Listening): Seen<readonly string[]> {
  const number = portOf(url);
  const hosts = localAddresses(hostOf(url));
  if (hosts.length === 0) return notSeen('not-applicable', 'it is on another machine');
  const own = boundAddresses(url, node);
  if (own.length > 0) return seen(own);
  if (machine.state !== 'seen') return machine;
  const there = machine.value.filter(({ address, port: at }) => at === number && takes(address, hosts));
  const addresses = boundAddresses(url, there);
  if (addresses.length > 0) return seen(addresses);
  return notSeen('not-found', 'no socket of this machine’s own network listens on that port');
}

/** The addresses that sockets of a URL's port are bound to, sorted, each once. */
export function boundAddresses(url: string, sockets: readonly Socket[]): string[] {
  const there = sockets.filter(({ port }) => port === portOf(url));
  return [...new Set(there.map(({ address }) => address))].sort();
}

/** The port of this machine that an endpoint names; null: another machine's, or a socket's path. */
export function localPort(endpoint: Endpoint): number | null {
  return endpoint.kind !== 'ipc' && localAddresses(hostOf(endpoint.url)).length > 0
    ? portOf(endpoint.url)
    : null;
}

/** True for an address that someone named and that is not this machine's. */
export function isElsewhere({ address: { endpoint }, source }: Target['endpoints'][number]): boolean {
  return source !== 'conf' && endpoint.kind !== 'ipc' && localPort(endpoint) === null;
}

/** The port of a URL, also where it is the scheme's own. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : port);
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function takes(address: string, hosts: readonly string[]): boolean {
  return wildcards.includes(address) || hosts.includes(address);
}

/** The addresses of this machine that a host name stands for; none when it may be another. */
function localAddresses(host: string): string[] {
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  if (/^127(?:\.\d+){3}$/.test(host) || host === '::1') return [host];
  if (wildcards.includes(host)) return ['127.0.0.1', '::1'];
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  return own.includes(host) ? [host] : [];
}
