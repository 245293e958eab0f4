/** Addresses as configuration files write them. */

import type { Destination } from '../facts/hops.js';
import { reachOfHost } from '../facts/reach.js';

/** A port of this machine. */
export function local(port: string | undefined): Destination {
  return { host: '127.0.0.1', port: port === undefined ? null : Number(port) };
}

/** The value of a variable, of a template or of a map. */
const unknown = /[$<{%]|^@/;

/** The destination that a text names: a URL, `host:port`, a port or a socket. */
export function destinationOf(text: string): Destination {
  const bare = text.replace(/^["']|["';,]+$/g, '');
  const socket = /^(?:\w+:\/\/)?(?:unix(?:-connect|-client)?[:/@]|abns@|\/)+([^:,|]*)/i.exec(bare)?.[1];
  if (socket !== undefined) return unknown.test(socket) ? null : { socket: `/${socket}` };
  const authority = bare.replace(/^[\w+.-]+:\/\//, '').replace(/[/?].*$/s, '');
  const [, host = '', port] = /^(?:[^@]*@)?(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  if (port === undefined && /^\d+$/.test(host)) return { host: null, port: Number(host) };
  const number = /^\d+/.exec(port ?? '')?.[0];
  const known = {
    host: host === '' || unknown.test(host) ? null : host,
    port: number === undefined ? null : Number(number),
  };
  return known.host === null && known.port === null ? null : known;
}

/** Whether two destinations are surely one: a port of the same host, or a socket. */
export function isSameDestination(a: Destination, b: Destination): boolean {
  const keyOf = (to: Destination) => {
    if (to === null || 'unknown' in to) return null;
    if ('socket' in to) return to.socket;
    return to.port === null ? null : `${isLoopbackAddress(to.host ?? '127.0.0.1') ? '' : to.host}:${to.port}`;
  };
  return keyOf(a) !== null && keyOf(a) === keyOf(b);
}

/** A test whether a destination is one of these hosts. */
export function leadsToAny(hosts: readonly string[]): (to: Destination) => boolean {
  return (to) => to !== null && 'host' in to && hosts.includes(to.host ?? '');
}

/** Whether the literal words of a listening address bind loopback or a socket. */
export function isLoopbackAddress(text: string): boolean {
  const bare = text.replace(/^["']|["';,]+$/g, '').replace(/^\w+:\/\//, '');
  if (/^(?:unix|abns@|\/)/i.test(bare)) return true;
  const host = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(bare)?.[1] ?? '';
  return host !== '' && !/^\d+$/.test(host) && reachOfHost(host).reach === 'loopback';
}

/** The port of a listening address; NaN: it has none. */
export function portOf(listens: string | null): number {
  return Number(/\d+$/.exec(listens ?? '') ?? Number.NaN);
}

/** The socket file of a listening address; null if it is none. */
export function socketOf(listens: string | null): string | null {
  const to = listens === null ? null : destinationOf(listens);
  return to !== null && 'socket' in to ? to.socket : null;
}
