/** The part of a conf's settings that a simulated node needs. */
import type { Listener, ListenerKind, Setting, Settings, SettingValue } from '../facts/settings.js';
import { kinds } from '../kinds/index.js';
import { kaia } from '../kinds/kaia/index.js';
import { networkIds } from '../kinds/kaia/interfaces.js';
import { isBootNode, launcherNamed } from '../kinds/kaia/names.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf } from '../kinds/node.js';

/** The address of a TCP interface in the conf; the simulator keeps the port and uses loopback. */
export interface Access {
  readonly host: string;
  readonly port: number;
}

export interface RpcSocket extends Access {
  readonly modules: readonly string[];
  readonly origins: readonly string[];
}

/** What a release does otherwise than others. */
export interface ReleaseShape {
  /** `v2.2.1` */
  readonly tag: string;
  /** The unsafe-debug switch leaves ipc its methods. */
  readonly keepsIpc: boolean;
  /** The module kaia is still called klay. */
  readonly klay: boolean;
  /** A method without parameters runs although its params are an object. */
  readonly takesObjects: boolean;
}

/** The properties of a simulated node. */
export interface NodeShape {
  readonly http: (RpcSocket & { readonly vhosts: readonly string[]; readonly executionMs: number }) | null;
  readonly ws: (RpcSocket & { readonly maxConnections: number }) | null;
  readonly ipc: { readonly path: string | null; readonly modules: readonly string[] } | null;
  /** Metrics and profiler share one mux; so does the port of --pprof. */
  readonly metrics: Access | null;
  readonly pprof: Access | null;
  /** Per ws or ipc connection. */
  readonly maxSubscriptions: number;
  /** Bytes of an http body or a ws message. */
  readonly maxBytes: number;
  readonly unsafeDebugGone: boolean;
  readonly ethIsKaia: boolean;
  readonly noGasless: boolean;
  readonly bootNode: boolean;
  readonly identity: string;
  readonly release: ReleaseShape;
  /** The value of --networkid, else 8217 (mainnet) or 1001 (kairos). */
  readonly chainId: number;
  /** Accounts that the conf names with --unlock: a node lists them as unlocked. */
  readonly accounts: readonly string[];
  /** What the simulation omits and why, one sentence each. */
  readonly notes: readonly string[];
}

function releaseOf({ release, modules, probes }: Kind): ReleaseShape {
  const { unsafeDebug } = probes;
  return {
    tag: release.tag,
    keepsIpc: unsafeDebug?.keepsIpc ?? false,
    klay: modules.listed('kaia') === null,
    // The new request handler came with the switch.
    takesObjects: unsafeDebug === null,
  };
}

/** The shape of a conf. An interface whose state is unknown stays closed, with a note. */
export function shapeOf(settings: Settings): NodeShape {
  const notes: string[] = [];
  const open = (kind: ListenerKind): Listener | null => openListener(settings, kind, notes);
  const http = open('http');
  const ws = open('ws');
  const ipc = open('ipc');
  if (open('grpc') !== null) notes.push('gRPC is on in this conf; the simulator does not serve it.');
  return {
    http: rpc(http, (socket) => ({
      ...socket,
      vhosts: http?.vhosts ?? ['localhost'],
      executionMs: seconds(settings, 'rpcexecutiontimeout') * 1000,
    })),
    ws: rpc(ws, (socket) => ({
      ...socket,
      maxConnections: whole(settings, 'wsmaxconnections'),
    })),
    ipc: ipc === null ? null : { path: ipc.path, modules: ipc.modules ?? [] },
    metrics: socket(open('metrics')),
    pprof: socket(open('pprof')),
    maxSubscriptions: whole(settings, 'wsmaxsubscriptionperconn'),
    maxBytes: whole(settings, 'maxRequestContentLength'),
    unsafeDebugGone: read(settings, 'rpc.unsafe-debug.disable') === true,
    ethIsKaia: read(settings, 'rpc.eth.noncompatible') === true,
    noGasless: read(settings, 'gasless.disable') === true,
    bootNode: isBootNode(launcherNamed(settings.launcher)),
    identity: String(read(settings, 'identity') ?? ''),
    release: releaseOf(kindOf(kinds, settings)),
    chainId: chainId(settings),
    accounts: String(read(settings, 'unlock') ?? '').match(/0x[0-9a-fA-F]{40}/g) ?? [],
    notes,
  };
}

function openListener(settings: Settings, kind: ListenerKind, notes: string[]): Listener | null {
  const listener = settings.listeners.find((one) => one.kind === kind);
  if (listener === undefined || listener.state === 'off') return null;
  const listless = (kind === 'http' || kind === 'ws' || kind === 'ipc') && listener.modules === null;
  if (listener.state === 'unknown' || listless) {
    notes.push(`${kind} stays closed: ${listener.reason ?? 'its modules cannot be resolved offline'}.`);
    return null;
  }
  if (kind !== 'ipc' && listener.port === null)
    notes.push(`The port of ${kind} cannot be resolved: a free port is used.`);
  if (kind === 'http' && listener.vhosts === null)
    notes.push('The vhosts cannot be resolved: localhost is used.');
  if ((kind === 'http' || kind === 'ws') && listener.origins === null) {
    notes.push(`The origins of ${kind} cannot be resolved: none are used.`);
  }
  return listener;
}

function socket(listener: Listener | null): Access | null {
  return listener === null ? null : { host: listener.host ?? '127.0.0.1', port: listener.port ?? 0 };
}

function rpc<T>(listener: Listener | null, build: (socket: RpcSocket) => T): T | null {
  const at = socket(listener);
  if (listener === null || at === null) return null;
  return build({ ...at, modules: listener.modules ?? [], origins: listener.origins ?? [] });
}

function read(settings: Settings, flag: string): SettingValue | null {
  const setting: Setting | undefined = settings.values[flag];
  return setting?.value ?? null;
}

/** A count; the node's default if the value is unknown or not a count. */
function whole(settings: Settings, flag: string): number {
  const otherwise = Number(kaia.flags.fallback(flag));
  const value = Number(read(settings, flag) ?? otherwise);
  return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

/** The node replaces a timeout below one second by its default. */
function seconds(settings: Settings, flag: string): number {
  const value = whole(settings, flag);
  return value < 1 ? Number(kaia.flags.fallback(flag)) : value;
}

function chainId(settings: Settings): number {
  return read(settings, 'kairos') === true ? networkIds.kairos : whole(settings, 'networkid');
}
