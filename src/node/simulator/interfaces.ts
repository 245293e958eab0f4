/** Opens the interfaces of a simulated node on loopback. */
import { chmodSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { platform } from 'node:os';
import { failure } from '../../errors.js';
import type { Identity } from './answers.js';
import { serveHttp } from './http.js';
import { serveIpc } from './ipc.js';
import { listenAt, listenOn, loopback } from './listen.js';
import { serveMetrics } from './metrics.js';
import { registryOf } from './registry.js';
import { Responder } from './responder.js';
import type { Access, NodeShape } from './shape.js';
import { socketPath } from './socket-path.js';
import { serveWs } from './ws.js';

export interface SimulateOptions {
  /** Use free ports instead of the conf's. Default: false. */
  readonly freePorts?: boolean;
  /** The path of the ipc socket, which must not exist. Default: the conf's path if usable, else a private folder. */
  readonly ipc?: string;
  /** The answer of web3_clientVersion. Default: that of a node of its release. */
  readonly clientVersion?: string;
  /** Accounts that the node lists, in addition to those that the conf unlocks. */
  readonly accounts?: readonly string[];
  /** Accounts that the node lists as unlocked, in addition to those that the conf unlocks. */
  readonly unlocked?: readonly string[];
  /** Called for each message with the interface, the method as received (any text), and "ok" or the error code. */
  readonly log?: (transport: string, method: string, outcome: string) => void;
}

/** A simulation being opened: `opened` closes its interfaces, `notes` name differences from the conf. */
export interface Opening {
  readonly shape: NodeShape;
  readonly options: SimulateOptions;
  readonly opened: (() => Promise<void>)[];
  readonly notes: string[];
}

export async function openHttp(at: Opening): Promise<string | null> {
  const { http, maxBytes } = at.shape;
  if (http === null) return null;
  const listener = serveHttp(responder(at, 'http', http.modules), { ...http, maxBytes });
  return `http://${await open(at, 'http', http, listener)}`;
}

export async function openWs(at: Opening): Promise<string | null> {
  const { ws, maxBytes, maxSubscriptions } = at.shape;
  if (ws === null) return null;
  const serve = responder(at, 'ws', ws.modules);
  const authority = await open(at, 'ws', ws, null, (server) =>
    serveWs(serve, { ...ws, maxBytes, maxSubscriptions }, server),
  );
  return `ws://${authority}`;
}

export async function openMetrics(at: Opening, socket: Access | null, what: string): Promise<string | null> {
  return socket === null ? null : `http://${await open(at, what, socket, serveMetrics)}`;
}

/** The socket file gets mode 0600, as on a node. */
export async function openIpc(at: Opening): Promise<string | null> {
  const { ipc, maxSubscriptions } = at.shape;
  if (ipc === null) return null;
  const place = socketPath(ipc.path, at.options.ipc ?? null, platform());
  at.opened.push(async () => place.remove());
  if (place.note !== null) at.notes.push(place.note);
  const server = createSocketServer(serveIpc(responder(at, 'ipc', ipc.modules), maxSubscriptions));
  try {
    const listening = await listenOn(server, place.path);
    at.opened.unshift(() => listening.close());
    if (platform() !== 'win32') chmodSync(place.path, 0o600);
  } catch (error) {
    throw failure(`cannot simulate ipc at ${place.path}`, error, { hint: 'Name another path with --ipc.' });
  }
  return place.path;
}

/** Opens a TCP interface and returns its authority, such as `127.0.0.1:8551`. */
async function open(
  at: Opening,
  what: string,
  socket: Access,
  listener: RequestListener | null,
  prepare: (server: ReturnType<typeof createHttpServer>) => void = () => {},
): Promise<string> {
  const server = createHttpServer({ keepAliveTimeout: 120_000 }, listener ?? undefined);
  prepare(server);
  const port = at.options.freePorts === true ? 0 : socket.port;
  const listening = await listenAt(server, what, loopback(socket.host), port);
  at.opened.push(() => listening.close());
  const host = listening.host === '::1' ? '[::1]' : listening.host;
  return `${host}:${listening.port}`;
}

/** The unsafe-debug switch works on http and ws; in some releases on ipc too. */
function responder(
  { shape, options }: Opening,
  transport: 'http' | 'ws' | 'ipc',
  modules: readonly string[],
): Responder {
  const registry = registryOf({
    modules,
    unsafeDebugGone: shape.unsafeDebugGone && (transport !== 'ipc' || !shape.release.keepsIpc),
    ethIsKaia: shape.ethIsKaia,
    noGasless: shape.noGasless,
    bootNode: shape.bootNode,
    klay: shape.release.klay,
    takesObjects: shape.release.takesObjects,
  });
  return new Responder(registry, identity(shape, options), (method, outcome) =>
    options.log?.(transport, method, outcome),
  );
}

function identity(shape: NodeShape, options: SimulateOptions): Identity {
  const name = shape.identity === '' ? '' : `${shape.identity}/`;
  const unlocked = [...shape.accounts, ...(options.unlocked ?? [])];
  return {
    client: options.clientVersion ?? `Klaytn/${name}${shape.release.tag}/linux-amd64/go1.25.3`,
    chainId: shape.chainId,
    accounts: [...unlocked, ...(options.accounts ?? [])],
    unlocked,
  };
}
