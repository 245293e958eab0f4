/** Who can reach an interface, and what that makes of a severity. */
import { letsEveryoneIn, originsOf } from './access.js';
import { type Reach, reaches } from './reaches.js';
import type { Listener } from './settings.js';
import type { Severity } from './severity.js';

export { type Reach, reaches };

/** What a reach rests on, the strongest first; `assumed`: the operator says so. */
export const reachEvidence = ['socket', 'process', 'settings', 'address', 'assumed'] as const;
export type ReachBy = (typeof reachEvidence)[number];

/** A reach and why it was assumed: "any address reaches it (0.0.0.0 is every interface)". */
export interface Assumed {
  readonly reach: Reach;
  readonly because: string;
}

/** What a severity, stated for any address, becomes where fewer reach the interface. */
const table: Readonly<Record<Severity, Readonly<Record<Reach, Severity>>>> = {
  critical: { any: 'critical', private: 'high', loopback: 'medium', ipc: 'info' },
  high: { any: 'high', private: 'medium', loopback: 'low', ipc: 'info' },
  medium: { any: 'medium', private: 'low', loopback: 'info', ipc: 'info' },
  low: { any: 'low', private: 'info', loopback: 'info', ipc: 'info' },
  info: { any: 'info', private: 'info', loopback: 'info', ipc: 'info' },
};

/** The severity a finding really has, given who reaches the interface. */
export function bySeverityAndReach(base: Severity, reach: Reach): Severity {
  return table[base][reach];
}

/** The one that lets in the most; of equals the first. At least one. */
export function widest<T extends Assumed>(all: readonly T[]): T {
  return all.reduce((a, b) => (reaches.indexOf(b.reach) > reaches.indexOf(a.reach) ? b : a));
}

/** Who reaches a socket bound to (or an URL that names) this host. */
export function reachOfHost(host: string | null): Assumed {
  if (host === null) {
    return {
      reach: 'any',
      because: 'the address cannot be known offline and is counted as one anyone reaches',
    };
  }
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (['', '0.0.0.0', '::', '*', '0'].includes(bare)) {
    return {
      reach: 'any',
      because: `any address reaches it (${host === '' ? 'no host' : host} is every interface)`,
    };
  }
  if (isLoopback(bare)) return { reach: 'loopback', because: `this machine reaches it (${host})` };
  if (isPrivate(bare)) return { reach: 'private', because: `the private network reaches it (${host})` };
  return { reach: 'any', because: `any address reaches it (${host} is not a private address)` };
}

/** Who reaches a listener's socket: by its address, and from outside a container by what is published of it. */
export function reachOfBind(listener: Listener): Assumed {
  const { assumed, ...bare } = listener;
  const found = onceStarted(listener, reachOfSocket(bare));
  return assumed === undefined ? found : assume(found, assumed);
}

function onceStarted({ refused }: Listener, { reach, because }: Assumed): Assumed {
  return { reach, because: refused === true ? `${because}, once it starts` : because };
}

/** What the operator says counts, and is said wherever it is used. */
export function assume<T extends Assumed>(without: T, reach: Reach): Assumed {
  const because = `${who[reach]} reaches it, as --assume-reach says (without it: ${without.because})`;
  return { reach, because };
}

function reachOfSocket(listener: Listener): Assumed {
  const bound = reachOfHost(listener.host);
  const { container } = listener;
  if (container === undefined) return bound;
  if (bound.reach === 'loopback')
    return { reach: 'loopback', because: `its container alone reaches it (${listener.host})` };
  const { published, network } = container;
  if (published === null)
    return { reach: 'private', because: `${network} reach it: no port is published for it` };
  const { host, port, because } = published;
  const { reach } = reachOfHost(host);
  return { reach, because: `${who[reach]} reaches it: ${because} on ${host ?? '?'}:${port ?? '?'}` };
}

const who: Readonly<Record<Reach, string>> = {
  any: 'any address',
  private: 'the private network',
  loopback: 'this machine',
  ipc: 'this machine',
};

/** Who reaches an interface: its address, and the browsers its CORS, Host or Origin rules let through. */
export function reachOf(listener: Listener): Assumed {
  if (listener.kind === 'ipc')
    return { reach: 'ipc', because: 'users of this machine who can open the socket' };
  const { reach, because } = throughBrowsers(listener);
  return listener.reason === null ? { reach, because } : { reach, because: `${because}, ${listener.reason}` };
}

function throughBrowsers(listener: Listener): Assumed {
  const host = reachOfBind(listener);
  const shut =
    listener.container !== undefined && host.reach === 'loopback' && listener.container.published === null;
  return shut ? host : widest([host, ...lettingPagesIn(listener)]);
}

/** The browsers an interface lets in, whatever address it is bound to; empty: none. */
export function lettingPagesIn(listener: Listener): Assumed[] {
  const access = openAccess(listener);
  const because = `any web page reaches it through a visitor’s browser (${access})`;
  return access === null ? [] : [onceStarted(listener, { reach: 'any', because })];
}

/** The rule that lets every web page through, or null. */
function openAccess(listener: Listener): string | null {
  const origin = listener.origins?.find((entry) => letsEveryoneIn(originsOf(listener), entry));
  if (origin !== undefined) return listener.kind === 'ws' ? `WebSocket origins ${origin}` : `CORS ${origin}`;
  return listener.vhosts?.includes('*') === true ? 'Host names *' : null;
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || /^127(?:\.\d+){0,3}$/.test(host) || host === '::1'
  );
}

/** RFC 1918, RFC 6598, link-local and unique local addresses. */
function isPrivate(host: string): boolean {
  const [a = -1, b = -1] = /^\d+(\.\d+){3}$/.test(host) ? host.split('.').map(Number) : [];
  if (a === 10 || (a === 192 && b === 168) || (a === 169 && b === 254)) return true;
  if ((a === 172 && b >= 16 && b <= 31) || (a === 100 && b >= 64 && b <= 127)) return true;
  return /^(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/.test(host);
}
