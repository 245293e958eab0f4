/** Which Host headers the http interface answers. */
import { isIP } from 'node:net';

/**
 * True when a request with this Host header is served. IP literals and an empty Host always are; a name must
 * be in the list, which the node lower-cases while it takes the header as it is.
 */
export function hostAllowed(header: string, vhosts: readonly string[]): boolean {
  if (header === '') return true;
  const host = withoutPort(header);
  if (isIP(host) !== 0 && !host.includes('%')) return true;
  const allowed = vhosts.map((name) => name.toLowerCase());
  return allowed.includes('*') || allowed.includes(host);
}

/** As Go's SplitHostPort; what it refuses (no port, too many colons) stays whole. */
function withoutPort(header: string): string {
  const bracketed = /^\[([^[\]]*)\]:[^:[\]]*$/.exec(header);
  if (bracketed !== null) return bracketed[1] ?? '';
  const plain = /^([^:[\]]*):[^:[\]]*$/.exec(header);
  return plain === null ? header : (plain[1] ?? '');
}
