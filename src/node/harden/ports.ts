/** The ports of a node: as the machine in front of it sees them, and as the node itself opens them. */
import { isIP } from 'node:net';
import type { Listener, ListenerKind, Settings } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';

export interface Port {
  readonly kind: Exclude<ListenerKind, 'ipc'> | 'p2p';
  readonly protocol: 'tcp' | 'udp';
  /** What others dial; of a container, what is published of it, or else its own. */
  readonly port: number;
  /** What the node opens. */
  readonly own: number;
  /** True when the settings leave it open. */
  readonly assumed: boolean;
}

/** The ports of everything that is on, or may be; ipc has none. */
export function portsOf({ listeners }: Settings, { interfaces }: Kind): Port[] {
  return listeners.flatMap((listener) => {
    const { kind, state } = listener;
    if (kind === 'ipc' || state === 'off') return [];
    const own = usable(listener.port);
    const outside = usable(listener.container?.published?.port ?? null);
    const port = outside ?? own ?? interfaces.defaultPort(kind);
    const assumed = state === 'unknown' || own === null || (isPublished(listener) && outside === null);
    return [{ kind, protocol: 'tcp', port, own: own ?? interfaces.defaultPort(kind), assumed }];
  });
}

function isPublished({ container }: Listener): boolean {
  return container !== undefined && container.published !== null;
}

/** What peers dial. */
export function peerPorts({ launcher, values }: Settings, kind: Kind): Port[] {
  const open = kind.peerPorts(launcher, values).filter(({ isOpen }) => isOpen);
  return open.map(({ protocol, port: known, fallback }) => {
    const port = usable(known) ?? fallback;
    return { kind: 'p2p', protocol, port, own: port, assumed: usable(known) === null };
  });
}

/** Port 0 is any free one, which nobody can name. */
export function usable(port: number | null): number | null {
  return port !== null && Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** Where this machine dials what is bound to `host`: an address without brackets. null: it cannot be known. */
export function dialled(host: string | null): string | null {
  const bare = (host ?? '').replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === '0.0.0.0' || bare === '::' || bare === 'localhost') return '127.0.0.1';
  return isIP(bare) === 0 || bare.includes('%') ? null : bare;
}
