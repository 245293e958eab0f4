/** The interfaces, their flags, and what the settings open (node/cli/flags.go; cmd/rpcdaemon/cli/config.go). */
import type { ListenerKind, PortKind } from '../../facts/settings.js';
import { isWritten, type Listener, type Setting, type Settings } from '../../facts/settings.js';
import type { Existing, Interfaces, ListenerFlags, PeerPort, Served, Start } from '../kind.js';
import { fixed, items, listedModules, numberOf, switchedListener } from '../listening.js';
import { caps } from './caps.js';
import { offeredModules, rewinding } from './modules.js';
import { releases } from './releases.js';

const server = (name: string) => ({ enable: null, addr: `${name}.addr`, port: `${name}.port` });
const switched = (name: string) => ({ ...server(name), enable: name });

/** The flags of both programs. Two of them hold an address and its port. */
export const listenerFlags = {
  http: { ...switched('http'), api: 'http.api', origins: 'http.corsdomain', vhosts: 'http.vhosts' },
  https: { ...server('https'), enable: 'https.enabled' },
  ws: { enable: 'ws', addr: 'http.addr', port: 'ws.port', api: 'http.api', origins: null },
  socket: { enable: 'socket.enabled', addr: 'socket.url', port: 'socket.url' },
  authrpc: server('authrpc'),
  graphql: { enable: null, addr: null, port: null },
  grpc: { enable: null, addr: 'private.api.addr', port: 'private.api.addr' },
  beacon: { ...server('beacon.api'), enable: 'beacon.api', origins: 'beacon.api.cors.allow-origins' },
  mcp: server('mcp'),
  metrics: switched('metrics'),
  pprof: switched('pprof'),
  mainbridge: { enable: null, port: null },
  ipc: { enable: 'socket.enabled' },
} as const satisfies ListenerFlags;

const ports: Partial<Record<ListenerKind, number>> = {
  http: 8545,
  https: 8908,
  ws: 8546,
  authrpc: 8551,
  grpc: 9090,
  beacon: 5555,
  mcp: 8553,
  metrics: 6061,
  pprof: 6060,
};

/** https without a port of its own: that of http and this many. */
const httpsOffset = 363;

/** The interfaces of a release. */
export function interfacesAt(release: string): Interfaces {
  return {
    flags: listenerFlags,
    caps,
    // Both may be at one address; else the metrics have a mux of their own.
    profilers: ['pprof'],
    metricsPath: '/debug/metrics/prometheus',
    // The Origin of WebSockets is not looked at, and they are served before the Host name is.
    checks: { host: true, wsOrigin: false },
    serves: servesAt(release),
    defaultPort: (kind) => ports[kind] ?? 0,
    // bsc-erigon 1.4.3-dev answers 403 "missing token".
    tokenless: [401, 403],
    socketName: 'erigon.sock',
    networkId: () => null,
  };
}

function servesAt(release: string): Partial<Record<ListenerKind, Served>> {
  const canRewind = releases.holds(release, rewinding);
  return {
    grpc: {
      severity: 'critical',
      does: `read the whole database, add and remove peers and hand in transactions${canRewind ? ', and rewind the chain' : ''}`,
    },
    beacon: {
      severity: 'medium',
      does: 'read the state of the beacon chain and hand in messages of validators',
    },
    mcp: {
      severity: 'medium',
      does: 'read the node’s log files, its metrics and the chain',
    },
  };
}

type State = Pick<Listener, 'state' | 'reason'>;
const on: State = { state: 'on', reason: null };
const off: State = { state: 'off', reason: null };

/** A switch; one that the program does not have is `absent`. */
function switchOf(setting: Setting | undefined, absent: State): State {
  if (setting === undefined) return absent;
  if (setting.indeterminate !== null) return { state: 'unknown', reason: setting.indeterminate };
  return setting.value === true ? on : off;
}

/** A text that opens an interface unless it is empty. */
function textOf(setting: Setting | undefined): State {
  if (setting?.indeterminate != null) return { state: 'unknown', reason: setting.indeterminate };
  return typeof setting?.value === 'string' && setting.value.trim() !== '' ? on : off;
}

