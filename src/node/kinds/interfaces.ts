/** The interfaces of a kind of node: the flags that open each, and the start that they are derived from. */
import type { Dialect } from '../dialect/dialect.js';
import type { Listener, ListenerKind, PortKind, Setting, Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import type { Cap } from './caps.js';

/** The start of a node, with the value of every flag. */
export interface Start {
  readonly dialect: Dialect;
  readonly launcher: string;
  readonly values: Settings['values'];
  /** The words of the command line. `text` null: an unknown word, which may be one of the flags in `maybe` (null: every flag). */
  readonly words: readonly {
    readonly text: string | null;
    readonly maybe: readonly string[] | null;
    readonly indeterminate: string | null;
  }[];
  /** The place of a piece of a setting's value. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

/** The flags of each listener, by what they decide; null: this kind has no such flag. Absent: no such listener. */
export interface ListenerFlags {
  readonly http: ListFlags & { readonly vhosts: string | null };
  readonly ws: ListFlags;
  readonly authrpc: AddressFlags;
  readonly graphql: AddressFlags;
  readonly grpc: AddressFlags;
  readonly pprof: AddressFlags;
  readonly metrics: PortFlags & { readonly addr?: string };
  readonly mainbridge: PortFlags;
  readonly ipc: LocalFlags;
  /** It offers what http offers. */
  readonly https?: AddressFlags;
  readonly socket?: AddressFlags;
  readonly 'engine-ipc'?: LocalFlags;
  readonly beacon?: AddressFlags & { readonly origins: string | null };
  readonly mcp?: AddressFlags;
}

/** The flags of a listener that a kind does not have. */
const noFlags = { enable: null, addr: null, port: null } as const;

/** The flags of a listener of this kind of node. */
export function flagsOf<K extends ListenerKind>(
  { flags }: Pick<Interfaces, 'flags'>,
  kind: K,
): NonNullable<ListenerFlags[K]> | typeof noFlags {
  return flags[kind] ?? noFlags;
}

interface LocalFlags {
  readonly enable: string | null;
  /** The flag of the socket's permission bits. */
  readonly mode?: string;
}

interface PortFlags {
  readonly enable: string | null;
  readonly port: string | null;
}

interface AddressFlags extends PortFlags {
  readonly addr: string | null;
  /** The Host names that it accepts, where it has a list of its own. */
  readonly vhosts?: string | null;
}

/** The value that makes the flag of an address bind loopback; one flag may hold the port and a scheme too. */
export function localAddress(
  { addr, port: flag }: Pick<AddressFlags, 'addr' | 'port'>,
  { host, port }: Pick<Listener, 'host' | 'port'>,
  values: Settings['values'],
): string {
  if (addr === null || addr !== flag) return '127.0.0.1';
  const text = String(values[addr]?.value ?? '');
  const isWritten = host !== null && host !== '' && text.includes(host);
  return isWritten ? text.replace(host, '127.0.0.1') : `127.0.0.1:${port ?? 'PORT'}`;
}

/** The list that an interface has no check for, whatever its settings; null: none. */
export function uncheckedList(kind: Listener['kind'], { host, wsOrigin }: Interfaces['checks']) {
  if (kind === 'http' && !host) return 'vhosts';
  return kind === 'ws' && !wsOrigin ? 'origins' : null;
}

/** A listener whose callers the node does not check lets in what a list of `*` does, whatever its settings say. */
export function withUnchecked(listener: Listener, checks: Interfaces['checks']): Listener {
  const list = uncheckedList(listener.kind, checks);
  if (list === null || listener[list]?.includes('*') === true) return listener;
  return { ...listener, [list]: ['*'], unchecked: list };
}

interface ListFlags extends AddressFlags {
  readonly api: string | null;
  readonly origins: string | null;
  /** The flag of the path under which it answers. */
  readonly prefix?: string;
}

export interface Served {
  readonly severity: Severity;
  readonly does: string;
}

export interface Interfaces {
  readonly flags: ListenerFlags;
  /** The limits on the work of requests. */
  readonly caps: readonly Cap[];
  /** The listeners that serve Go's profiler. */
  readonly profilers: readonly ('metrics' | 'pprof')[];
  /** The page of the metrics, in Prometheus' format. */
  readonly metricsPath: string;
  /** The callers that the node itself checks. False: no setting makes it check them. */
  readonly checks: {
    /** The Host name of requests over http. */
    readonly host: boolean;
    /** The Origin of the handshake of a WebSocket. */
    readonly wsOrigin: boolean;
  };
  /**
   * What callers of an interface without a module list can do: the severity where any address reaches it, and the end of a
   * sentence that begins with "whoever reaches it can". Absent: this kind of node serves nothing there that needs a finding.
   */
  readonly serves: Readonly<Partial<Record<ListenerKind, Served>>>;
  /** The default port of a listener. */
  defaultPort(kind: PortKind): number;
  /** The status that the engine API answers to a request without a token, of some builds another; absent: it has none. */
  readonly tokenless?: readonly (401 | 403)[];
  /** The IPC socket's name in the data folder, where no flag names another. */
  readonly socketName: string;
  /** The network id that the settings choose, as net_version answers it; null: it cannot be known offline. */
  networkId(values: Settings['values']): { readonly flag: string; readonly id: string } | null;
}
