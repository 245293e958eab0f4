/** A server under more load than it can carry, with slow callers, and while it closes. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { addLoadLimits } from '../../../src/survey/server/load.js';
import { during } from '../../peers/during.js';
import { faultProxy } from '../fault-proxy.js';
import { joinBody, listed, platform, request, settings, started, survey } from './support.js';

const join = '/api/group/join';
const members = `/api/group/members?id=${survey}`;

/** A server whose platform holds the token check of every join until it is released. */
async function holding(limit: { joins?: number; requests?: number; requestMs?: number } = {}) {
  const proxy = await faultProxy((await platform()).url);
  const { tokens, limits } = await settings();
  if (tokens === null) throw new Error('no tokens');
  proxy.choose = ({ path }) => (path.startsWith('/verify') ? { fault: 'slow', delivered: true } : null);
  const running = await started({
    limits: { ...limits, ...limit },
    tokens: { ...tokens, accessVerifyUrl: `${proxy.url}/verify`, profileUrl: `${proxy.url}/profile` },
  });
  return { running, url: running.url, proxy };
}

test.each([
  ['joins', { joins: 1 }, join, 'POST'],
  ['requests', { requests: 1 }, members, 'GET'],
] as const)(
  'more %s than the limit are refused with 429, and the others are answered',
  async (_, limit, path, method) => {
    const { url, proxy } = await holding(limit);
    const first = request(url + join, 'POST', joinBody(1));
    await during(first, proxy.held());
    const body = method === 'POST' ? JSON.stringify(joinBody(2)) : null;
    const refused = await fetch(url + path, { method, body });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(JSON.parse(((await refused.json()) as { error: string }).error)).toMatchObject({ code: 'BUSY' });
    expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
    proxy.release();
    expect((await first).status).toBe(200);
    proxy.choose = () => null;
    expect((await request(url + join, 'POST', joinBody(2))).status).toBe(200);
    expect(await listed(url)).toEqual(['1', '2']);
  },
);

test('a refused caller that still sends its body reads the refusal', async () => {
  const { url, proxy } = await holding({ requests: 1 });
  const first = request(url + join, 'POST', joinBody(1));
  await during(first, proxy.held());
  const body = 'x'.repeat(60_000);
  const headers = { 'content-length': body.length, connection: 'close' };
  const sent = send(url + join, { method: 'POST', headers, agent: false });
  let isAnswered = false;
  const answered = once(sent, 'response').then(([answer]) => {
    isAnswered = true;
    return answer as IncomingMessage;
  });
  sent.flushHeaders();
  // The server has read the head once it answers a later request.
  for (let n = 0; n < 2; n++) expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
  sent.write(body.slice(1));
  expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
  // An answer before the end of the body would break the caller's connection.
  expect(isAnswered).toBe(false);
  sent.end(body.slice(0, 1));
  const answer = await answered;
  expect(answer.statusCode).toBe(429);
  for await (const _ of answer);
  proxy.release();
  await first;
});

test('a closing server answers received requests, and refuses others in the API’s form', async () => {
  const { running, url, proxy } = await holding();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  await once(idle, 'connect');
  // Half a request keeps its connection open while the server closes.
  idle.write(`GET ${members} HTTP/1.1\r\n`);
  const headers = { 'content-type': 'application/json' };
  const first = fetch(url + join, { method: 'POST', headers, body: JSON.stringify(joinBody(1)) });
  await during(first, proxy.held());
  const closed = running.close();
  const refused = once(idle, 'data');
  idle.write('Host: x\r\n\r\n');
  const [head = '', body = ''] = String((await refused)[0]).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  expect(head.toLowerCase()).toMatch(/connection: close/);
  expect(head.toLowerCase()).toMatch(/retry-after: 5/);
  expect(JSON.parse(JSON.parse(body).error)).toMatchObject({ code: 'SHUTTING_DOWN' });
  proxy.release();
  const answered = await first;
  // Connections that clients keep open do not delay the end.
  expect([answered.status, answered.headers.get('connection')]).toEqual([200, 'close']);
  expect(JSON.parse(((await answered.json()) as { data: string }).data)).toMatchObject({ status: 1 });
  await closed;
  await expect(fetch(url + members)).rejects.toThrow('fetch failed');
});

test('a closing server waits for requests, not for connections without one', async () => {
  const { running, url, proxy } = await holding({ requestMs: 3_600_000 });
  const first = request(url + join, 'POST', joinBody(1));
  await during(first, proxy.held());
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  await once(silent, 'connect');
  const ended = once(silent, 'close');
  const closed = running.close();
  await ended;
  proxy.release();
  expect((await first).status).toBe(200);
  await closed;
});

test('a caller that does not read its answer is disconnected; one that reads gets it all', async () => {
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  const bytes = 64 << 20;
  let slow = 0;
  const { limits } = await settings();
  // The timeout allows a second per 64 KiB beyond `sendMs`: a negative one leaves 200 ms for these bytes.
  addLoadLimits(app, { ...limits, sendMs: 200 - bytes / 64 }, () => {
    slow += 1;
  });
  app.get('/', async () => Buffer.alloc(bytes));
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => slow).toBe(1);
  socket.resume();
  let read = 0;
  socket.on('data', (chunk) => {
    read += chunk.length;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  expect(read).toBeLessThan(bytes);
});

test('a reader within its time is not disconnected, however long its connection stays open', async () => {
  const { limits } = await settings();
  const { url } = await started({ limits: { ...limits, sendMs: 60_000 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async () => {
    const sent = send(url + members, { agent }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    for await (const _ of answer);
    return { status: answer.statusCode, isReused: sent.reusedSocket };
  };
  expect([await ask(), await ask()]).toEqual([
    { status: 200, isReused: false },
    { status: 200, isReused: true },
  ]);
});
