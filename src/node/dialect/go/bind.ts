/** Addresses as Go's net.Listen takes them. */
import { isIPv6 } from 'node:net';

/** Why Go's net.Listen rejects the host; null: it accepts it. */
export function unbindable(host: string): string | null {
  const bracketed = /^\[(.*)\]$/.exec(host)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? null : `${host} is not an IPv6 address`;
  // Node.js compiles its pattern of an IPv6 address at the first call.
  if (host.includes(':')) {
    const bare = isIPv6(host);
    return bare
      ? `an IPv6 address must be in brackets: [${host}]`
      : `${host} holds a port, which another setting names`;
  }
  return /^[A-Za-z0-9._-]*$/.test(host) ? null : `${host} is not a host name`;
}
