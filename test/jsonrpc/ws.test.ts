/** What is particular to ws: origins, credentials, proxies. */
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { type ConnectionOptions, encode, plainAddress } from '../../src/jsonrpc/channel.js';
import { deadline } from '../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../src/jsonrpc/endpoint.js';
import { handshakeProbe, wsChannel } from '../../src/jsonrpc/ws.js';
import { anyNode, read } from '../../src/node/kinds/request.js';
import { closePeers, type Peer, tcpPeer, wsPeer } from '../peers/scripted.js';

afterEach(closePeers);
afterEach(() => vi.unstubAllEnvs());

async function within<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = deadline(60_000);
  try {
    return await use(end.signal);
  } finally {
    end.clear();
  }
}

/** Sends the head of each handshake to `seen` and lets in whom `admit` admits. */
function gate(
  seen: (request: IncomingMessage) => void,
  admit: (origin: string | undefined) => boolean,
): Promise<Peer> {
  const server = createServer();
  new WebSocketServer({
    server,
    verifyClient: ({ origin, req }: { origin: string | undefined; req: IncomingMessage }) => {
      seen(req);
      return admit(origin);
    },
  });
  return tcpPeer(server, 'ws');
}

async function ask(address: string, options: Partial<ConnectionOptions> = {}): Promise<string> {
  const channel = wsChannel(parseEndpoint(address), { ...plainAddress, ...options });
  try {
    return await within((signal) => channel.exchange(encode(1, read(anyNode.modules)), signal));
  } finally {
    channel.close();
  }
}

test('requests carry no Origin, the handshake carries credentials and headers, and frames are not compressed', async () => {
  const heads: IncomingMessage[] = [];
  const peer = await gate(
    (request) => heads.push(request),
    () => false,
  );
  const address = peer.address.replace('//', '//me:secret@');
  await expect(ask(address, { headers: { 'x-team': 'a' } })).rejects.toThrow(/HTTP 401/);
  expect(heads[0]?.headers).toMatchObject({
    'x-team': 'a',
    authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
  });
  expect(heads[0]?.headers.origin).toBeUndefined();
  expect(heads[0]?.headers['sec-websocket-extensions']).toBeUndefined();
});

test('a handshakeProbe carries the Origin and tells open from closed', async () => {
  const origins: (string | undefined)[] = [];
  const open = await gate(
    ({ headers }) => origins.push(headers.origin),
    () => true,
  );
  const closed = await tcpPeer(
    createServer().on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')),
    'ws',
  );
  const at = (address: string) =>
    within((signal) => handshakeProbe(parseEndpoint(address), plainAddress, 'https://a.example', signal));
  expect(await at(open.address)).toBe('open');
  expect(await at(closed.address)).toBe('closed');
  expect(origins).toEqual(['https://a.example']);
});

test('a proxy is asked for a tunnel', async () => {
  const peer = await wsPeer((send) => send('{"jsonrpc":"2.0","id":1,"result":{}}'));
  const asked: (string | undefined)[] = [];
  const proxy = await tcpPeer(
    createServer().on('connect', (request, socket) => {
      asked.push(request.url);
      const onward = connect(Number(new URL(peer.address).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => {});
      socket.on('error', () => {});
    }),
    'http',
  );
  const env = { HTTP_PROXY: proxy.address };
  vi.stubEnv('HTTP_PROXY', proxy.address);
  const answer = await ask('ws://node.invalid:8552', { env });
  expect(JSON.parse(answer)).toMatchObject({ result: {} });
  expect(asked).toEqual(['node.invalid:8552']);
});
