/** The interfaces, their flags, and what the settings open (node/cli/flags.go; cmd/rpcdaemon/cli/config.go). */
import { go } from '../../dialect/go/index.js';
import { isWritten, type Listener, type Setting, type Settings } from '../../facts/settings.js';
import type { InterfaceRows, Interfaces, PeerPort } from '../kind.js';
import { closed, items, numberOf, type Opened, open, type Quirk, type State, stateOf } from '../listening.js';
import { type PeerRow, peersIn, unless } from '../plain.js';
import { caps } from './caps.js';
import { rewinding } from './modules.js';
import { releases, type Tag } from './releases.js';

/** The flags of both programs. Two of them hold an address and its port. */
// biome-ignore format: a row a line
export const rows = {
  http: { enable: 'http', addr: 'http.addr', port: 'http.port', api: 'http.api', origins: 'http.corsdomain', vhosts: 'http.vhosts' },
  https: { enable: 'https.enabled', addr: 'https.addr', port: 'https.port' },
  ws: { enable: 'ws', addr: 'http.addr', port: 'ws.port', api: 'http.api' },
  socket: { enable: 'socket.enabled', addr: 'socket.url', port: 'socket.url' },
  authrpc: { addr: 'authrpc.addr', port: 'authrpc.port' },
  grpc: { addr: 'private.api.addr', port: 'private.api.addr' },
  beacon: { enable: 'beacon.api', addr: 'beacon.api.addr', port: 'beacon.api.port', origins: 'beacon.api.cors.allow-origins' },
  mcp: { addr: 'mcp.addr', port: 'mcp.port', disable: 'mcp.disable' },
  metrics: { enable: 'metrics', addr: 'metrics.addr', port: 'metrics.port' },
  pprof: { enable: 'pprof', addr: 'pprof.addr', port: 'pprof.port' },
  ipc: { enable: 'socket.enabled', path: 'socket.url' },
} as const satisfies InterfaceRows;

/** https without a port of its own: that of http and this many. */
const httpsOffset = 363;
/** An empty host binds every address. */
export const anyHost = '0.0.0.0';

/** The interfaces of a release. */
export function interfacesAt(release: string, { defaultPort }: Interfaces): Partial<Interfaces> {
  const canRewind = releases.holds(release, rewinding);
  return {
    defaultPort: (kind) => (kind === 'https' ? defaultPort('http') + httpsOffset : defaultPort(kind)),
    caps,
    socketName: 'erigon.sock',
    // Both may be at one address; else the metrics have a mux of their own.
    profilers: ['pprof'],
    metricsPath: '/debug/metrics/prometheus',
    // The Origin of WebSockets is not looked at, and they are served before the Host name is.
    checks: { host: true, wsOrigin: false },
    serves: {
      grpc: {
        severity: 'critical',
        does: `read the whole database, add and remove peers and hand in transactions${canRewind ? ', and rewind the chain' : ''}`,
      },
      beacon: {
        severity: 'medium',
        does: 'read the state of the beacon chain and hand in messages of validators',
      },
      mcp: { severity: 'medium', does: 'read the node’s log files, its metrics and the chain' },
    },
    // bsc-erigon 1.4.3-dev answers 403 "missing token".
    tokenless: [401, 403],
  };
}

/** erigon asks whether --ws is set, not for its value. */
function isSet(setting: Setting | undefined): State {
  if (setting === undefined) return closed;
  const { origin, indeterminate: reason } = setting;
  if (reason !== null && !isWritten(origin)) return { state: 'unknown', reason };
  return origin.kind === 'default' ? closed : open;
}

/** A switch that a program without it has on. */
const onUnless = (setting: Setting | undefined) => (setting === undefined ? open : stateOf(setting));
const all = (...states: readonly State[]): State =>
  states.find(({ state }) => state === 'off') ?? states.find(({ state }) => state === 'unknown') ?? open;
const any = (...states: readonly State[]): State =>
  states.find(({ state }) => state === 'on') ?? states.find(({ state }) => state === 'unknown') ?? closed;

/** The address and port in a URL, or the path of a socket; null if there is neither. */
function urlOf(setting: Setting | undefined) {
  const address = go.addressIn(typeof setting?.value === 'string' ? setting.value : '');
  const isPath = address !== null && 'path' in address;
  return { at: isPath ? null : address, path: isPath ? address.path : null };
}

const isDaemon = ({ launcher }: Opened) => launcher === 'rpcdaemon';
const given = ({ values }: Opened, ...names: readonly string[]) =>
  names.filter((name) => values[name] !== undefined);
const httpFlags = ['http', 'http.enabled', 'http.url', 'http.addr', 'http.port', 'http.api'];
const nowhere = { host: null, port: null };

/** What the interfaces of JSON-RPC offer, whichever is open. */
function offeredBy({ listener }: Opened): Pick<Listener, 'modules' | 'listed' | 'builtInList'> {
  const { modules, listed, builtInList } = listener('http') as Listener;
  return { modules, listed, builtInList };
}

