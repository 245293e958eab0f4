/** The flags that shape each interface. */
import type { ListenerKind } from '../../facts/settings.js';
import { fallbackOf } from './flags.js';

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
  mainbridge: { enable: 'mainbridge', port: 'mainbridgeport' },
  ipc: { enable: 'ipcdisable' },
} as const satisfies Record<ListenerKind, Readonly<Record<string, string>>>;

/** The port an interface listens on where none is set. */
export function defaultPort(kind: Exclude<ListenerKind, 'ipc'>): number {
  return Number(fallbackOf(listenerFlags[kind].port));
}

/** Network ids, as net_version answers, of the networks that a flag of that name joins. */
export const networkIds = { mainnet: 8217, kairos: 1001 } as const;

/** The socket's name in the data folder where --ipcpath names no other. */
export const socketName = 'klay.ipc';
