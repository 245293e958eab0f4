/** The ws interface: checks the Origin of a handshake; one JSON-RPC message or batch per WebSocket message. */
import type { IncomingMessage, Server } from 'node:http';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Limits, Wire } from '../kinds/answers.js';
import { isServed } from './http.js';
import { firstValue } from './json-stream.js';
import type { Responder } from './responder.js';
import type { Caller } from './subscriptions.js';

/** The access list and limits of the ws interface. */
export interface WsRules {
  readonly origins: readonly string[];
  readonly limits: Limits;
  readonly wire: Pick<Wire, 'prefix' | 'wrongPath' | 'plainOnWs' | 'allowsOrigin'>;
}

/**
 * Serves ws on an http server; closing that server's connections ends it. Requests that are no handshake are refused unless
 * the server has another listener for them.
 */
export function serveWs(responder: Responder, rules: WsRules, server: Server): void {
  const { limits, wire, origins } = rules;
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: limits.wsBytes,
    handleProtocols: () => false,
  });
  const isFull = () => sockets.clients.size >= limits.connections;
  if (server.listenerCount('request') === 0)
    server.on('request', (_request, response) => {
      const status = isFull() ? 200 : wire.plainOnWs;
      const body = status === 400 ? 'Bad Request\n' : '';
      response.writeHead(status, refusalHeaders(status, body)).end(body);
    });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (isFull()) return refuse(socket, 200, 'OK', '');
    if (!isServed(request, wire.prefix.ws))
      return wire.wrongPath === 200
        ? refuse(socket, 200, 'OK', '')
        : refuse(socket, 404, 'Not Found', 'not found\n');
    if (request.method !== 'GET') return refuse(socket, 405, 'Method Not Allowed');
    if (!isHandshake(request)) return refuse(socket, 400, 'Bad Request');
    if (!originAllowed(request.headers.origin, origins, wire)) return refuse(socket, 403, 'Forbidden');
    if (request.headers['sec-websocket-key'] === undefined) return refuse(socket, 400, 'Bad Request');
    sockets.handleUpgrade(request, socket, head, (client) => converse(client, responder, rules));
    return undefined;
  });
}

/** Accepts a missing header, `*`, or an origin that an entry of the list allows, ignoring case. */
export function originAllowed(
  origin: string | undefined,
  origins: readonly string[],
  { allowsOrigin }: Pick<Wire, 'allowsOrigin'>,
): boolean {
  if (origin === undefined) return true;
  const listed = origins.filter((one) => one !== '').map((one) => one.toLowerCase());
  if (listed.includes('*')) return true;
  const own = ['http://localhost', `http://${hostname().toLowerCase()}`];
  const entries = listed.length === 0 ? own : listed;
  return entries.some((entry) => allowsOrigin(entry, origin.toLowerCase()));
}

function isHandshake(request: IncomingMessage): boolean {
  const upgrade = request.headers.upgrade?.toLowerCase() ?? '';
  return upgrade.includes('websocket') && request.headers['sec-websocket-version'] === '13';
}

function refusalHeaders(status: number, body: string): Record<string, string> {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  if (body === '') return length;
  return {
    ...length,
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 404 ? {} : { 'Sec-Websocket-Version': '13' }),
    'X-Content-Type-Options': 'nosniff',
  };
}

function refuse(socket: Duplex, status: number, reason: string, body = `${reason}\n`): void {
  const headers = Object.entries(refusalHeaders(status, body)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join('')}Connection: close\r\n\r\n${body}`);
}

/** Answers messages one after the other, in order. */
function converse(client: WebSocket, responder: Responder, rules: WsRules): void {
  const caller: Caller = {
    canSubscribe: true,
    maxSubscriptions: rules.limits.subscriptions,
    subscriptions: new Set(),
  };
  let turn = Promise.resolve(true);
  client.on('error', () => {});
  client.on('message', (data: Buffer) => {
    turn = turn
      .then((goOn) => goOn && answer(client, responder, caller, data))
      .catch(() => {
        client.terminate();
        return false;
      });
  });
}

/**
 * Invalid JSON gets an error and ends the connection; a truncated or empty message ends it without an answer. Resolves to
 * false if the connection ended.
 */
async function answer(
  client: WebSocket,
  responder: Responder,
  caller: Caller,
  data: Buffer,
): Promise<boolean> {
  const first = firstValue(data);
  switch (first.type) {
    case 'value': {
      const text = await responder.respond(first.value, caller);
      if (text !== null) client.send(text);
      return true;
    }
    case 'broken':
      client.send(responder.parseFailure(), () => client.terminate());
      return false;
    case 'empty':
    case 'truncated':
      client.terminate();
      return false;
  }
}
