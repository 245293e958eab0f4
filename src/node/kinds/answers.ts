/** How a node of a kind answers: what the simulator alone needs to know of it, and loads. */

/** The values that answers depend on. */
export interface NodeState {
  readonly client: string;
  readonly chainId: number;
  readonly accounts: readonly string[];
  /** Those of the accounts that are unlocked. */
  readonly unlocked: readonly string[];
}

/** The number of parameters: exactly so many, or from the first number to the second, where the rest are optional pointers. */
type Arity = number | readonly [required: number, most: number];

/** One registered service struct; several can share a namespace. */
export interface Service {
  readonly namespace: string;
  readonly methods: Readonly<Record<string, Arity>>;
  readonly subscriptions?: Readonly<Record<string, Arity>>;
}

/** The answers of a node with some settings. */
export interface Answers {
  /** What web3_clientVersion answers. */
  readonly client: string;
  readonly chainId: number;
  /** The accounts that the settings unlock. */
  readonly accounts: readonly string[];
  /** The services of an interface that offers these modules, under the names that requests use. */
  services(transport: 'http' | 'ws' | 'ipc', modules: readonly string[]): readonly Service[];
  /** Namespace of a request → the one that it is looked up in. */
  readonly aliases: {
    readonly methods: Readonly<Record<string, string>>;
    readonly subscriptions: Readonly<Record<string, string>>;
  };
  /** The results of readers, by name; the other methods are not simulated. */
  readonly results: Readonly<Record<string, (node: NodeState) => unknown>>;
  readonly limits: Limits;
  readonly wire: Wire;
}

export interface Limits {
  /** Bytes of an http body. */
  readonly httpBytes: number;
  /** Bytes of a ws message. */
  readonly wsBytes: number;
  /** Milliseconds after which an http request gets a 503. */
  readonly executionMs: number;
  /** Over ws. */
  readonly connections: number;
  /** Per ws or ipc connection. */
  readonly subscriptions: number;
}

/** What the servers of a kind do differently from those of another. */
export interface Wire {
  /** A method without parameters runs although its params are an object. */
  readonly takesObjects: boolean;
  /** A method without parameters runs although its params are a list of some. */
  readonly ignoresParams: boolean;
  /** HTML characters of answers are not escaped, and over http no newline ends them. */
  readonly isCompact: boolean;
  /** A request without `"jsonrpc":"2.0"` is refused. */
  readonly needsVersion: boolean;
  /** The error code of a subscription over http. */
  readonly noNotifications: number;
  /** The beginning of the paths that are served; '': `/` alone; null for any path. */
  readonly prefix: { readonly http: string | null; readonly ws: string | null };
  /** The status of a preflight. */
  readonly preflight: 200 | 204;
  /** The status of a handshake at another path. */
  readonly wrongPath: 200 | 404;
  /** The Host header is compared in lower case. */
  readonly lowersHost: boolean;
  /** http and ws on one port are one server; else the second cannot open it. */
  readonly sharesPort: boolean;
  /** The status of a request to the port of ws that is no handshake. */
  readonly plainOnWs: 400 | 404;
  /** Whether an entry of the origins of ws allows the origin; both are in lower case. */
  allowsOrigin(entry: string, origin: string): boolean;
  /** The lists of the GraphQL handler on the port of http; null if there is none. */
  readonly graphql: { readonly vhosts: readonly string[]; readonly origins: readonly string[] } | null;
  readonly metrics: MetricsPaths;
  readonly pprof: MetricsPaths;
}

/** What a port for metrics or for the profiler serves. */
export interface MetricsPaths {
  /** The path of the metrics in Prometheus' format, and one of them; null if it has none. */
  readonly metrics: { readonly path: string; readonly type: string; readonly gauge: string } | null;
  /** /debug/pprof/ and /debug/vars. */
  readonly profiler: boolean;
}

/** The ids of chains, by the names that flags have for them. */
// biome-ignore format: a table, its lines filled by hand
export const chainIds: Readonly<Record<string, number>> = {
  mainnet: 1, sepolia: 11_155_111, holesky: 17_000, hoodi: 560_048, dev: 1337, chapel: 97, gnosis: 100, chiado: 10_200,
  'bor-mainnet': 137, amoy: 80_002,
};

export const hex = (value: number): string => `0x${value.toString(16)}`;

/** The results of the readers of a chain, in the namespace that has them. */
export function chainResults(namespace: string): Answers['results'] {
  return {
    [`${namespace}_chainId`]: (node) => hex(node.chainId),
    [`${namespace}_accounts`]: (node) => node.accounts,
    [`${namespace}_blockNumber`]: () => hex(200_000_000),
    [`${namespace}_syncing`]: () => false,
    [`${namespace}_gasPrice`]: () => hex(25_000_000_000),
  };
}

/** The results of readers that several kinds have. */
export const commonResults: Answers['results'] = {
  ...chainResults('eth'),
  web3_clientVersion: (node) => node.client,
  net_version: (node) => String(node.chainId),
  net_listening: () => true,
  net_peerCount: () => hex(0),
  eth_mining: () => false,
  txpool_status: () => ({ pending: hex(0), queued: hex(0) }),
};

/** The answers of a node that has nothing of its own. */
export const plainAnswers = {
  accounts: [],
  aliases: { methods: {}, subscriptions: {} },
  results: commonResults,
  limits: {
    httpBytes: 5 << 20,
    wsBytes: 32 << 20,
    executionMs: 30_000,
    connections: Number.POSITIVE_INFINITY,
    subscriptions: Number.POSITIVE_INFINITY,
  },
} satisfies Partial<Answers>;

export const plainWire: Wire = {
  takesObjects: false,
  ignoresParams: false,
  isCompact: true,
  needsVersion: true,
  noNotifications: -32601,
  prefix: { http: null, ws: null },
  preflight: 200,
  wrongPath: 200,
  lowersHost: false,
  sharesPort: true,
  plainOnWs: 400,
  allowsOrigin: () => true,
  graphql: null,
  metrics: { metrics: null, profiler: false },
  pprof: { metrics: null, profiler: false },
};

/** The services whose namespace is offered; `rpc` answers on every interface. */
export function offeredServices(services: readonly Service[]): Answers['services'] {
  return (_transport, modules) =>
    services.filter(({ namespace }) => namespace === 'rpc' || modules.includes(namespace));
}
