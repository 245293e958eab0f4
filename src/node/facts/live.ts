/** The facts about a live node, as plain JSON: `probe/` produces them, `rules/` judge them. */
import type { Endpoint } from '../../jsonrpc/endpoint.js';
import type { Seen } from './seen.js';
import type { Listener, Settings } from './settings.js';
import type { Reach } from './severity.js';

export type { Endpoint };

/** The result of an existence probe (`"params": {}`). */
export type Presence = 'present' | 'absent';

/** The result of an access check. */
export type Access = 'open' | 'closed';

/** Where an address comes from; `process`: a socket of the node's process. */
export type Provenance = 'argument' | 'conf' | 'inventory' | 'process';

/** All facts about one endpoint. */
export interface EndpointFacts {
  readonly endpoint: Endpoint;
  /** 12 bits of a digest of what the endpoint masks: enough to tell nodes behind a gateway apart, too few to tell a key. */
  readonly mark?: string;
  readonly source: Provenance;
  /** name → version, from rpc_modules. */
  readonly modules: Seen<Readonly<Record<string, string>>>;
  /** web3_clientVersion. */
  readonly client: Seen<string>;
  /** Chain id, decimal (net_version). */
  readonly chain: Seen<string>;
  /** Whether a random method answered -32601 and rpc_modules with {} answered -32602: existence probes are reliable. */
  readonly calibrated: Seen<boolean>;
  /** method → presence, for every probed method. */
  readonly methods: Readonly<Record<string, Seen<Presence>>>;
  /** Accounts that the node lists. */
  readonly accounts: Seen<readonly string[]>;
  /** ipc: the accounts that the node reports as unlocked. */
  readonly unlocked: Seen<readonly string[]>;
  /** http: whether requests with a foreign Host are answered. */
  readonly foreignHost: Seen<Access>;
  /** Whether http allows a preflight, or ws a handshake, of a foreign Origin. */
  readonly foreignOrigin: Seen<Access>;
  /** http, ws: the addresses that the port is bound to, from this machine's kernel. */
  readonly bind: Seen<readonly string[]>;
  /** ipc: permission bits of the socket file. */
  readonly fileMode: Seen<number>;
  /** ipc: who may open the socket besides root and its owner. */
  readonly openTo: Seen<SocketAccess>;
  /** Round trip of the first answer; null without an answer. */
  readonly latencyMs: number | null;
  /** Requests and bytes sent to it. */
  readonly sent: { readonly requests: number; readonly bytes: number };
}

/** By the modes of the socket and of every folder on the way to it. */
export interface SocketAccess {
  readonly everyone: boolean;
  /** Others that may open it, as clauses: "every member of group 1000". */
  readonly some: readonly string[];
  /** Paths whose access control lists may let further users in. */
  readonly lists: readonly string[];
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

/** A gRPC port that settings open. gRPC cannot list its modules, so only the connection is checked. */
export interface GrpcFacts {
  /** The port's address, `http://host:8553`. */
  readonly url: string;
  readonly source: Provenance;
  readonly listening: Seen<'open'>;
  readonly bind: Seen<readonly string[]>;
}

/** The port of the engine API, which was asked for its modules without a token. */
export interface EngineFacts {
  /** The port's address, `http://host:8551`. */
  readonly url: string;
  readonly source: Provenance;
  readonly answer: Seen<EngineAnswer>;
  /** Number of requests sent to it. */
  readonly requests: number;
  readonly bind: Seen<readonly string[]>;
}

/** The HTTP status of a refusal; or the modules that it lists, null where it answered JSON-RPC without a list. */
export type EngineAnswer =
  | { readonly refusal: 401 | 403 }
  | { readonly refusal: null; readonly modules: Readonly<Record<string, string>> | null };

/** What the Go linker wrote into a program. */
export interface BuildFacts {
  /** The main package: `github.com/kaiachain/kaia/cmd/ken`. */
  readonly path: string;
  /** Its module, and the module's version; null, or `(devel)`: the build did not know it. */
  readonly module: string | null;
  readonly version: string | null;
  /** The tag that the build was told; null if there is none. */
  readonly tag: string | null;
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
  /** From its command line and environment; null when not read. */
  readonly settings: Settings | null;
  /** Its listening sockets, in its own network namespace. */
  readonly sockets: Seen<readonly Socket[]>;
  /** Where `sockets` cannot be read: those of its user in its network namespace, some of which may be its own. */
  readonly userSockets?: Seen<readonly Socket[]>;
  /** `other`: another network namespace than kaiactl's, as in a container, so its ports cannot be probed from here. */
  readonly network: 'same' | 'other';
  /** In another network namespace: its ports that this machine publishes. Absent: none is known. */
  readonly published?: readonly PublishedPort[];
  /** Its root folder, `/proc/<pid>/root`; empty when it shares kaiactl's. */
  readonly root: string;
  /** The short id of its container; null when unknown. */
  readonly container: string | null;
  /** Its name, which a restart keeps: `ken /var/kend/data`. Absent, as the next three: not read. */
  readonly name?: string;
  /** The login name of its user, or the number; null when unknown. */
  readonly user?: string | null;
  /** Its unit of systemd, `kend.service`; null when it has none. */
  readonly unit?: string | null;
  /** Its container as people name it: `project/service` of compose, else the container's name; null when unknown. */
  readonly containerName?: string | null;
  /** Its program's build information; absent if it was not read. */
  readonly build?: Seen<BuildFacts>;
}

/** A program in the network namespace of a node. */
export interface Neighbour {
  readonly pid: number;
  readonly program: string;
  /** Its command line, secrets masked. */
  readonly words: readonly string[];
  /** Whether it is a process that the main one of its program started. */
  readonly isWorker: boolean;
  /** Its root folder, `/proc/<pid>/root`. */
  readonly root: string;
  /** Its listening sockets; empty where they cannot be read. */
  readonly listens: readonly Socket[];
  /** The sockets of the node that it is connected to. */
  readonly connected: readonly Socket[];
}

/** A port of a container that this machine publishes: the container's port, and the address and port of this machine. */
export interface PublishedPort extends Socket {
  readonly inside: number;
}

/** A listening TCP socket; `::` is every address of both families. */
export interface Socket {
  readonly address: string;
  readonly port: number;
}

/** `unknown`: no setting opens it, and it answers neither http nor ws. */
export interface SocketFacts extends Socket {
  readonly use: Listener['kind'] | 'p2p' | 'unknown';
}

/** Host name of a URL → the addresses that it resolves to here. Absent: an address. */
export type Names = Readonly<Record<string, Seen<readonly string[]>>>;

export interface LiveFacts {
  readonly names?: Names;
  /** The reach of interfaces as the operator states it. */
  readonly assumed?: Readonly<Partial<Record<string, Reach>>>;
  readonly endpoints: readonly EndpointFacts[];
  readonly metrics: readonly MetricsFacts[];
  /** Absent: none. */
  readonly grpc?: readonly GrpcFacts[];
  /** Absent: none. */
  readonly engine?: readonly EngineFacts[];
  readonly process: Seen<ProcessFacts>;
  /** Every listening socket of the process, and its use. */
  readonly sockets: readonly SocketFacts[];
  /** Sockets that may be the process's: no settings explain them, and its own could not be read. It is absent if there is none. */
  readonly unmatched?: readonly Socket[];
}
