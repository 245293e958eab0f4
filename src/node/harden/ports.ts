/** The ports of a node, from outside and as the node itself opens them. */

import { isIP } from 'node:net';
import { publishedBy } from '../facts/reach.js';
import { isLocal, type PortKind, type Settings } from '../facts/settings.js';
import type { KindListeners } from '../kinds/kind.js';

export interface Port {
  readonly kind: PortKind | 'p2p';
  readonly protocol: 'tcp' | 'udp';
  /** The port from outside: of a container the published port, else its own. */
  readonly port: number;
  /** The port that the node opens. */
  readonly own: number;
  /** Whether the settings do not determine it. */
  readonly assumed: boolean;
}

/** The ports of every interface that is on or may be on; ipc has none. */
export function portsOf({ listeners }: Settings, { interfaces }: KindListeners): Port[] {
  return listeners.flatMap((listener) => {
    const { kind, state } = listener;
    if (isLocal(kind) || state === 'off') return [];
    const own = usable(listener.port);
    const outside = usable(publishedBy(listener)?.port ?? null);
    const port = outside ?? own ?? interfaces.defaultPort(kind);
    const assumed =
      state === 'unknown' || own === null || (publishedBy(listener) !== null && outside === null);
    return [{ kind, protocol: 'tcp', port, own: own ?? interfaces.defaultPort(kind), assumed }];
  });
}

export function peerPorts({ launcher, values }: Settings, kind: KindListeners): Port[] {
  const open = kind.peerPorts(launcher, values).filter(({ isOpen }) => isOpen);
  return open.map(({ protocol, port: known, fallback }) => {
    const port = usable(known) ?? fallback;
    return { kind: 'p2p', protocol, port, own: port, assumed: usable(known) === null };
  });
}

/** A port number; null for an invalid one and for 0, which is any free port. */
export function usable(port: number | null): number | null {
  return port !== null && Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** The address, without brackets, at which this machine reaches a socket bound to `host`; null when unknown. */
export function addressToDial(host: string | null): string | null {
  const bare = (host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === '0.0.0.0' || bare === '::' || bare === 'localhost') return '127.0.0.1';
  return isIP(bare) === 0 || bare.includes('%') ? null : bare;
}
