/** The interfaces, their flags, and what the settings open. Source: crates/node/core/src/args/rpc_server.rs, crates/rpc. */
import type { Period } from '../../facts/release.js';
import type { Listener, Settings } from '../../facts/settings.js';
import type { InterfaceRows, Interfaces, PeerPort } from '../kind.js';
import { closed, numberOf, type Quirk } from '../listening.js';
import { type PeerRow, peersIn, unless } from '../plain.js';
import { caps } from './caps.js';
import type { Tag } from './flavours.js';

// biome-ignore format: a row a line
export const rows = {
  http: { enable: 'http', addr: 'http.addr', port: 'http.port', api: 'http.api', origins: 'http.corsdomain' },
  ws: { enable: 'ws', addr: 'ws.addr', port: 'ws.port', api: 'ws.api', origins: 'ws.origins' },
  authrpc: { addr: 'authrpc.addr', port: 'authrpc.port', disable: 'disable-auth-server' },
  'engine-ipc': { enable: 'auth-ipc', path: 'auth-ipc.path', mode: 'ipc.permissions' },
  metrics: { enable: 'metrics', addr: 'metrics', port: 'metrics' },
  ipc: { disable: 'ipcdisable', path: 'ipcpath', mode: 'ipc.permissions' },
} as const satisfies InterfaceRows;

export function interfacesOf(holds: (period: Period<Tag>) => boolean): Partial<Interfaces> {
  const dumps = `profiles of its memory${holds({ since: 'v2.0.0' }) ? ' and dumps of its tasks' : ''}`;
  return {
    caps,
    checks: { host: false, wsOrigin: false },
    serves: {
      'engine-ipc': {
        severity: 'critical',
        does: 'choose the head of the chain and have the node build blocks, without a token',
      },
      ...(holds({ since: 'v1.10.0' }) && {
        metrics: { severity: 'medium', does: `have the node write ${dumps}, if it was built with them` },
      }),
    },
    tokenless: [401],
    socketName: '/tmp/reth.ipc',
  };
}

/** The port of an instance, of which each has its own; --with-unused-ports takes what is free. */
function portOf(
  { instance, 'with-unused-ports': unused }: Settings['values'],
  port: number | null,
  shift: (instance: number) => number,
): number | null {
  const isUnknown =
    instance?.indeterminate != null || unused?.indeterminate != null || unused?.value === true;
  return port === null || isUnknown ? null : port + shift(numberOf(instance) || 1);
}

const shifted = (of: 'http' | 'ws' | 'authrpc', shift: (instance: number) => number): Quirk<Tag> => ({
  of,
  apply: (one, { values }) => ({ ...one, port: portOf(values, one.port, shift) }),
});

/** A token protects http and ws, not ipc and not the metrics. */
const login = (of: 'http' | 'ws'): Quirk<Tag> => ({
  of,
  apply: (one, { values: { 'rpc.jwtsecret': secret } }) =>
    typeof secret?.value === 'string' ? { ...one, login: 'token' } : one,
});

/** The name of the socket ends with the instance that is given. */
const instanceNamed: Quirk<Tag> = {
  of: 'ipc',
  apply(ipc, { values: { instance, 'with-unused-ports': unused } }) {
    const number = instance?.origin.kind === 'default' ? null : numberOf(instance);
    const isUnknown = ipc.path === null || instance?.indeterminate != null || unused?.value === true;
    const path = isUnknown ? null : `${ipc.path}${number === null ? '' : `-${number}`}`;
    return { ...ipc, decidedBy: [...new Set([...ipc.decidedBy, 'instance'])], path };
  },
};

export const quirks: readonly Quirk<Tag>[] = [
  // A development chain turns http on.
  {
    of: 'http',
    apply(http, { values: { dev } }) {
      const own = { ...http, decidedBy: [...http.decidedBy, 'dev'] };
      const reason = dev?.indeterminate ?? null;
      if (http.state === 'on' || dev === undefined || (dev.value !== true && reason === null)) return own;
      return { ...own, state: reason === null ? 'on' : 'unknown', reason };
    },
  },
  shifted('http', (instance) => 1 - instance),
  shifted('ws', (instance) => 2 * instance - 2),
  shifted('authrpc', (instance) => 100 * instance - 100),
  login('http'),
  login('ws'),
  // The socket of the engine API is beside its port.
  {
    of: 'engine-ipc',
    apply(socket, { listener }) {
      const { state, reason } = listener('authrpc') as Listener;
      if (state === 'off') return { ...socket, ...closed };
      return reason === null || socket.state === 'unknown' ? socket : { ...socket, state: 'unknown', reason };
    },
  },
  instanceNamed,
];

const isDiscovering = unless('dev', 'disable-discovery');
const peers: readonly PeerRow[] = [
  ['tcp', 'port', 30_303, unless('dev')],
  ['udp', 'discovery.port', 30_303, unless('dev', 'disable-discovery', 'disable-discv4-discovery')],
  ['udp', 'discovery.v5.port', 9200, (all) => isDiscovering(all) && !unless('enable-discv5-discovery')(all)],
];

/** One port for peers over TCP, one for discovery over UDP, and one for its second version where that is on. */
export function peerPorts(values: Settings['values']): PeerPort[] {
  return peersIn(peers, values).map((one) => ({
    ...one,
    port: portOf(values, one.port, (instance) => instance - 1),
  }));
}
