/** Nodes that lie, stall, flood or break off: one entry for each behaviour. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpPeer, ipcPeer, type Peer, rawPeer, scripted, type WireName } from './scripted.js';

export interface Behaviour {
  readonly name: string;
  start(): Promise<Peer>;
  /** What the report must say. */
  readonly reason: RegExp;
}

const id = (text: string): number => (JSON.parse(text) as { id: number }).id;
const result = (text: string, value: string): string =>
  `{"jsonrpc":"2.0","id":${id(text)},"result":${value}}`;

/** The same lie on every wire. */
function lie(name: string, answer: (text: string) => string | string[], reason: RegExp): Behaviour[] {
  return (['http', 'ws', 'ipc'] as const).map((wire: WireName) => ({
    name: `${wire}: ${name}`,
    start: () => {
      answer('{"id":0}'); // what takes long to make is made before the clock runs
      return scripted(wire, answer);
    },
    reason,
  }));
}

function overHttp(name: string, act: (response: ServerResponse) => void, reason: RegExp): Behaviour {
  return { name: `http: ${name}`, start: () => httpPeer((_request, response) => act(response)), reason };
}

function overTcp(name: string, act: (socket: Socket) => void, reason: RegExp, scheme = 'http'): Behaviour {
  return { name: `${scheme}: ${name}`, start: () => rawPeer(act, scheme), reason };
}

function overIpc(name: string, act: (socket: Socket) => void, reason: RegExp): Behaviour {
  return { name: `ipc: ${name}`, start: () => ipcPeer(act), reason };
}

/** Writes the same chunk as fast as the reader takes it, until the connection ends. */
function pour(stream: Socket | ServerResponse, chunk: Buffer): void {
  const more = (): void => {
    if (!stream.destroyed && stream.write(chunk)) setImmediate(more);
  };
  stream.on('drain', more);
  more();
}

/** Writes a byte now and then, for as long as anyone listens. */
function drip(stream: Socket | ServerResponse): void {
  const timer = setInterval(() => stream.write(' '), 20);
  stream.on('close', () => clearInterval(timer));
}

