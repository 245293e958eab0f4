/** The interfaces, their flags, and what the settings open. */
import { posix } from 'node:path';
import type {
  Listener,
  ListenerKind,
  Origin,
  Setting,
  Settings,
  StartProblem,
} from '../../facts/settings.js';
import { spanOf } from '../../facts/settings.js';
import type { Existing, Interfaces, PeerPort, Start } from '../kind.js';
import { fixed, items, listedModules, switchedListener } from '../listening.js';
import { offered } from './modules.js';

/** By what they decide. The forks have no other ones. */
export const listenerFlags = {
  http: {
    enable: 'http',
    addr: 'http.addr',
    port: 'http.port',
    api: 'http.api',
    origins: 'http.corsdomain',
    vhosts: 'http.vhosts',
    prefix: 'http.rpcprefix',
  },
  ws: {
    enable: 'ws',
    addr: 'ws.addr',
    port: 'ws.port',
    api: 'ws.api',
    origins: 'ws.origins',
    prefix: 'ws.rpcprefix',
  },
  authrpc: { enable: null, addr: 'authrpc.addr', port: 'authrpc.port' },
  grpc: { enable: null, addr: null, port: null },
  pprof: { enable: 'pprof', addr: 'pprof.addr', port: 'pprof.port' },
  metrics: { enable: 'metrics', addr: 'metrics.addr', port: 'metrics.port' },
  mainbridge: { enable: null, port: null },
  ipc: { enable: 'ipcdisable' },
} as const satisfies Interfaces['flags'];

const ports: Readonly<Record<Exclude<ListenerKind, 'ipc'>, number>> = {
  http: 8545,
  ws: 8546,
  authrpc: 8551,
  grpc: 0,
  pprof: 6060,
  metrics: 6060,
  mainbridge: 0,
};

const socketName = 'geth.ipc';

export const interfaces: Interfaces = {
  flags: listenerFlags,
  // The metrics have a mux of their own (metrics/exp/exp.go).
  profilers: ['pprof'],
  metricsPath: '/debug/metrics/prometheus',
  defaultPort: (kind) => ports[kind],
  socketName,
  networkId: () => null,
};

/** The flags of a network. */
export const networkFlags: readonly string[] = [
  'mainnet',
  'sepolia',
  'holesky',
  'hoodi',
  'chapel',
  'op-network',
];

/**
 * The listeners of the node, in the order of `listenerKinds`.
 * @param metricsNeedAddress --metrics alone opens no port, as up to v1.14.13
 */
export function listenersOf(
  start: Start,
  existing: Existing,
  metricsNeedAddress: boolean,
): readonly Listener[] {
  const { values } = start;
  const list = (flag: string) => listedModules(start, flag, (one) => offered(existing, one));
  const http = switchedListener(start, 'http', listenerFlags.http, {
    ...list('http.api'),
    origins: entries(values['http.corsdomain']),
    vhosts: entries(values['http.vhosts']),
  });
  const ws = switchedListener(start, 'ws', listenerFlags.ws, {
    ...list('ws.api'),
    origins: entries(values['ws.origins']),
    vhosts: null,
  });
  const pprof = switchedListener(start, 'pprof', listenerFlags.pprof, fixed(null));
  const engine = authrpc(start);
  return [
    onOnePort(http, ws)
      ? { ...http, host: ws.host, boundBy: 'ws.addr', decidedBy: [...http.decidedBy, 'ws.addr'] }
      : http,
    ws,
    engine,
    metrics(start, pprof, metricsNeedAddress),
    pprof,
    ipc(start, existing, engine),
  ];
}

/** The entries of a list without the empty ones, which the node drops (cmd/utils/flags.go, SplitAndTrim); null: not known. */
export function entries(setting: Setting | undefined): readonly string[] | null {
  return items(setting)?.filter((entry) => entry !== '') ?? null;
}

/** The engine API, which no flag closes: only a release without it, and a development chain, have none (cmd/geth/config.go). */
function authrpc(start: Start): Listener {
  const own = switchedListener(start, 'authrpc', listenerFlags.authrpc, fixed(null));
  const { dev, 'authrpc.port': port } = start.values;
  if (port === undefined || dev?.value === true) return own;
  const unknown = dev?.indeterminate ?? null;
  return {
    ...own,
    state: unknown === null ? 'on' : 'unknown',
    reason: unknown,
    decidedBy: [...own.decidedBy, 'dev'],
  };
}