/** erigon asks whether --ws is set, not for its value. */
function isSet(setting: Setting | undefined): State {
  if (setting === undefined) return off;
  if (setting.indeterminate !== null && !isWritten(setting.origin))
    return { state: 'unknown', reason: setting.indeterminate };
  return setting.origin.kind === 'default' ? off : on;
}

const all = (...states: readonly State[]): State =>
  states.find(({ state }) => state === 'off') ?? states.find(({ state }) => state === 'unknown') ?? on;
const any = (...states: readonly State[]): State =>
  states.find(({ state }) => state === 'on') ?? states.find(({ state }) => state === 'unknown') ?? off;

type Address = { readonly host: string; readonly port: number } | { readonly path: string };

/** `tcp://host:port`, `host:port` or `unix:///path`; null: it is none of these, or not known. */
function addressOf(setting: Setting | undefined): Address | null {
  const text = typeof setting?.value === 'string' ? setting.value.trim() : '';
  const [, path] = /^unix:\/\/(.+)$/.exec(text) ?? [];
  if (path !== undefined) return { path };
  const [, host = '', port] = /^(?:tcp[46]?:\/\/)?(\[[^\]]*\]|[^:/]*):(\d{1,5})\/?$/.exec(text) ?? [];
  return port === undefined ? null : { host: host === '' ? anyHost : host, port: Number(port) };
}

/** An empty host binds every address. */
const anyHost = '0.0.0.0';

const nowhere = { host: null, port: null };

/** The listeners of a program, in the order of `listenerKinds`. */
export function listenersOf(start: Start, existing: Existing): readonly Listener[] {
  const { values, launcher } = start;
  const isDaemon = launcher === 'rpcdaemon';
  const list = (flag: string) => items(values[flag])?.filter((one) => one !== '') ?? null;
  const listener = (kind: PortKind, state: State, more: Partial<Listener> = {}): Listener => {
    const own = switchedListener(start, kind, { ...noPort, ...listenerFlags[kind] }, fixed(null));
    return { ...own, host: own.host === '' ? anyHost : own.host, ...state, ...more };
  };
  const offered = listedModules(start, 'http.api', (names) => offeredModules(existing, names));
  const rpc = (kind: PortKind, state: State, more: Partial<Listener>): Listener =>
    listener(kind, state, { ...offered, ...more });
  const decidedBy = ['http', 'http.enabled', 'http.url', 'http.addr', 'http.port', 'http.api'].filter(
    (name) => values[name] !== undefined,
  );

  const servesRpc = switchOf(values.http, on);
  const url = addressOf(values['http.url']);
  // Unread words or files may set a URL too, which few nodes have.
  const isUrl =
    values['http.url']?.indeterminate == null ? textOf(values['http.url']) : isSet(values['http.url']);
  const access = { origins: list('http.corsdomain'), vhosts: list('http.vhosts')?.map(wildcard) ?? null };
  const byUrl = url === null || 'path' in url ? (isUrl.state === 'on' ? nowhere : {}) : url;
  const httpState = all(servesRpc, switchOf(values['http.enabled'], on));
  const isLocalUrl = url !== null && 'path' in url;
  const http = rpc(
    'http',
    isLocalUrl ? { state: 'off', reason: '--http.url names a local socket' } : httpState,
    { decidedBy, ...access, ...byUrl },
  );

  const wsState = all(servesRpc, isDaemon ? switchOf(values.ws, off) : isSet(values.ws));
  const wsPort = values['ws.port'];
  // It is served on the port of http too, to which clients are sent unless a port is given.
  const isOwnPort = wsPort !== undefined && wsPort.origin.kind !== 'default';
  const ws = rpc('ws', wsState, {
    decidedBy: ['ws', 'ws.port', ...decidedBy].filter((name) => values[name] !== undefined),
    vhosts: null,
    ...(isOwnPort ? {} : { host: http.host, port: http.port }),
  });

  const tls = addressOf(values['https.url']);
  const tlsPort = numberOf(values['https.port']);
  const https = rpc(
    'https',
    all(servesRpc, any(switchOf(values['https.enabled'], off), textOf(values['https.url']))),
    {
      ...access,
      ...(tlsPort === 0 ? { port: http.port === null ? null : http.port + httpsOffset } : {}),
      ...(tls === null || 'path' in tls ? {} : tls),
    },
  );

  const socketState = all(servesRpc, switchOf(values['socket.enabled'], off));
  const socketUrl = addressOf(values['socket.url']);
  const local = socketUrl !== null && 'path' in socketUrl ? socketUrl.path : null;
  const socket = rpc('socket', local === null ? socketState : off, {
    ...(socketUrl === null || 'path' in socketUrl ? nowhere : socketUrl),
  });
  const ipcPath = socketState.state === 'off' && isLocalUrl ? url.path : local;
  const ipc: Listener = {
    ...http,
    ...(socketState.state === 'off' && isLocalUrl ? httpState : local === null ? off : socketState),
    kind: 'ipc',
    ...nowhere,
    path: ipcPath,
    origins: null,
    vhosts: null,
    decidedBy: ['socket.enabled', 'socket.url', 'http.api'].filter((name) => values[name] !== undefined),
  };

  return [
    http,
    https,
    ws,
    socket,
    listener('authrpc', isDaemon ? off : on),
    grpc(start, listener),
    listener('beacon', textOf(values['beacon.api']), { origins: list('beacon.api.cors.allow-origins') }),
    mcp(values, listener),
    listener('metrics', switchOf(values.metrics, off)),
    listener('pprof', switchOf(values.pprof, off)),
    ipc,
  ];
}

