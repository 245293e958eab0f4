/** The interfaces, their flags, and what the settings open. */
import type { Listener, Settings } from '../../facts/settings.js';
import type { FlagSet, InterfaceRows, PeerPort } from '../kind.js';
import { closed, fixedModules, type Quirk, withoutModule } from '../listening.js';
import { type PeerRow, peersIn, unless } from '../plain.js';
import type { Tag } from './flavours.js';
import { nameIn } from './names.js';

/** The interfaces of a release, under the names of its flags. GraphQL had a port from v1.9.0 to v1.9.18 (graphql/service.go). */
export function rowsOf(flags: FlagSet) {
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
    graphql: { ...server('graphql'), origins: named('graphql.corsdomain'), vhosts: named('graphql.vhosts') },
    metrics: { enable: 'metrics', addr: 'metrics.addr', port: 'metrics.port' },
    pprof: server('pprof'),
    ipc: { disable: 'ipcdisable', path: 'ipcpath', folder: 'datadir' },
  } satisfies InterfaceRows;
}

/** The flags of a network. */
export const networkFlags: readonly string[] =
  'mainnet sepolia holesky testnet ropsten rinkeby goerli hoodi chapel op-network'.split(' ');

const off = (listener: Listener, reason: string): Listener => ({ ...listener, state: 'off', reason });
const isOnePort = (one: Listener, other: Listener | undefined) =>
  one.state === 'on' && other?.state === 'on' && one.port !== null && one.port === other.port;

const metricsByAddress: Quirk<Tag> = {
  of: 'metrics',
  until: 'v1.14.13',
  apply(metrics, { values, words }) {
    const origin = values['metrics.addr']?.origin.kind;
    if (metrics.state !== 'on') return metrics;
    if (origin !== 'flag' && origin !== 'environment')
      return off(metrics, 'this release opens it only with --metrics.addr');
    const isWritten = words.some(({ text }) => text === null || /^-*metrics$/.test(text));
    return isWritten || values.metrics?.origin.kind === 'environment'
      ? metrics
      : off(metrics, 'the node looks for --metrics written exactly so');
  },
};

export const quirks: readonly Quirk<Tag>[] = [
  // The engine API is offered without a token, now on ws alone (node/node.go, startRPC). Up to v1.10.15 --catalyst offers it; then,
  // up to v1.10.20, chains that name the end of their proof of work alone have it (eth/catalyst/api.go): each is taken for one.
  { of: 'http', since: 'v1.10.19', apply: (http) => withoutModule(http, 'engine') },
  {
    of: 'ws',
    apply: (ws, { values: { 'Node.WSExposeAll': all }, existing: { sure } }) =>
      all?.value === true ? { ...ws, ...fixedModules(sure), origins: ws.origins } : ws,
  },
  // http and ws on one port are one server, at the address of ws (node/node.go, startRPC).
  {
    of: 'http',
    since: 'v1.9.19',
    apply(http, { listener }) {
      const ws = listener('ws');
      if (ws === undefined || !isOnePort(http, ws)) return http;
      const addr = 'ws.addr';
      return { ...http, host: ws.host, boundBy: addr, decidedBy: [...http.decidedBy, addr] };
    },
  },
  // No flag closes the engine API, but a node with a beacon API or, later, a development chain has none (cmd/geth/config.go).
  {
    of: 'authrpc',
    apply(authrpc, { values }) {
      const { 'authrpc.port': port, 'beacon.api': beacon } = values;
      const isOpen = port !== undefined && (beacon?.value ?? null) === null;
      return { ...authrpc, vhosts: null, ...(isOpen ? {} : closed) };
    },
  },
  {
    of: 'authrpc',
    since: 'v1.12.1',
    apply(authrpc, { values: { dev } }) {
      if (authrpc.state === 'off' || dev?.value === true) return { ...authrpc, ...closed };
      const own = { ...authrpc, decidedBy: [...authrpc.decidedBy, 'dev'] };
      const reason = dev?.indeterminate ?? null;
      return reason === null ? own : { ...own, state: 'unknown', reason };
    },
  },
  metricsByAddress,
  // pprof takes the address first, and the node goes on without the metrics (internal/debug/flags.go).
  {
    of: 'metrics',
    apply(metrics, { listener }) {
      const pprof = listener('pprof');
      const isTaken = pprof !== undefined && isOnePort(metrics, pprof) && pprof.host === metrics.host;
      return isTaken ? off(metrics, 'pprof listens at this address') : metrics;
    },
  },
  {
    of: 'ipc',
    apply: (ipc, { values: { ipcpath: path } }) =>
      ipc.state === 'on' && path?.value === '' && path.origin.kind !== 'default'
        ? { ...ipc, ...closed }
        : ipc,
  },
  // A switch decides whether personal is offered here; http and ws do not ask it (node/node.go).
  {
    of: 'ipc',
    since: 'v1.11.0',
    until: 'v1.14.11',
    apply: (ipc, { values }) =>
      values['rpc.enabledeprecatedpersonal']?.value === true ? ipc : withoutModule(ipc, 'personal'),
  },
  // The engine API is offered without its token (node/node.go, startInProc).
  {
    of: 'ipc',
    apply(ipc, { listener }) {
      const { state } = listener('authrpc') as Listener;
      const { modules } = withoutModule(ipc, 'engine');
      if (modules === null || state === 'unknown') return { ...ipc, modules: null };
      return { ...ipc, modules: state === 'on' ? [...modules, 'engine'].sort() : modules };
    },
  },
];

/** One port for peers over TCP, and for their discovery over UDP. */
export function peerPorts(values: Settings['values']): readonly PeerPort[] {
  const udp = values['discovery.port'];
  const isOwn = udp !== undefined && udp.origin.kind !== 'default';
  // biome-ignore format: a row a line
  const rows: readonly PeerRow[] = [
    ['tcp', 'port', 30_303, unless('dev')],
    ['udp', isOwn ? 'discovery.port' : 'port', 30_303, unless('dev', 'nodiscover')],
  ];
  return peersIn(rows, values);
}