function httpState({ values }: Opened): State {
  return all(onUnless(values.http), onUnless(values['http.enabled']));
}

export const quirks: readonly Quirk<Tag>[] = [
  {
    of: 'http',
    apply(http, start) {
      const { 'http.url': url } = start.values;
      const { at, path } = urlOf(url);
      // Unread words or files may set a URL too, which few nodes have.
      const isUrl = url?.indeterminate == null ? stateOf(url) : isSet(url);
      return {
        ...http,
        ...(path === null ? httpState(start) : { state: 'off', reason: '--http.url names a local socket' }),
        decidedBy: given(start, ...httpFlags),
        // `any` and `*` both let every Host name in.
        vhosts: http.vhosts?.map((host) => (host === 'any' ? '*' : host)) ?? null,
        ...(at ?? (isUrl.state === 'on' ? nowhere : {})),
      };
    },
  },
  {
    of: 'ws',
    apply(ws, start) {
      const { http: rpc, ws: own, 'ws.port': port } = start.values;
      const http = start.listener('http') as Listener;
      // It is served on the port of http too, to which clients are sent unless a port is given.
      const isOwnPort = port !== undefined && port.origin.kind !== 'default';
      return {
        ...ws,
        ...all(onUnless(rpc), isDaemon(start) ? stateOf(own) : isSet(own)),
        decidedBy: given(start, 'ws', 'ws.port', ...httpFlags),
        ...(isOwnPort ? {} : { host: http.host, port: http.port }),
      };
    },
  },
  {
    of: 'https',
    apply(https, start) {
      const { http: rpc, 'https.enabled': enabled, 'https.url': url, 'https.port': port } = start.values;
      const { origins, vhosts, port: httpPort } = start.listener('http') as Listener;
      const isUsual = numberOf(port) === 0;
      return {
        ...https,
        ...offeredBy(start),
        origins,
        vhosts,
        ...all(onUnless(rpc), any(stateOf(enabled), stateOf(url))),
        ...(isUsual ? { port: httpPort === null ? null : httpPort + httpsOffset } : {}),
        ...urlOf(url).at,
      };
    },
  },
  {
    of: 'socket',
    apply(socket, start) {
      const { http: rpc, 'socket.url': url } = start.values;
      const state = url === undefined || urlOf(url).path !== null ? closed : all(onUnless(rpc), socket);
      return { ...socket, ...offeredBy(start), state: state.state, reason: state.reason };
    },
  },
  // One of the two URLs names it.
  {
    of: 'ipc',
    apply(ipc, start) {
      const { http: rpc, 'http.url': url, 'socket.url': socketUrl, 'socket.enabled': enabled } = start.values;
      const socket = all(onUnless(rpc), stateOf(enabled));
      const [ofHttp, local] = [urlOf(url).path, urlOf(socketUrl).path];
      const isHttp = socket.state === 'off' && ofHttp !== null;
      return {
        ...ipc,
        ...offeredBy(start),
        path: isHttp ? ofHttp : local,
        ...(isHttp ? httpState(start) : local === null ? closed : socket),
        decidedBy: given(start, 'socket.enabled', 'socket.url', 'http.api'),
      };
    },
  },
  { of: 'authrpc', apply: (authrpc, start) => (isDaemon(start) ? { ...authrpc, ...closed } : authrpc) },
  // The private API of erigon, to which rpcdaemon connects: in rpcdaemon the flag names the other end.
  {
    of: 'grpc',
    apply(grpc, start) {
      const reason = 'rpcdaemon serves nothing over gRPC but a health check';
      if (isDaemon(start)) return { ...grpc, state: 'off', reason };
      const flag = 'private.api.addr';
      return { ...grpc, ...stateOf(start.values[flag]), decidedBy: [flag], modules: [] };
    },
  },
];

/** Peers over TCP and their discovery over UDP, the downloads of snapshots, and the peers of the beacon chain. */
// biome-ignore format: a row a line
const peers: readonly PeerRow[] = [
  ['tcp', 'port', 30_303],
  ['udp', 'port', 30_303, unless('nodiscover')],
  ['tcp', 'torrent.port', 42_069, unless('no-downloader')],
  ['udp', 'torrent.port', 42_069, unless('no-downloader')],
  ['udp', 'caplin.discovery.port', 4000, unless('externalcl')],
  ['tcp', 'caplin.discovery.tcpport', 4001, unless('externalcl')],
];

export function peerPorts(launcher: string, values: Settings['values']): readonly PeerPort[] {
  if (launcher === 'rpcdaemon') return [];
  const allowed = (items(values['p2p.allowed-ports']) ?? []).map(Number);
  const more = allowed.filter((port) => port > 0 && port !== numberOf(values.port));
  return [
    ...peersIn(peers, values),
    ...peersIn(
      more.map((port) => ['tcp', '', port]),
      values,
    ),
  ];
}
