/** A peer that answers as a test says, over http, ws and ipc alike. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { bodyServer } from './body-server.js';

export const wires = ['http', 'ws', 'ipc'] as const;
export type WireName = (typeof wires)[number];

/** One request text in, answer texts out. */
export type Script = (text: string) => string | readonly string[] | null;

export interface Peer {
  readonly address: string;
  close(): Promise<void>;
}

const open = new Set<Peer>();

/** Closes every peer a test left open: call it in afterEach. */
export async function closePeers(): Promise<void> {
  await Promise.all([...open].map((peer) => peer.close()));
}

/** Starts a peer on the wire; it speaks JSON-RPC the way `script` says. */
export function scripted(wire: WireName, script: Script, connected = () => {}): Promise<Peer> {
  const answers = (text: string) => [script(text) ?? []].flat();
  switch (wire) {
    case 'http':
      return httpPeer((request, response, body) => {
        if (request.method !== 'POST') response.writeHead(405).end();
        else response.setHeader('content-type', 'application/json').end(answers(body).join(''));
      });
    case 'ws':
      return wsPeer((send, text) => answers(text).forEach(send), connected);
    case 'ipc':
      return ipcPeer((socket) => {
        let held = '';
        socket.on('data', (chunk) => {
          held += chunk;
          try {
            JSON.parse(held);
          } catch {
            return;
          }
          const text = held;
          held = '';
          for (const answer of answers(text)) socket.write(answer);
        });
      });
  }
}

export function httpPeer(
  act: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): Promise<Peer> {
  return tcpPeer(bodyServer(act), 'http');
}

export function wsPeer(
  act: (send: (text: string) => void, text: string) => void,
  connected = () => {},
): Promise<Peer> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    connected();
    socket.on('error', () => {});
    socket.on('message', (data) => act((text) => socket.send(text), String(data)));
  });
  return tcpPeer(server, 'ws');
}

/** A TCP server on a free loopback port; `scheme` is how its address reads. */
export async function tcpPeer(server: Server, scheme: string): Promise<Peer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return closable(server, `${scheme}://127.0.0.1:${port}`);
}

export function rawPeer(act: (socket: Socket) => void, scheme = 'http'): Promise<Peer> {
  return tcpPeer(createSocketServer(act), scheme);
}

/** A unix socket in a folder of its own, whose name has a blank. */
export async function ipcPeer(act: (socket: Socket) => void): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl peer-'));
  const path = join(folder, 'klay.ipc');
  const server = createSocketServer(act);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return closable(server, `ipc:${path}`, () => rmSync(folder, { recursive: true, force: true }));
}

function closable(server: Server, address: string, after = () => {}): Peer {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const peer: Peer = {
    address,
    async close() {
      open.delete(peer);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      after();
    },
  };
  open.add(peer);
  return peer;
}
