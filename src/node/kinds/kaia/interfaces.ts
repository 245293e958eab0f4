/** The interfaces, their flags, and what the settings open. */
import type { Settings } from '../../facts/settings.js';
import type { InterfaceRows, Interfaces, PeerPort } from '../kind.js';
import { type Quirk, withoutModule } from '../listening.js';
import { type PeerRow, peersIn, unless } from '../plain.js';
import { caps } from './caps.js';
import { withoutPublicDebug } from './modules.js';
import { isBootNode, type Launcher, launcherNamed } from './names.js';
import type { ReleaseId } from './releases.js';

// biome-ignore format: a row a line
export const rows = {
  http: { enable: 'rpc', addr: 'rpcaddr', port: 'rpcport', api: 'rpcapi', origins: 'rpccorsdomain', vhosts: 'rpcvhosts' },
  ws: { enable: 'ws', addr: 'wsaddr', port: 'wsport', api: 'wsapi', origins: 'wsorigins' },
  grpc: { enable: 'grpc', addr: 'grpcaddr', port: 'grpcport' },
  metrics: { enable: 'prometheus', port: 'prometheusport' },
  pprof: { enable: 'pprof', addr: 'pprofaddr', port: 'pprofport' },
  mainbridge: { enable: 'mainbridge', port: 'mainbridgeport' },
  ipc: { disable: 'ipcdisable', path: 'ipcpath', folder: 'datadir' },
} as const satisfies InterfaceRows;

export const interfaces: Partial<Interfaces> = {
  caps,
  networkId,
  socketName: 'klay.ipc',
  profilers: ['metrics', 'pprof'],
};

/** A boot node's built-in list is `net`, a service it does not have. */
const bootList = (['http', 'ws'] as const).map(
  (of): Quirk<ReleaseId> => ({
    of,
    apply: (one, { launcher, existing: { sure } }) =>
      one.builtInList && isBootNode(launcherNamed(launcher))
        ? { ...one, modules: sure.filter((name) => name === 'rpc') }
        : one,
  }),
);

/** The node searches its arguments for the exact words: aliases, =true and the environment have no effect. */
const literalMetrics: Quirk<ReleaseId> = {
  of: 'metrics',
  apply(listener, { values, words }) {
    const literal = (...forms: (string | null)[]) => words.some(({ text }) => forms.includes(text));
    const unknown = words.find(({ text, maybe }) => {
      return (
        text === null && (maybe === null || maybe.includes('--metrics') || maybe.includes('--prometheus'))
      );
    });
    const on = literal('--metrics', '-metrics') && literal('--prometheus', '-prometheus');
    const own = { ...listener, decidedBy: ['metrics', 'prometheus', 'prometheusport'] };
    if (!on && unknown !== undefined)
      return { ...own, state: 'unknown', reason: unknown.indeterminate ?? null };
    const asked = values.metrics?.value === true && values.prometheus?.value === true;
    const reason = on || !asked ? null : 'the node looks for --metrics and --prometheus written exactly so';
    return { ...own, state: on ? 'on' : 'off', reason };
  },
};

/** gRPC, which knows no list, offers the modules with a service that is Public in the node's source. */
const onGrpc: Quirk<ReleaseId> = {
  of: 'grpc',
  apply(grpc, { existing: { sure, maybe } }) {
    const isPublic = (name: string) => name !== 'auction' && name !== 'personal';
    return { ...grpc, modules: maybe.some(isPublic) ? null : sure.filter(isPublic) };
  },
};

export const quirks: readonly Quirk<ReleaseId>[] = [
  ...bootList,
  literalMetrics,
  onGrpc,
  { of: 'grpc', ...withoutPublicDebug, apply: (grpc) => withoutModule(grpc, 'debug') },
  { of: 'mainbridge', apply: (bridge) => ({ ...bridge, modules: ['kaia'] }) },
];

/** Network ids, as net_version answers, by flags, the first of which counts; each release has two of them. */
export const networkIds = {
  kairos: 1001,
  testnet: 1001,
  baobab: 1001,
  mainnet: 8217,
  cypress: 8217,
} as const;
const networks = Object.keys(networkIds) as (keyof typeof networkIds)[];

/** The network flags come before --networkid, whose default is mainnet's; net_version answers the network id. */
export function networkId(values: Settings['values']) {
  if ([...networks, 'networkid'].some((name) => values[name]?.indeterminate != null)) return null;
  const network = networks.find((name) => values[name]?.value === true);
  if (network !== undefined) return { flag: network, id: String(networkIds[network]) };
  return { flag: 'networkid', id: String(values.networkid?.value ?? networkIds.mainnet) };
}

const ofBootNode: readonly PeerRow[] = [['udp', 'bnaddr', 32_323]];
const ofNode: readonly PeerRow[] = [
  ['tcp', 'port', 32_323],
  ['udp', 'port', 32_323, unless('nodiscover')],
  ['tcp', 'subport', 32_324, (values) => values.multichannel?.value === true],
];

/** A boot node listens only on UDP, and --multichannel opens a second port. */
export function peerPorts(launcher: Launcher, values: Settings['values']): readonly PeerPort[] {
  return peersIn(isBootNode(launcher) ? ofBootNode : ofNode, values);
}
