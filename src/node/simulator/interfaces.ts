/** Opens the interfaces of a simulated node on loopback. */

import { chmodSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { platform } from 'node:os';
import { failure } from '../../errors.js';
import type { Answers, MetricsPaths, NodeState } from '../kinds/answers.js';
import { refuseToken, serveHttp } from './http.js';
import { JsonStream } from './json-stream.js';
import { listenAt, listenOn, loopback } from './listen.js';
import { registryOf } from './registry.js';
import { createResponder, type Responder } from './responder.js';
import type { Access, NodeShape } from './shape.js';
import { socketPath } from './socket-path.js';
import type { Caller } from './subscriptions.js';
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

/** The URLs of http and ws, which are one server where their kind has them share a port. */
export async function openRpc(at: Opening): Promise<{ http: string | null; ws: string | null }> {
  const { http, ws, answers } = at.shape;
  const { prefix } = answers.wire;
  const onHttp: Prepare = (server) =>
    http !== null &&
    server.on('request', serveHttp(responder(at, 'http', http.modules), { ...answers, ...http }));
  const onWs: Prepare = (server) =>
    ws !== null && serveWs(responder(at, 'ws', ws.modules), { ...answers, ...ws }, server);
  if (http !== null && answers.wire.sharesPort && http.port !== 0 && http.port === ws?.port) {
    const authority = await open(at, 'http', http, (server) => [onHttp(server), onWs(server)]);
    return { http: `http://${authority}${prefix.http ?? ''}`, ws: `ws://${authority}${prefix.ws ?? ''}` };
  }
  const [asHttp, asWs] = [
    await opened('http', at, 'http', http, onHttp),
    await opened('ws', at, 'ws', ws, onWs),
  ];
  return {
    http: asHttp === null ? null : asHttp + (prefix.http ?? ''),
    ws: asWs === null ? null : asWs + (prefix.ws ?? ''),
  };
}

export async function openMetrics(at: Opening, what: 'metrics' | 'pprof'): Promise<string | null> {
  const { [what]: socket, answers } = at.shape;
  return await opened('http', at, what, socket, (server) =>
    server.on('request', serveMetrics(answers.wire[what])),
  );
}

/** The engine API, which accepts no token: the secret is the real node's. */
export async function openAuthRpc(at: Opening): Promise<string | null> {
  return await opened('http', at, 'authrpc', at.shape.authrpc, (server) => server.on('request', refuseToken));
}

/** The socket file gets mode 0600, as on a node. */
export async function openIpc(at: Opening): Promise<string | null> {
  const { ipc, answers } = at.shape;
  if (ipc === null) return null;
  const place = socketPath(ipc.path, at.options.ipc ?? null, platform());
  at.opened.push(async () => place.remove());
  if (place.note !== null) at.notes.push(place.note);
  const server = createSocketServer(
    serveIpc(responder(at, 'ipc', ipc.modules), answers.limits.subscriptions),
  );
  try {
    const listening = await listenOn(server, place.path);
    at.opened.unshift(() => listening.close());
    if (platform() !== 'win32') chmodSync(place.path, 0o600);
  } catch (error) {
    throw failure(`cannot simulate ipc at ${place.path}`, error, { hint: 'Name another path with --ipc.' });
  }
  return place.path;
}

/** What a server serves. */
type Prepare = (server: Server) => unknown;

async function opened(
  scheme: 'http' | 'ws',
  at: Opening,
  what: string,
  socket: Access | null,
  prepare: Prepare,
): Promise<string | null> {
  return socket === null ? null : `${scheme}://${await open(at, what, socket, prepare)}`;
}

/** Opens a TCP interface and returns its authority, such as `127.0.0.1:8551`. */
async function open(at: Opening, what: string, socket: Access, prepare: Prepare): Promise<string> {
  const server = createHttpServer({ keepAliveTimeout: 120_000 });
  prepare(server);
  const port = at.options.freePorts === true ? 0 : socket.port;
  const listening = await listenAt(server, what, loopback(socket.host), port);
  at.opened.push(() => listening.close());
  const host = listening.host === '::1' ? '[::1]' : listening.host;
  return `${host}:${listening.port}`;
}

function responder(
  { shape, options }: Opening,
  transport: 'http' | 'ws' | 'ipc',
  modules: readonly string[],
): Responder {
  const { answers } = shape;
  const registry = registryOf(answers.services(transport, modules), answers.aliases);
  return createResponder(registry, answers, stateOf(answers, options), (method, outcome) =>
    options.log?.(transport, method, outcome),
  );
}

function stateOf(answers: Answers, options: SimulateOptions): NodeState {
  const unlocked = [...new Set([...answers.accounts, ...(options.unlocked ?? [])])];
  return {
    client: options.clientVersion ?? answers.client,
    chainId: answers.chainId,
    accounts: [...new Set([...unlocked, ...(options.accounts ?? [])])],
    unlocked,
  };
}

/** The node has no limit; this one protects the machine from a flooded simulator. */
const maxMessageBytes = 4 << 20;

/** Serves one connection: answers each value in order; invalid JSON gets an error and ends the connection. */
function serveIpc(responder: Responder, maxSubscriptions: number): (socket: Socket) => void {
  return (socket) => {
    const caller: Caller = { canSubscribe: true, maxSubscriptions, subscriptions: new Set() };
    const stream = new JsonStream();
    let turn = Promise.resolve();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      const { values, broken } = stream.push(chunk);
      socket.pause();
      turn = turn
        .then(async () => {
          for (const value of values) await write(socket, await responder.respond(value, caller));
          if (broken) socket.end(responder.parseFailure());
          else if (stream.pending > maxMessageBytes) socket.destroy();
          else socket.resume();
        })
        .catch(() => void socket.destroy());
    });
  };
}

