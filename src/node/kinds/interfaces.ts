/** The interfaces of a kind of node: the flags that open each, and the start that they are derived from. */
import type { Dialect } from '../dialect/dialect.js';
import {
  isLocal,
  type Listener,
  type ListenerKind,
  listenerKinds,
  type PortKind,
  type Setting,
  type Settings,
} from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import type { Cap } from './caps.js';

/** The start of a node, with the value of every flag. */
export interface Start {
  readonly dialect: Pick<Dialect, 'unbindable' | 'addressIn'>;
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

/** The flags of an interface, by what they decide; null and absent: there is no such flag. */
export interface InterfaceRow {
  /** The switch or the text that opens it. Without one it is open wherever its other flags exist. */
  readonly enable?: string | null;
  /** The switch that closes it. */
  readonly disable?: string | null;
  /** Its address, with the port where one flag holds both. Absent: every address. */
  readonly addr?: string | null;
  readonly port?: string | null;
  readonly api?: string | null;
  readonly origins?: string | null;
  /** The Host names that it accepts. */
  readonly vhosts?: string | null;
  /** The path under which it answers. */
  readonly prefix?: string | null;
  /** The path of a local socket, the folder of a name without one, and its permission bits. */
  readonly path?: string | null;
  readonly folder?: string | null;
  readonly mode?: string | null;
}

/** The interfaces that a kind has. */
export type InterfaceRows = Readonly<Partial<Record<ListenerKind, InterfaceRow>>>;

type Parts = { readonly [Part in keyof InterfaceRow]-?: string | null };

/** The flags of every interface. */
export type ListenerFlags = Readonly<Record<ListenerKind, Parts>>;

// biome-ignore format: a table, its lines filled by hand
const noFlags: Parts = {
  enable: null, disable: null, addr: null, port: null, api: null, prefix: null, origins: null, vhosts: null,
  path: null, folder: null, mode: null,
};

/** The flags of every interface. The switch of a socket closes it. */
export function flagsIn(rows: InterfaceRows): ListenerFlags {
  const flags = (kind: ListenerKind): Parts => {
    const all = { ...noFlags, ...rows[kind] };
    return isLocal(kind) ? { ...all, enable: all.enable ?? all.disable } : all;
  };
  return Object.fromEntries(listenerKinds.map((kind) => [kind, flags(kind)])) as ListenerFlags;
}

/** The value that makes the flag of an address bind loopback; one flag may hold the port and a scheme too. */
export function localAddress(
  { addr, port: flag }: Pick<Parts, 'addr' | 'port'>,
  { host, port }: Pick<Listener, 'host' | 'port'>,
  values: Settings['values'],
): string {
  if (addr === null || addr !== flag) return '127.0.0.1';
  const text = String(values[addr]?.value ?? '');
  const isWritten = host !== null && host !== '' && text.includes(host);
  return isWritten ? text.replace(host, '127.0.0.1') : `127.0.0.1:${port ?? 'PORT'}`;
}

/** The list that an interface has no check for, whatever its settings; null if there is none. */
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
  /** The status that the engine API answers to a request without a token, of some builds another; absent if it has none. */
  readonly tokenless?: readonly (401 | 403)[];
  /** The IPC socket's name in the data folder, where no flag names another. */
  readonly socketName: string;
  /** The network id that the settings choose, as net_version answers it; null if it cannot be known offline. */
  networkId(values: Settings['values']): { readonly flag: string; readonly id: string } | null;
}