const noPort = { enable: null, addr: null, port: null };

/** `any` and `*` both let every Host name in. */
function wildcard(host: string): string {
  return host === 'any' ? '*' : host;
}

type Listening = (kind: PortKind, state: State, more?: Partial<Listener>) => Listener;

/** The private API of erigon, to which rpcdaemon connects: in rpcdaemon the flag names the other end. */
function grpc({ values, launcher }: Start, listener: Listening): Listener {
  // No service is registered but a health check.
  if (launcher === 'rpcdaemon')
    return listener('grpc', {
      state: 'off',
      reason: 'rpcdaemon serves nothing over gRPC but a health check',
    });
  const flag = 'private.api.addr';
  const address = addressOf(values[flag]);
  return listener('grpc', textOf(values[flag]), {
    decidedBy: [flag],
    modules: [],
    ...(address === null || 'path' in address ? nowhere : address),
  });
}

/** On in the releases that have its flags, unless it is switched off. */
function mcp(values: Settings['values'], listener: Listening): Listener {
  const disabled = values['mcp.disable'];
  if (disabled === undefined) return listener('mcp', off);
  const state = switchOf(disabled, off);
  return listener('mcp', state.state === 'unknown' ? state : state.state === 'on' ? off : on, {
    decidedBy: ['mcp.disable', 'mcp.addr', 'mcp.port'],
  });
}

/** Peers over TCP and their discovery over UDP, the downloads of snapshots, and the peers of the beacon chain. */
export function peerPorts(launcher: string, values: Settings['values']): PeerPort[] {
  if (launcher === 'rpcdaemon') return [];
  const peer = (protocol: PeerPort['protocol'], flag: string, fallback: number, isOpen = true): PeerPort => ({
    protocol,
    port: numberOf(values[flag]),
    fallback,
    isOpen,
  });
  const allowed =
    items(values['p2p.allowed-ports'])
      ?.map(Number)
      .filter((port) => port > 0) ?? [];
  const own = numberOf(values.port);
  const hasCaplin = values.externalcl?.value !== true;
  const downloads = values['no-downloader']?.value !== true;
  return [
    peer('tcp', 'port', 30_303),
    peer('udp', 'port', 30_303, values.nodiscover?.value !== true),
    ...allowed
      .filter((port) => port !== own)
      .map((port): PeerPort => ({ protocol: 'tcp', port, fallback: port, isOpen: true })),
    peer('tcp', 'torrent.port', 42_069, downloads),
    peer('udp', 'torrent.port', 42_069, downloads),
    peer('udp', 'caplin.discovery.port', 4000, hasCaplin),
    peer('tcp', 'caplin.discovery.tcpport', 4001, hasCaplin),
  ];
}
