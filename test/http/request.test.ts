/** Requests of probes: one listener for each signal, and connections that stay open. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { request } from '../../src/http/request.js';
import { bodyServer } from '../peers/body-server.js';

async function served(act: Parameters<typeof bodyServer>[0]) {
  const server = bodyServer(act).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { url, agent, connections: () => connections };
}

test('one listener on a signal ends all its requests with its reason, before and amid their answers', async () => {
  const heard = { count: 0 };
  const abort = new AbortController();
  const reason = new Error('no answer within 5 s');
  const { url, agent } = await served((incoming, response) => {
    if (incoming.method === 'POST') response.writeHead(200, { 'content-length': 9 }).write('half');
    heard.count += 1;
    if (heard.count === 4) abort.abort(reason);
  });
  const listening = vi.spyOn(abort.signal, 'addEventListener');
  const call = { url, agent, signal: abort.signal, maxBytes: 100 };
  const methods = ['GET', 'POST', 'GET', 'POST'] as const;
  const asked = await Promise.allSettled(methods.map((method) => request({ ...call, method })));
  expect(asked).toEqual(methods.map(() => ({ status: 'rejected', reason })));
  expect(listening).toHaveBeenCalledTimes(1);
  await expect(request({ ...call, method: 'GET' })).rejects.toBe(reason);
});

test('a head whose body is empty keeps the connection; any other body is left with it', async () => {
  const { url, agent, connections } = await served(({ url: path }, response) => {
    response.writeHead(path === '/none' ? 204 : 200);
    response.end(path === '/none' ? undefined : 'body');
  });
  const { signal } = new AbortController();
  const head = (path: string) =>
    request({ method: 'OPTIONS', url: new URL(path, url), agent, signal, maxBytes: null });
  expect(await head('/none')).toMatchObject({ status: 204, text: '' });
  expect(await head('/some')).toMatchObject({ status: 200, text: '' });
  expect(connections()).toBe(1);
  await head('/none');
  expect(connections()).toBe(2);
});