/** Answers a WebSocket handshake by hand, so that what follows need not be a frame. */
function handshake(socket: Socket, then: (socket: Socket) => void): void {
  socket.once('data', (head) => {
    const key = /sec-websocket-key: (.*)\r\n/i.exec(String(head))?.[1] ?? '';
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(`${lines.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    then(socket);
  });
}

const overWs = (name: string, then: (socket: Socket) => void, reason: RegExp): Behaviour =>
  overTcp(name, (socket) => handshake(socket, then), reason, 'ws');

const frame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);
const late = /no answer within/;
const notJson = /not JSON/;
const made = new Map<number, string>();
/** So many modules; made once. */
function many(count: number): string {
  const text = made.get(count) ?? `{${Array.from({ length: count }, (_, at) => `"m${at}":"1.0"`).join(',')}}`;
  made.set(count, text);
  return text;
}

/** At least thirty. Those that stall run into the deadline. */
export const behaviours: readonly Behaviour[] = [
  ...lie('wrong id', (text) => `{"jsonrpc":"2.0","id":${id(text) + 7},"result":{}}`, /the id of the answer/),
  ...lie(
    'two answers',
    (text) => [result(text, '{}'), result(text, '{}')],
    /not JSON|unsolicited|the id of the answer/,
  ),
  ...lie('a list as result', (text) => result(text, '[]'), /did not answer with an object/),
  ...lie('a version that is an object', (text) => result(text, '{"eth":{}}'), /not a version/),
  ...lie('five hundred modules', (text) => result(text, many(500)), /names 500 modules/),
  ...lie('two hundred thousand modules', (text) => result(text, many(200_000)), /larger than 1 MiB/),
  ...lie(
    'names with escapes and newlines',
    (text) => result(text, '{"\\u001b[31meth\\n":"1.0"}'),
    /a module no node has/,
  ),
  ...lie('names with bidi marks', (text) => result(text, '{"\\u202ehte":"1.0"}'), /a module no node has/),
  ...lie(
    'a name of 900 KB',
    (text) => result(text, `{"${'x'.repeat(900_000)}":"1.0"}`),
    /a module no node has/,
  ),
  ...lie('deep nesting', (text) => result(text, '['.repeat(50_000) + ']'.repeat(50_000)), /levels deep/),
  ...lie(
    'an error with escapes',
    (text) => `{"jsonrpc":"2.0","id":${id(text)},"error":{"code":-1,"message":"\\u001b]0;x\\u0007"}}`,
    /answered error -1/,
  ),
  ...lie('no JSON', () => '<html>\u001b[2J</html>', notJson),
  overHttp(
    'HTML with 200',
    (response) => response.setHeader('content-type', 'text/html').end('<!doctype html><p>hi'),
    notJson,
  ),
  overHttp('an empty body', (response) => response.end(), /is empty/),
  overHttp('503 with a page', (response) => response.writeHead(503).end('<html>busy</html>'), /HTTP 503/),
  overHttp('401', (response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end(), /HTTP 401/),
  overHttp(
    'a redirect elsewhere',
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end(),
    /a redirect to http:\/\/127\.0\.0\.1:1\/\*, not followed/,
  ),
  overHttp(
    'headers without end',
    (response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end('{}'),
    /headers are larger/,
  ),
  overHttp(
    'a body without end',
    (response) => pour(response, Buffer.alloc(65_536, 'x')),
    /larger than 1 MiB/,
  ),
  overHttp('a slow drip', drip, late),
  {
    name: 'http: a gzip bomb',
    start: () => {
      const bomb = gzipSync(Buffer.alloc(96 << 20, ' '), { level: 1 });
      return httpPeer((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    },
    reason: /larger than 1 MiB/,
  },
  overHttp(
    'gzip that is not gzip',
    (response) => response.setHeader('content-encoding', 'gzip').end('{"a":1}'),
    /compressed answer is damaged/,
  ),
  overHttp(
    'a body cut short',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"jsonrpc"');
      setTimeout(() => response.destroy(), 20);
    },
    /closed|reset|aborted/i,
  ),
  overTcp('silence', () => {}, late),
  overTcp('hangs up at once', (socket) => socket.destroy(), /closed|reset|hang up/),
  overTcp('noise', (socket) => socket.end('\u0000\u001b[31m not http at all\r\n\r\n'), /not HTTP/),
  overTcp(
    'answers before the question',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
    /not a JSON-RPC response|not HTTP|reset|hang up/,
  ),
  overTcp(
    '200 MB',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n');
      pour(socket, Buffer.alloc(65_536, '1'));
    },
    /larger than 1 MiB/,
  ),
  overTcp('no handshake', () => {}, late, 'ws'),
  overTcp(
    'refuses the handshake',
    (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
    /HTTP 403/,
    'ws',
  ),
  overTcp(
    'redirects the handshake',
    (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
    /HTTP 302/,
    'ws',
  ),
  overWs('closes with 1008', (socket) => socket.write(Buffer.from([0x88, 2, 0x03, 0xf0])), /code 1008/),
  overWs(
    'closes with a code that does not exist',
    (socket) => socket.write(Buffer.from([0x88, 2, 0x00, 0x01])),
    /WebSocket protocol error|closed/,
  ),
  overWs(
    'a frame flood',
    (socket) => pour(socket, Buffer.concat(Array.from({ length: 500 }, () => frame('{}')))),
    /unsolicited|not a JSON-RPC|the id of the answer/,
  ),
  overWs('a ping flood', (socket) => pour(socket, Buffer.from([0x89, 0])), late),
  overWs(
    'a frame of 4 GB',
    (socket) => {
      socket.write(Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]));
      pour(socket, Buffer.alloc(65_536, 'x'));
    },
    /larger than 1 MiB/,
  ),
  overWs(
    'fragments without end',
    (socket) => {
      socket.write(Buffer.from([0x01, 1, 0x78]));
      pour(socket, Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from([0x00, 1, 0x78]))));
    },
    /larger than 1 MiB|no answer within|too many/i,
  ),
  overWs(
    'answers before the question',
    (socket) => socket.write(frame('{"jsonrpc":"2.0","id":1,"result":{}}')),
    /unsolicited|the id of the answer/,
  ),
  overIpc('silence', () => {}, late),
  overIpc(
    'a value without end',
    (socket) => {
      socket.write('{"result":"');
      pour(socket, Buffer.alloc(65_536, 'x'));
    },
    /larger than 1 MiB/,
  ),
  overIpc('a slow drip', drip, late),
  overIpc('hangs up at once', (socket) => socket.destroy(), /closed|reset/),
  overIpc(
    'answers before the question',
    (socket) => socket.write('{"jsonrpc":"2.0","id":1,"result":{}}'),
    /unsolicited|the id of the answer/,
  ),
];
