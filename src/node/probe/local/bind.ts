/** Which addresses a dialled port of this machine is bound to, as the kernel has it. */
import { networkInterfaces } from 'node:os';
import type { Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';

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
  const { hostname, port, protocol } = new URL(url);
  const number = Number(port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : port);
  const hosts = localAddresses(hostname.replace(/^\[|\]$/g, ''));
  if (hosts.length === 0) return notSeen('not-applicable', 'it is on another machine');
  const own = node.filter((one) => one.port === number);
  if (own.length === 0 && machine.state !== 'seen') return machine;
  const there = machine.state === 'seen' ? machine.value : [];
  const taking = there.filter(({ address, port: at }) => at === number && takes(address, hosts));
  const addresses = [...new Set((own.length > 0 ? own : taking).map(({ address }) => address))];
  if (addresses.length > 0) return seen(addresses.sort());
  return notSeen('not-found', 'no socket of this machine’s own network listens on that port');
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
