/** The interfaces, their flags, and what the settings open. */
import type { Listener, ListenerKind, Setting, Settings } from '../../facts/settings.js';
import type { Existing, FlagSet, Interfaces, ListenerFlags, PeerPort, Start } from '../kind.js';
import { fixed, items, listedModules, numberOf, socketPath, switchedListener } from '../listening.js';
import { caps } from './caps.js';
import type { Flavour, Holds } from './flavours.js';
import { existingOn, offeredAt } from './modules.js';
import { exposeAll, nameIn } from './names.js';

/** By what they decide, under the names of a release. The forks have no other ones. */
export function listenerFlagsOf(flags: FlagSet) {
  const named = (name: string) => nameIn(flags, name);
  const server = (name: string) => ({
    enable: named(name),
    addr: named(`${name}.addr`),
    port: named(`${name}.port`),
  });
  const rpc = (name: string) => ({ ...server(name), api: named(`${name}.api`), prefix: `${name}.rpcprefix` });
  return {
    http: { ...rpc('http'), origins: named('http.corsdomain'), vhosts: named('http.vhosts') },
    ws: { ...rpc('ws'), origins: named('ws.origins') },
    authrpc: { ...server('authrpc'), enable: null, vhosts: 'authrpc.vhosts' },
    graphql: server('graphql'),
    grpc: { enable: null, addr: null, port: null },
    pprof: server('pprof'),
    metrics: { enable: 'metrics', addr: 'metrics.addr', port: 'metrics.port' },
    mainbridge: { enable: null, port: null },
    ipc: { enable: 'ipcdisable' },
  } satisfies ListenerFlags;
}

const ports: Partial<Record<ListenerKind, number>> = {
  http: 8545,
  ws: 8546,
  authrpc: 8551,
  graphql: 8547,
  pprof: 6060,
  metrics: 6060,
};

const socketName = 'geth.ipc';

/** The interfaces of a release, by its flags. */
export function interfacesOf(flags: FlagSet): Omit<Interfaces, 'checks'> {
  return {
    flags: listenerFlagsOf(flags),
    caps,
    // The metrics have a mux of their own (metrics/exp/exp.go).
    profilers: ['pprof'],
    metricsPath: '/debug/metrics/prometheus',
    serves: {},
    defaultPort: (kind) => ports[kind] ?? 0,
    socketName,
    networkId: () => null,
  };
}

/** The flags of a network. */
export const networkFlags: readonly string[] =
  'mainnet sepolia holesky testnet ropsten rinkeby goerli hoodi chapel op-network'.split(' ');

/** A release, and the flags of its interfaces. */
export interface At {
  readonly flavour: Flavour;
  readonly holds: Holds;
  readonly flags: ReturnType<typeof listenerFlagsOf>;
}

/** The listeners of the node, in the order of `listenerKinds`. */
export function listenersOf(at: At, start: Start, existing: Existing): readonly Listener[] {
  const { values } = start;
  const { flags, holds } = at;
  const list = (kind: 'http' | 'ws') => {
    const flag = flags[kind].api;
    const isFile = values[flag ?? '']?.origin.kind === 'toml';
    const there = existingOn(holds, kind, existing, values);
    return listedModules(start, flag, (one) => offeredAt(holds, there, one, isFile));
  };
  const vhosts = flags.http.vhosts;
  const http = switchedListener(start, 'http', flags.http, {
    ...list('http'),
    origins: entries(values[flags.http.origins ?? '']),
    // Before v1.8.0 no Host name is checked.
    vhosts: entries(values[vhosts ?? '']),
  });
  const ws = switchedListener(start, 'ws', flags.ws, {
    ...(values[exposeAll]?.value === true ? fixed(existing.sure) : list('ws')),
    origins: entries(values[flags.ws.origins ?? '']),
    vhosts: null,
  });
  const pprof = switchedListener(start, 'pprof', flags.pprof, fixed(null));
  const engine = authrpc(at, start);
  return [
    ...(onOnePort(http, ws) ? oneServer(http, ws, holds) : [http, ws]),
    engine,
    ...graphql(at, start),
    metrics(start, pprof, holds),
    pprof,
    ipc(start, existing, engine, holds),
  ];
}

/**
 * http and ws on one port are one server, which from v1.9.19 on is at the address of ws and has a list for each (node/node.go,
 * startRPC); before, it offers the list of http on both.
 */
function oneServer(http: Listener, ws: Listener, holds: Holds): Listener[] {
  if (!holds({ since: 'v1.9.19' })) {
    const { modules, listed, builtInList } = http;
    return [http, { ...ws, modules, listed, builtInList }];
  }
  const addr = 'ws.addr';
  return [{ ...http, host: ws.host, boundBy: addr, decidedBy: [...http.decidedBy, addr] }, ws];
}

