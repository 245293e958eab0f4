/** The flags that shape each interface. */
import { once } from '../../../util/once.js';
import type { PortKind, Setting, Settings } from '../../facts/settings.js';
import { flagsOf } from '../interfaces.js';
import type { ListenerFlags, PeerPort } from '../kind.js';
import { flagsAt } from './flags.js';
import { isBootNode, type Launcher } from './names.js';
import { releases } from './releases.js';

/** By what they decide. */
export const listenerFlags = {
  http: {
    enable: 'rpc',
    addr: 'rpcaddr',
    port: 'rpcport',
    api: 'rpcapi',
    origins: 'rpccorsdomain',
    vhosts: 'rpcvhosts',
  },
  ws: { enable: 'ws', addr: 'wsaddr', port: 'wsport', api: 'wsapi', origins: 'wsorigins' },
  grpc: { enable: 'grpc', addr: 'grpcaddr', port: 'grpcport' },
  pprof: { enable: 'pprof', addr: 'pprofaddr', port: 'pprofport' },
  metrics: { enable: 'prometheus', port: 'prometheusport' },
  authrpc: { enable: null, addr: null, port: null },
  graphql: { enable: null, addr: null, port: null },
  mainbridge: { enable: 'mainbridge', port: 'mainbridgeport' },
  ipc: { enable: 'ipcdisable' },
} as const satisfies ListenerFlags;

const newestFlags = once(() => flagsAt(releases.newest.id));

/** The port an interface listens on where none is set: the same in every release. */
export function defaultPort(kind: PortKind): number {
  return Number(newestFlags().fallback(flagsOf({ flags: listenerFlags }, kind).port ?? ''));
}

/** Network ids, as net_version answers, of the networks that a flag of that name joins; each release has two of them. */
export const networkIds = {
  mainnet: 8217,
  cypress: 8217,
  kairos: 1001,
  testnet: 1001,
  baobab: 1001,
} as const;
const networks = ['kairos', 'testnet', 'baobab', 'mainnet', 'cypress'] as const;

/** The network flags come before --networkid, whose default is mainnet's; net_version answers the network id. */
export function networkId(values: Settings['values']) {
  if ([...networks, 'networkid'].some((name) => values[name]?.indeterminate != null)) return null;
  const network = networks.find((name) => values[name]?.value === true);
  if (network !== undefined) return { flag: network, id: String(networkIds[network]) };
  return { flag: 'networkid', id: String(values.networkid?.value ?? networkIds.mainnet) };
}

/** The socket's name in the data folder where --ipcpath names no other. */
export const socketName = 'klay.ipc';

/** A boot node listens only on UDP, and --multichannel opens a second port. */
export function peerPorts(launcher: Launcher, values: Settings['values']): PeerPort[] {
  if (isBootNode(launcher)) return [peer('udp', 'bnaddr', values)];
  return [
    peer('tcp', 'port', values),
    ...(values.nodiscover?.value === true ? [] : [peer('udp', 'port', values)]),
    { ...peer('tcp', 'subport', values), isOpen: values.multichannel?.value === true },
  ];
}

function peer(protocol: PeerPort['protocol'], flag: string, values: Settings['values']): PeerPort {
  return {
    protocol,
    port: known(values[flag]),
    fallback: portIn(newestFlags().fallback(flag)) ?? 0,
    isOpen: true,
  };
}

function known(setting: Setting | undefined): number | null {
  return setting?.indeterminate == null ? portIn(setting?.value) : null;
}

/** The port of `32323` or `:32323`. */
function portIn(value: unknown): number | null {
  const digits = /(?:^|:)(\d+)$/.exec(String(value ?? ''))?.[1];
  return digits === undefined ? null : Number(digits);
}
