/** A failed request: the code a program branches on, and whether the other side may have received the request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Call, exchange, readBody } from '../../src/http/exchange.js';
import { AnswerTooLarge, describeError } from '../../src/http/failure.js';
import { request } from '../../src/http/request.js';

const error = (code: string, more: object = {}) => Object.assign(new Error(`raw ${code}`), { code, ...more });

test.each([
  ['ECONNREFUSED', 'refused', 'connection refused', false],
  ['EPERM', 'not-permitted', 'permission denied', true],
  ['EMFILE', 'not-asked', 'not asked: too many open files here (ulimit -n, --concurrency)', false],
  ['ENOTFOUND', 'unreachable', 'the host name is unknown', false],
  ['EAI_AGAIN', 'unreachable', 'the host name could not be looked up', false],
  ['EHOSTUNREACH', 'unreachable', 'no route to the host', false],
  ['ENETUNREACH', 'unreachable', 'no route to the network', false],
  ['ECONNRESET', 'unreachable', 'the connection was reset', true],
  ['EPIPE', 'unreachable', 'the connection was closed', true],
  ['ETIMEDOUT', 'timeout', 'the connection timed out', true],
  ['HPE_HEADER_OVERFLOW', 'unreadable', 'the answer’s headers are larger than 16 KiB', true],
  ['HPE_INVALID_CONSTANT', 'unreadable', 'the answer is not HTTP', true],
  ['Z_BUF_ERROR', 'unreadable', 'the compressed answer is cut off', true],
  ['Z_DATA_ERROR', 'unreadable', 'the compressed answer is damaged', true],
  ['ERR__ERROR_FORMAT_PADDING_1', 'unreadable', 'the compressed answer is damaged', true],
  ['ERR_BROTLI_DECODER', 'unreadable', 'the compressed answer is damaged', true],
  ['EPROTO', 'unreadable', 'this port does not speak TLS: use http or ws', false],
  ['ERR_SSL_TLSV1_ALERT', 'unreadable', 'TLS failed (ERR_SSL_TLSV1_ALERT)', false],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'unreadable', 'TLS failed (ERR_TLS_HANDSHAKE_TIMEOUT)', false],
  ['CERT_REVOKED', 'unreadable', 'TLS failed (CERT_REVOKED)', false],
  ['CERT_HAS_EXPIRED', 'untrusted', 'the certificate has expired', false],
  ['EWHATEVER', 'unreachable', 'raw EWHATEVER', true],
])('%s is %s: %s', (raw, code, reason, maybeSent) => {
  expect(describeError(error(raw))).toEqual({ code, reason, maybeSent });
});

test('a failure during the connect reports that nothing was sent', () => {
  for (const syscall of [{ syscall: 'connect' }, { erroredSysCall: 'connect' }])
    expect(describeError(error('ETIMEDOUT', syscall)).maybeSent).toBe(false);
  expect(describeError(error('ECONNRESET', { syscall: 'read' })).maybeSent).toBe(true);
});

test('the first of several failed attempts gives the cause', () => {
  const both = new AggregateError([error('ECONNREFUSED'), error('ENETUNREACH')]);
  expect(describeError(both)).toMatchObject({ code: 'refused', maybeSent: false });
  expect(describeError(new AggregateError([], 'none'))).toMatchObject({
    code: 'unreachable',
    reason: 'none',
  });
});

test('an unknown error keeps its message without the URL, which may hold a secret', () => {
  const raw = new Error('request to http://me:pw@a.example/\nx failed, reason: socket hang up');
  expect(describeError(raw).reason).toBe('socket hang up');
  expect(describeError(new Error('')).reason).toBe('the connection failed');
  expect(describeError('a text').reason).toBe('a text');
});

test('a body is read up to its limit', async () => {
  const body = () => Readable.from([Buffer.from('ab'), Buffer.from('c')]);
  expect(await readBody(body(), 3)).toBe('abc');
  expect(await readBody(body(), 2, true)).toBe('ab');
  await expect(readBody(body(), 2)).rejects.toBeInstanceOf(AnswerTooLarge);
  await expect(readBody(body().destroy(), 2)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  expect(describeError(new AnswerTooLarge(3 << 20))).toMatchObject({
    code: 'unreadable',
    reason: 'the answer is larger than 3 MiB',
  });
});

/** A server that counts requests, and what it answers: its own view of the request, compressed. */
async function mirror(): Promise<{ url: URL; seen: () => number }> {
  let seen = 0;
  const server = createServer((incoming, response) => {
    seen += 1;
    const { method, headers } = incoming;
    response.writeHead(incoming.url === '/moved' ? 302 : 200, {
      ...(incoming.url === '/moved' ? { location: '/' } : {}),
      'content-encoding': 'gzip',
      'x-many': ['a', 'b'],
    });
    const body: Buffer[] = [];
    incoming.on('data', (chunk) => body.push(chunk));
    incoming.on('end', () =>
      response.end(gzipSync(JSON.stringify({ method, headers, body: String(Buffer.concat(body)) }))),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), seen: () => seen };
}

const { signal } = new AbortController();
const clients = { exchange, request };

test.each(Object.entries(clients))(
  '%s sends once, decompresses, and follows no redirect',
  async (_, send) => {
    const { url, seen } = await mirror();
    const call: Call = { method: 'POST', url, headers: { 'x-a': '1' }, body: 'é', signal, maxBytes: 9999 };
    const { status, headers, text } = await send(call);
    expect(status).toBe(200);
    expect(headers['x-many']).toMatch(/^a, ?b$/);
    expect(JSON.parse(text)).toMatchObject({
      method: 'POST',
      headers: { 'user-agent': 'kaiactl', 'x-a': '1', 'content-length': '2' },
      body: 'é',
    });
    const moved = await send({
      ...call,
      method: 'GET',
      body: undefined as never,
      url: new URL('/moved', url),
    });
    expect(moved.status).toBe(302);
    expect(seen()).toBe(2);
  },
);

test.each(Object.entries(clients))('%s reads only the head where no body is wanted', async (_, send) => {
  const { url } = await mirror();
  const { status, text } = await send({ method: 'OPTIONS', url, signal, maxBytes: null });
  expect([status, text]).toEqual([200, '']);
});

test.each(Object.entries(clients))(
  '%s ends with the reason of its signal, and sends nothing after it',
  async (_, send) => {
    const { url, seen } = await mirror();
    const reason = new Error('enough');
    await expect(send({ method: 'GET', url, signal: AbortSignal.abort(reason), maxBytes: 9 })).rejects.toBe(
      reason,
    );
    expect(seen()).toBe(0);
    const abort = new AbortController();
    const silent = createServer(() => abort.abort(reason));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const at = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await expect(send({ method: 'GET', url: at, signal: abort.signal, maxBytes: 9 })).rejects.toBe(reason);
  },
);
