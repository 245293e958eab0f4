/** What a live node showed, as plain JSON: the shape `probe/` produces and `rules/` judge. */
import type { Endpoint } from '../../jsonrpc/endpoint.js';
import type { Seen } from './seen.js';
import type { Listener, Settings } from './settings.js';
import type { Reach } from './severity.js';

export type { Endpoint };

/** What an existence probe (`"params": {}`) showed about one method. */
export type Presence = 'present' | 'absent';

/** One answer to a browser-facing question. */
export type Access = 'open' | 'closed';

/** Where an address comes from; `process`: a socket of the node's process that nobody named. */
export type Provenance = 'argument' | 'conf' | 'inventory' | 'process';

/** Everything asked of one endpoint. Each fact says how it was seen. */
export interface EndpointFacts {
  readonly endpoint: Endpoint;
  readonly source: Provenance;
  /** name → version, from rpc_modules. */
  readonly modules: Seen<Readonly<Record<string, string>>>;
  /** web3_clientVersion. */
  readonly client: Seen<string>;
  /** Chain id, decimal (net_version). */
  readonly chain: Seen<string>;
  /** True when a random method answered -32601 and rpc_modules with {} answered -32602: probes can be believed. */
  readonly calibrated: Seen<boolean>;
  /** method → presence, for the methods that tell the unsafe-debug switch. */
  readonly methods: Readonly<Record<string, Seen<Presence>>>;
  /** Accounts the node names. */
  readonly accounts: Seen<readonly string[]>;
  /** http: a Host name nobody configured is answered. */
  readonly foreignHost: Seen<Access>;
  /** http: a preflight from a foreign Origin is allowed; ws: a handshake from it is accepted. */
  readonly foreignOrigin: Seen<Access>;
  /** http, ws: the addresses the dialled port is bound to, as this machine's kernel has it. */
  readonly bind: Seen<readonly string[]>;
  /** ipc: permission bits of the socket file. */
  readonly fileMode: Seen<number>;
  /** Of the rpc_modules round trip; null when there was none. */
  readonly latencyMs: number | null;
  /** Requests and bytes sent to it. */
  readonly sent: { readonly requests: number; readonly bytes: number };
}

/** The port that serves metrics and, on the same mux, the profiler. */
export interface MetricsFacts {
  readonly kind: 'metrics' | 'pprof';
  /** The port's address, `http://host:61001`. */
  readonly url: string;
  readonly source: Provenance;
  readonly metrics: Seen<Access>;
  readonly profiler: Seen<Access>;
  readonly bind: Seen<readonly string[]>;
}

/** A gRPC port that settings open: it has no list to ask for, so that only whether it listens is seen. */
export interface GrpcFacts {
  /** The port's address, `http://host:8553`. */
  readonly url: string;
  readonly source: Provenance;
  readonly listening: Seen<'open'>;
  readonly bind: Seen<readonly string[]>;
}

/** The node's process, when it runs on this machine. */
export interface ProcessFacts {
  readonly pid: number;
  readonly argv: readonly string[];
  /** Milliseconds since 1970; null when unknown. */
  readonly startedAt: number | null;
  /** Its KLAYTN_* and KAIA_* variables, secrets masked. */
  readonly environment: Seen<Readonly<Record<string, string>>>;
  /** Its working folder. */
  readonly folder: Seen<string>;
  /** What its command line and environment say; null: not read. */
  readonly settings: Settings | null;
  /** What it listens on, in its own network namespace. */
  readonly sockets: Seen<readonly Socket[]>;
  /** `other`: its network is not kaiactl's, as in a container, so that what is dialled from here is somebody else's. */
  readonly network: 'same' | 'other';
  /** Its root folder as seen from here, `/proc/<pid>/root`; empty where it is the same. */
  readonly root: string;
  /** The beginning of its container's id; null: none is known. */
  readonly container: string | null;
}

/** A listening TCP socket as the kernel has it: `::` is every address of both families. */
export interface Socket {
  readonly address: string;
  readonly port: number;
}

/** `unknown`: no settings open it, and it answers neither http nor ws. */
export interface SocketFacts extends Socket {
  readonly use: Listener['kind'] | 'p2p' | 'unknown';
}

export interface LiveFacts {
  /** Who reaches an interface, where the operator says what no tool can see. */
  readonly assumed?: Readonly<Partial<Record<string, Reach>>>;
  readonly endpoints: readonly EndpointFacts[];
  readonly metrics: readonly MetricsFacts[];
  /** Absent: facts of an older release. */
  readonly grpc?: readonly GrpcFacts[];
  readonly process: Seen<ProcessFacts>;
  /** Every socket the process listens on, and what it is for. */
  readonly sockets: readonly SocketFacts[];
}