/** http and ws on one port are one server, at the address of ws (node/node.go, startRPC). */
function onOnePort(http: Listener, ws: Listener): boolean {
  return http.state === 'on' && ws.state === 'on' && http.port !== null && http.port === ws.port;
}

/** pprof takes the address first, and the node goes on without the metrics (internal/debug/flags.go). */
function metrics(start: Start, pprof: Listener, needsAddress: boolean): Listener {
  const own = switchedListener(start, 'metrics', listenerFlags.metrics, fixed(null));
  if (own.state !== 'on') return own;
  if (needsAddress && start.values['metrics.addr']?.origin.kind === 'default')
    return { ...own, state: 'off', reason: 'this release opens it only with --metrics.addr' };
  const isTaken = pprof.state === 'on' && pprof.port === own.port && pprof.host === own.host;
  return isTaken ? { ...own, state: 'off', reason: 'pprof listens at this address' } : own;
}

/** IPC offers every module, and the engine API without its token (node/node.go, startInProc). */
function ipc({ values }: Start, { sure, maybe }: Existing, engine: Listener): Listener {
  const { ipcdisable, ipcpath, datadir } = values;
  const unknown = ipcdisable?.indeterminate ?? null;
  const isEmpty = ipcpath?.value === '' && ipcpath.origin.kind !== 'default';
  const offered = engine.state === 'on' ? [...sure, 'engine'].sort() : sure;
  return {
    kind: 'ipc',
    state: unknown !== null ? 'unknown' : ipcdisable?.value === true || isEmpty ? 'off' : 'on',
    reason: unknown,
    decidedBy: ['ipcdisable', 'ipcpath', 'datadir'],
    host: null,
    port: null,
    path: ipcpath?.indeterminate != null ? null : socketPath(ipcpath?.value, datadir?.value),
    ...fixed(maybe.length > 0 || engine.state === 'unknown' ? null : offered),
  };
}

/** The default name, unless --ipcpath names another file. A name without a folder is in the data folder. */
function socketPath(path: unknown, folder: unknown): string | null {
  const name = typeof path === 'string' && path !== '' ? path : socketName;
  if (name.includes('/')) return name;
  return typeof folder === 'string' && folder !== '' ? posix.join(folder, name) : null;
}

/** Values of interfaces with which the node does not start: a path without its slash, a port that no listener can have. */
export function valueProblems(values: Settings['values'], listeners: readonly Listener[]): StartProblem[] {
  return [...prefixProblems(values), ...portProblems(values, listeners)];
}

function prefixProblems(values: Settings['values']): StartProblem[] {
  return ['http.rpcprefix', 'ws.rpcprefix'].flatMap((flag) => {
    const { value, origin } = values[flag] ?? {};
    if (typeof value !== 'string' || value === '' || value.startsWith('/')) return [];
    const message = `--${flag} ${value} does not begin with a slash: the node does not start`;
    return [badValue(flag, message, origin)];
  });
}

function portProblems(values: Settings['values'], listeners: readonly Listener[]): StartProblem[] {
  return listeners.flatMap(({ kind, state, port }) => {
    if (state !== 'on' || port === null || (port >= 0 && port <= 65_535) || kind === 'ipc') return [];
    const flag = listenerFlags[kind].port;
    if (flag === null) return [];
    return [badValue(flag, `--${flag} ${port} is not a port: the node does not start`, values[flag]?.origin)];
  });
}

function badValue(flag: string, message: string, origin: Origin | undefined): StartProblem {
  const variable = origin !== undefined && 'variable' in origin ? origin.variable : null;
  return { kind: 'bad-value', fatal: true, message, at: spanOf(origin), variable, flags: [flag] };
}

/** One port for peers over TCP, and for their discovery over UDP. */
export function peerPorts(values: Settings['values']): PeerPort[] {
  const hasPeers = values.dev?.value !== true;
  const peer = (protocol: PeerPort['protocol'], setting: Setting | undefined): PeerPort => ({
    protocol,
    port: typeof setting?.value === 'number' ? setting.value : null,
    fallback: 30_303,
    isOpen: hasPeers,
  });
  const udp = values['discovery.port'];
  const isOwn = udp !== undefined && udp.origin.kind !== 'default';
  return [
    peer('tcp', values.port),
    ...(values.nodiscover?.value === true ? [] : [peer('udp', isOwn ? udp : values.port)]),
  ];
}