function onOnePort(http: Listener, ws: Listener): boolean {
  return http.state === 'on' && ws.state === 'on' && http.port !== null && http.port === ws.port;
}

/** The entries of a list without the empty ones, which the node drops (cmd/utils/flags.go, SplitAndTrim); null: not known. */
export function entries(setting: Setting | undefined): readonly string[] | null {
  return items(setting)?.filter((entry) => entry !== '') ?? null;
}

/** The engine API, which no flag closes: only a release without it, a development chain and a node with a beacon API have none (cmd/geth/config.go). */
function authrpc({ flags, holds }: At, start: Start): Listener {
  const own = switchedListener(start, 'authrpc', flags.authrpc, fixed(null));
  const { 'authrpc.port': port, 'beacon.api': beacon } = start.values;
  const dev = holds({ since: 'v1.12.1' }) ? start.values.dev : undefined;
  if (port === undefined || dev?.value === true || (beacon?.value ?? null) !== null) return own;
  const unknown = dev?.indeterminate ?? null;
  return {
    ...own,
    state: unknown === null ? 'on' : 'unknown',
    reason: unknown,
    decidedBy: [...own.decidedBy, 'dev'],
  };
}

/** Its server from v1.9.0 to v1.9.18 (graphql/service.go); other releases answer it on the port of http, or not at all. */
function graphql({ flags }: At, start: Start): Listener[] {
  if (flags.graphql.port === null) return [];
  const { 'graphql.corsdomain': origins, 'graphql.vhosts': vhosts } = start.values;
  const access = { origins: entries(origins), vhosts: entries(vhosts) };
  return [switchedListener(start, 'graphql', flags.graphql, { ...fixed(null), ...access })];
}

/**
 * pprof takes the address first, and the node goes on without the metrics (internal/debug/flags.go). Up to v1.14.13 they are on
 * where a word of the command line is exactly --metrics, and have a port where the flag of their address is given.
 */
function metrics(start: Start, pprof: Listener, holds: Holds): Listener {
  const { values, words } = start;
  const flags = { enable: 'metrics', addr: 'metrics.addr', port: 'metrics.port' };
  const own = switchedListener(start, 'metrics', flags, fixed(null));
  const off = (reason: string): Listener => ({ ...own, state: 'off', reason });
  if (!holds({ since: 'v1.9.16' }))
    return {
      ...off('this release shows the metrics on the port of pprof'),
      decidedBy: ['metrics'],
      host: null,
      port: null,
    };
  if (own.state !== 'on') return own;
  if (holds({ until: 'v1.14.13' })) {
    if (
      values['metrics.addr']?.origin.kind !== 'flag' &&
      values['metrics.addr']?.origin.kind !== 'environment'
    )
      return off('this release opens it only with --metrics.addr');
    const isWritten = words.some(({ text }) => text === null || /^-*metrics$/.test(text));
    if (!isWritten && values.metrics?.origin.kind !== 'environment')
      return off('the node looks for --metrics written exactly so');
  }
  const isTaken = pprof.state === 'on' && pprof.port === own.port && pprof.host === own.host;
  return isTaken ? off('pprof listens at this address') : own;
}

/** From v1.11.0 to v1.14.11 a switch decides whether personal is offered here; http and ws do not ask it (node/node.go). */
const personalBySwitch = { since: 'v1.11.0', until: 'v1.14.11' } as const;

/** IPC offers every module, and the engine API without its token (node/node.go, startInProc). */
function ipc({ values }: Start, { sure, maybe }: Existing, engine: Listener, holds: Holds): Listener {
  const { ipcdisable, ipcpath, datadir } = values;
  const unknown = ipcdisable?.indeterminate ?? null;
  const isEmpty = ipcpath?.value === '' && ipcpath.origin.kind !== 'default';
  const filters = holds(personalBySwitch) && values['rpc.enabledeprecatedpersonal']?.value !== true;
  const there = sure.filter((name) => name !== 'engine' && (name !== 'personal' || !filters));
  const offered = engine.state === 'on' ? [...there, 'engine'].sort() : there;
  return {
    kind: 'ipc',
    state: unknown !== null ? 'unknown' : ipcdisable?.value === true || isEmpty ? 'off' : 'on',
    reason: unknown,
    decidedBy: ['ipcdisable', 'ipcpath', 'datadir'],
    host: null,
    port: null,
    path: socketPath(socketName, ipcpath, datadir),
    ...fixed(maybe.length > 0 || engine.state === 'unknown' ? null : offered),
  };
}

/** One port for peers over TCP, and for their discovery over UDP. */
export function peerPorts(values: Settings['values']): PeerPort[] {
  const hasPeers = values.dev?.value !== true;
  const peer = (protocol: PeerPort['protocol'], setting: Setting | undefined): PeerPort => ({
    protocol,
    port: numberOf(setting),
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
