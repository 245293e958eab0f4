/** The flags that shape each interface, and the conf variables that the launchers turn into them. */
import type { ListenerKind } from '../../facts/conf.js';
import { fallbackOf } from './flags.js';

/** By what they decide; null: no launcher has a variable for it. */
export const settingsOf = {
  http: {
    enable: ['rpc', 'RPC_ENABLE'],
    addr: ['rpcaddr', 'RPC_ADDR'],
    port: ['rpcport', 'RPC_PORT'],
    api: ['rpcapi', 'RPC_API'],
    origins: ['rpccorsdomain', 'RPC_CORSDOMAIN'],
    vhosts: ['rpcvhosts', 'RPC_VHOSTS'],
  },
  ws: {
    enable: ['ws', 'WS_ENABLE'],
    addr: ['wsaddr', 'WS_ADDR'],
    port: ['wsport', 'WS_PORT'],
    api: ['wsapi', 'WS_API'],
    origins: ['wsorigins', 'WS_ORIGINS'],
  },
  grpc: { enable: ['grpc', null], addr: ['grpcaddr', null], port: ['grpcport', null] },
  pprof: { enable: ['pprof', null], addr: ['pprofaddr', null], port: ['pprofport', null] },
  metrics: { enable: ['prometheus', 'PROMETHEUS'], port: ['prometheusport', null] },
  mainbridge: { enable: ['mainbridge', 'SC_MAIN_BRIDGE'], port: ['mainbridgeport', 'SC_MAIN_BRIDGE_PORT'] },
  ipc: { enable: ['ipcdisable', null] },
} as const satisfies Record<
  ListenerKind,
  Readonly<Record<string, readonly [flag: string, variable: string | null]>>
>;

/** The port an interface listens on where none is set. */
export function defaultPort(kind: Exclude<ListenerKind, 'ipc'>): number {
  return Number(fallbackOf(settingsOf[kind].port[0]));
}

/** Network ids, as net_version answers, of the networks that a flag of that name joins. */
export const networkIds = { mainnet: 8217, kairos: 1001 } as const;

/** The socket's name in the data folder where --ipcpath names no other. */
export const socketName = 'klay.ipc';
