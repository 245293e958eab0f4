/** A client's requests: redirects, etags, dates and interruptions; and a server's requests to a service that it needs. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ask } from '../../src/http/ask.js';
import { send } from '../../src/http/send.js';
import { field } from '../../src/util/json.js';
import { during } from '../peers/during.js';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** A server that answers each path with a status and a location, and notes what came. */
async function answering(
  answer: (
    path: string,
    url: string,
  ) => { status: number; headers?: Record<string, string>; body?: string } | null,
): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  let url = '';
  server = createServer((request, response) => {
    asked.push(request);
    const said = answer(request.url ?? '', url);
    if (said !== null) response.writeHead(said.status, said.headers).end(said.body ?? '');
  });
  await new Promise<void>((resolve) => {
    server?.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked };
}

const limits = { timeoutMs: 5000, maxBytes: 1000, signal: new AbortController().signal };
const get = (url: string, over = {}) => send({ method: 'GET', url: new URL(url), ...limits, ...over });

describe('a redirect', () => {
  test.each([
    ['on the same host is followed', '/b', 2, 200],
    ['by its whole URL too', '<url>/b', 2, 200],
    ['to another name of the host is not', 'http://localhost:1/b', 1, 302],
    ['with a user in it is not', '<user>/b', 1, 302],
    ['to another scheme is not', 'ftp://127.0.0.1/b', 1, 302],
    ['to what is no URL is not', 'http://[', 1, 302],
    ['to nowhere is not', null, 1, 302],
    ['in a circle is followed three times', '/a', 4, 302],
  ])('%s', async (_, location, times, status) => {
    const { url, asked } = await answering((path, own) => {
      if (path === '/b') return { status: 200, body: 'b' };
      const to = location?.replace('<url>', own).replace('<user>', own.replace('//', '//me@'));
      return { status: 302, headers: to === undefined ? {} : { location: to } };
    });
    expect(await get(`${url}/a`)).toMatchObject({ kind: 'answer', status });
    expect(asked).toHaveLength(times);
  });

  test('from http to https of the host is followed', async () => {
    const { url } = await answering((_, own) => ({
      status: 307,
      headers: { location: own.replace('http', 'https') },
    }));
    expect(await get(url)).toMatchObject({ kind: 'lost' });
  });

  test('of a POST is not followed', async () => {
    const { url, asked } = await answering(() => ({ status: 308, headers: { location: '/b' } }));
    const reply = await get(url, { method: 'POST', body: '{}' });
    expect(reply).toMatchObject({ kind: 'answer', status: 308, location: '/b' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });

  test('is no redirect with another status', async () => {
    const { url } = await answering(() => ({ status: 304, headers: { location: '/b', etag: '"e"' } }));
    expect(await get(url, { known: '"e"' })).toMatchObject({ status: 304, location: null, etag: '"e"' });
  });
});

test('a request names a known ETag only', async () => {
  const { url, asked } = await answering(() => ({ status: 200, headers: { 'retry-after': '3' }, body: 'x' }));
  expect(await get(url, { known: '"e"' })).toMatchObject({
    retryAfterMs: 3000,
    contentType: '',
    etag: null,
    text: 'x',
  });
  await get(url, { known: null });
  expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual(['"e"', undefined]);
  expect(asked[1]?.headers).not.toHaveProperty('content-type');
});

const date = 'Sun, 22 Nov 2026 10:00:00 GMT';
test.each([
  ['7', 7000],
  ['0', 0],
  ['Sun, 22 Nov 2026 10:01:30 GMT', 90_000],
  ['Sun, 22 Nov 2026 09:59:00 GMT', 0],
  ['Fri, 22 Nov 2999 10:00:00 GMT', 1_000_000_000],
  ['soon', null],
  ['7 s', null],
  ['-7', null],
  ['1234567', null],
  ['Sun, 99 Nov 2026 10:00:00 GMT', null],
  ['2026-11-22', null],
])('retry-after %j is %j ms', async (after, retryAfterMs) => {
  const { url } = await answering(() => ({ status: 429, headers: { 'retry-after': after, date } }));
  expect(await get(url, {})).toMatchObject({ retryAfterMs });
});

test('a date without the answer’s own date is compared with the clock', async () => {
  const until = new Date(Date.now() + 3_600_000).toUTCString();
  const { url } = await answering(() => ({ status: 429, headers: { 'retry-after': until, date: '' } }));
  const reply = await get(url, {});
  expect(reply).toMatchObject({ retryAfterMs: expect.any(Number) });
  if (reply.kind === 'answer') expect(reply.retryAfterMs).toBeGreaterThan(3_000_000);
});

test('no answer and an interruption are distinguished; the request may have arrived in both', async () => {
  const { url } = await answering(() => null);
  expect(await get(url, { timeoutMs: 30 })).toEqual({
    kind: 'lost',
    why: 'no answer within 0.03 s',
    maybeSent: true,
  });
  const stop = new AbortController();
  const waiting = get(url, { signal: stop.signal });
  await during(waiting, once(server as Server, 'request'));
  stop.abort();
  expect(await waiting).toMatchObject({ why: 'interrupted', maybeSent: true });
  expect(await get(url, { signal: AbortSignal.abort() })).toMatchObject({
    why: 'interrupted',
    maybeSent: false,
  });
  server?.close();
  expect(await get('http://127.0.0.1:1')).toMatchObject({ kind: 'lost', maybeSent: false });
});

describe('an upstream', () => {
  const asking = async (status: number, body: string, over = {}) => {
    const { url } = await answering(() => ({ status, body }));
    return ask(url, { method: 'GET', timeoutMs: 5000, ...over });
  };
  test.each([
    [200, '{"a":1}', { a: 1 }],
    [500, '[]', []],
    [299, 'x', undefined],
    [400, '', undefined],
  ])('that answers %i %j', async (status, body, json) =>
    expect(await asking(status, body)).toEqual({ status, json }),
  );

  test('that sends elsewhere, or too much, does not answer', async () => {
    expect(await asking(300, '{}')).toBeNull();
    expect(await asking(399, '{}')).toBeNull();
    expect(await asking(200, '"12345"', { maxBytes: 6 })).toBeNull();
    expect(await asking(200, '"1234"', { maxBytes: 6 })).toEqual({ status: 200, json: '1234' });
  });

  test('only own fields of an object count', () => {
    expect(field({ a: 1 }, 'a')).toBe(1);
    for (const value of [null, undefined, 'a', 1, Object.assign(() => 1, { a: 1 })])
      expect(field(value, 'a')).toBeUndefined();
    expect(field({}, 'toString')).toBeUndefined();
  });
});
