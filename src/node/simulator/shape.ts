/** The part of a conf's settings that a simulated node needs. */
import type { Listener, ListenerKind, Settings } from '../facts/settings.js';
import type { Answers } from '../kinds/answers.js';
import { kinds } from '../kinds/index.js';
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

/** The properties of a simulated node. */
export interface NodeShape {
  readonly http: (RpcSocket & { readonly vhosts: readonly string[] }) | null;
  readonly ws: RpcSocket | null;
  readonly ipc: { readonly path: string | null; readonly modules: readonly string[] } | null;
  /** Asks for a token and accepts none. */
  readonly authrpc: Access | null;
  readonly metrics: Access | null;
  readonly pprof: Access | null;
  readonly answers: Answers;
  /** What the simulation omits and why, one sentence each. */
  readonly notes: readonly string[];
}

/** The shape of a conf. An interface whose state is unknown stays closed, with a note. */
export async function shapeOf(settings: Settings): Promise<NodeShape> {
  const notes: string[] = [];
  const open = (kind: ListenerKind): Listener | null => openListener(settings, kind, notes);
  const http = open('http');
  const ws = open('ws');
  const ipc = open('ipc');
  if (open('grpc') !== null) notes.push('gRPC is on in this conf; the simulator does not serve it.');
  return {
    http: http === null ? null : { ...rpc(http), vhosts: http.vhosts ?? ['localhost'] },
    ws: ws === null ? null : rpc(ws),
    ipc: ipc === null ? null : { path: ipc.path, modules: ipc.modules ?? [] },
    authrpc: socket(open('authrpc')),
    metrics: socket(open('metrics')),
    pprof: socket(open('pprof')),
    answers: await kindOf(kinds, settings).answers(settings),
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
  return listener === null ? null : accessOf(listener);
}

function rpc(listener: Listener): RpcSocket {
  return { ...accessOf(listener), modules: listener.modules ?? [], origins: listener.origins ?? [] };
}

function accessOf({ host, port }: Listener): Access {
  return { host: host ?? '127.0.0.1', port: port ?? 0 };
}
