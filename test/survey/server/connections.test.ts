/** Limits on open connections: idle ones give way, and callers that wait for an answer do not. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../../src/survey/server/connections.js';
import type { Limits } from '../../../src/survey/server/parts.js';
import { request, started, usualLimits } from './support.js';

const limitsOf = (change: Partial<Limits>): Limits => ({ ...usualLimits, ...change });

async function idle(url: string, count: number, from = '127.0.0.1'): Promise<Socket[]> {
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    return socket.on('error', () => undefined).resume();
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** A server whose answers wait for `answer`. */
async function holding(limits: Partial<Limits>) {
  const waiting: (() => void)[] = [];
  const server = createServer(({ socket }, response) => {
    connections.count(socket, 1);
    response.once('close', () => connections.count(socket, -1));
    waiting.push(() => response.end('answered'));
  });
  const connections = new Connections(server, limitsOf(limits));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () => [...connections.sockets()].length;
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting, open };
}

test('a server with many more idle connections than its limits answers health and lists', async () => {
  const { url } = await started({ limits: limitsOf({ connections: 300, connectionsPerAddress: 100 }) });
  await idle(url, 500);
  for (let n = 2; n < 7; n++) await idle(url, 100, `127.0.0.${n}`);
  for (const path of ['/healthz', '/metrics']) expect((await request(url + path, 'GET')).status).toBe(200);
});

test('the oldest idle connection of an address is closed for its next one; other addresses keep theirs', async () => {
  const { url, open } = await holding({ connectionsPerAddress: 3 });
  const [other] = await idle(url, 1, '127.0.0.2');
  const [first, ...rest] = await idle(url, 3);
  await expect.poll(open).toBe(4);
  const closed = once(first as Socket, 'close');
  await idle(url, 1);
  await closed;
  await expect.poll(open).toBe(4);
  expect([other, ...rest].map((socket) => socket?.destroyed)).toEqual([false, false, false]);
});

test('a connection with a request under way is kept, and the new one is closed', async () => {
  const { url, waiting, open } = await holding({ connectionsPerAddress: 2 });
  const asked = [fetch(url), fetch(url)];
  await expect.poll(() => waiting.length).toBe(2);
  const [refused] = await idle(url, 1);
  if (!refused?.destroyed) await once(refused as Socket, 'close');
  for (const answer of waiting) answer();
  for (const one of asked) expect(await (await one).text()).toBe('answered');
  // The connections are idle again.
  await idle(url, 2);
  await expect.poll(open).toBe(2);
});

test.each([
  ['no proxy', false, 2],
  ['one hop', 1, 5],
  ['its network', ['127.0.0.0/8'], 5],
  ['its address', ['127.0.0.1'], 5],
  ['another network', ['10.0.0.0/8', 'fd00::/8'], 2],
] as const)('connections of trusted proxies are not limited: %s', async (_, trustProxy, count) => {
  const { url, open } = await holding({ connectionsPerAddress: 2, trustProxy });
  await idle(url, 5);
  await expect.poll(open).toBe(count);
});