/** Waits for a slow reader, so that answers are not queued without limit. */
function write(socket: Socket, text: string | null): Promise<void> {
  return new Promise((resolve) => {
    if (text === null || socket.destroyed || socket.write(text)) resolve();
    else {
      const go = (): void => {
        socket.off('drain', go).off('close', go);
        resolve();
      };
      socket.on('drain', go).on('close', go);
    }
  });
}

const profiles = 'allocs block cmdline goroutine heap mutex profile symbol threadcreate trace'.split(' ');

/**
 * Serves the metrics and the profiler at their paths. Profiles are listed but not simulated (501), because a simulator has
 * no memory and no command line of a node.
 */
function serveMetrics({ metrics, profiler }: MetricsPaths): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (path === metrics?.path) send(response, 200, metrics.type, exposition(metrics.gauge));
    else if (!profiler || !serveProfiler(path, response))
      send(response, 404, 'text/plain; charset=utf-8', '404 page not found\n');
  };
}

/** False: the path is not the profiler's. */
function serveProfiler(path: string, response: ServerResponse): boolean {
  const profile = /^\/debug\/pprof\/(.+)$/.exec(path)?.[1];
  if (path === '/debug/vars') send(response, 200, 'application/json; charset=utf-8', '{}\n');
  else if (path === '/debug/pprof/') send(response, 200, 'text/html; charset=utf-8', index);
  else if (path === '/debug/pprof') {
    response.setHeader('Location', '/debug/pprof/');
    send(response, 301, 'text/html; charset=utf-8', '<a href="/debug/pprof/">Moved Permanently</a>.\n\n');
  } else if (profile !== undefined && profiles.includes(profile)) {
    send(response, 501, 'text/plain; charset=utf-8', `not simulated: /debug/pprof/${profile}\n`);
  } else if (profile !== undefined) send(response, 404, 'text/plain; charset=utf-8', 'Unknown profile\n');
  else return false;
  return true;
}

/** One metric in Prometheus' format. */
function exposition(gauge: string): string {
  return `# HELP ${gauge} The height of the chain.\n# TYPE ${gauge} gauge\n${gauge} 2e+08\n`;
}

const index = `<html>
<head><title>/debug/pprof/</title></head>
<body>/debug/pprof/<br>
<p>Types of profiles available:</p>
${profiles.map((name) => `<a href='${name}?debug=1'>${name}</a><br>`).join('\n')}
</body>
</html>
`;

function send(response: ServerResponse, status: number, type: string, body: string): void {
  if (status >= 400) response.setHeader('X-Content-Type-Options', 'nosniff');
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
