/** Requests that mean harm, or at least do no good. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Signature } from 'ethers/crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Limits } from '../../../src/survey/server/parts.js';
import {
  inner,
  joinBody,
  listed,
  request,
  settings,
  started,
  stub,
  survey,
  typedBody,
  usualLimits,
  wallet,
} from './support.js';

const joinPath = '/api/group/join';

test('every spelling of one signature is understood', async () => {
  const { url } = await started();
  const parts = Signature.from(String(joinBody('1').signature));
  const rs = parts.r + parts.s.slice(2);
  const spellings = [
    parts.serialized,
    parts.compactSerialized,
    `${rs}0${parts.yParity}`,
    `${rs}${(27 + parts.yParity).toString(16)}`,
  ];
  for (const [at, signature] of spellings.entries()) {
    const answer = await request(url + joinPath, 'POST', joinBody(String(at + 1), { signature }));
    expect([signature.length, answer.status]).toEqual([signature.length, 200]);
  }
  const lower = wallet.address.toLowerCase();
  expect((await request(url + joinPath, 'POST', joinBody('9', { account: lower }))).status).toBe(200);
});

test('an altered or padded signature, or one with a high s, is rejected', async () => {
  const { url } = await started();
  const { r, s, v } = Signature.from(String(joinBody('1').signature));
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const high = (order - BigInt(s)).toString(16).padStart(64, '0');
  const wrong = [
    `${r}${high}${(55 - v).toString(16)}`,
    `${r}${s.slice(2)}1d`,
    `${r}${s.slice(2)}${v.toString(16)}00`,
    `0x${'0'.repeat(130)}`,
    `0x${'f'.repeat(130)}`,
    '0x',
    42,
    null,
    { r, s, v },
  ];
  for (const signature of wrong) {
    const answer = await request(url + joinPath, 'POST', joinBody('1', { signature }));
    expect([signature, answer.status]).toEqual([signature, 400]);
    expect(inner(answer, 'error').shortMessage).toBe('the signature was not accepted');
  }
  expect(await listed(url)).toEqual([]);
});

test('the stronger scheme binds survey, commitment, account and time', async () => {
  const other = '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB';
  const { url } = await started({
    surveys: [survey, other],
    policy: { onePerUser: false, scheme: 'eip712' },
  });
  const send = async (body: object) => request(url + joinPath, 'POST', body);
  const reason = async (body: object) => inner(await send(body), 'error').reason;
  const body = await typedBody(5n);
  expect(await reason({ ...body, id: other })).toBe('it is not by this account over this message');
  expect(await reason({ ...body, commitment: '6' })).toBe('it is not by this account over this message');
  expect(await reason({ ...body, expiresAt: Number(body.expiresAt) + 60 })).toMatch(/^it is not by/);
  expect(await reason(await typedBody(5n, { expiresAt: 1 }))).toMatch(
    /^it has expired \d+ s ago by this server’s clock$/,
  );
  expect(await reason(await typedBody(5n, { expiresAt: 4_000_000_000 }))).toMatch(
    /^it is valid for longer than a day, \d+ s by this server’s clock$/,
  );
  expect(await reason({ ...body, expiresAt: undefined })).toBe('it names no expiry');
  expect(await reason({ ...body, scheme: 'eip191' })).toMatch(/none of destat, eip712/);
  expect(await reason(joinBody('5'))).toBe('this server requires the scheme eip712');
  expect((await send(body)).status).toBe(200);
  expect(await reason(body)).toBe('LeafAlreadyExists');
});

test('a replayed original signature joins once per commitment; with one join per user not even that', async () => {
  const free = await started();
  for (const commitment of ['1', '2']) {
    expect((await request(free.url + joinPath, 'POST', joinBody(commitment))).status).toBe(200);
  }
  const strict = await started({ policy: { onePerUser: true, scheme: 'any' } });
  expect((await request(strict.url + joinPath, 'POST', joinBody('1'))).status).toBe(200);
  const again = await request(strict.url + joinPath, 'POST', joinBody('2'));
  expect(inner(again, 'error')).toMatchObject({ code: 'ALREADY_JOINED' });
  expect(await listed(strict.url)).toEqual(['1']);
});

test('with one join per user, one of ten concurrent joins is accepted, and a refused join costs nothing', async () => {
  const { url } = await started({ policy: { onePerUser: true, scheme: 'any' } });
  expect((await request(url + joinPath, 'POST', joinBody('1', { id: wallet.address }))).status).toBe(400);
  const bodies = Array.from({ length: 10 }, (_, n) => joinBody(String(n + 1)));
  const answers = await Promise.all(bodies.map((body) => request(url + joinPath, 'POST', body)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await listed(url)).toHaveLength(1);
});

test('numbers JSON cannot carry are not guessed', async () => {
  const { url } = await started();
  const body = JSON.stringify(joinBody('1')).replace(
    '"1"',
    '5252365372057417743217244006422410371454144349890330140992480743773693621147',
  );
  const answer = await request(url + joinPath, 'POST', body);
  expect(inner(answer, 'error').reason).toMatch(/loses digits/);
});

test('any content type is read as JSON, and hostile JSON changes nothing', async () => {
  const { url } = await started();
  for (const [at, type] of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    '',
  ].entries()) {
    const headers = type === '' ? {} : { 'content-type': type };
    const answer = await request(url + joinPath, 'POST', JSON.stringify(joinBody(String(at + 1))), headers);
    expect([type, answer.status]).toEqual([type, 200]);
  }
  for (const text of [
    'null',
    '[]',
    '7',
    '"x"',
    '{"__proto__":{"id":"x"}}',
    '['.repeat(60_000),
    '\u0000',
    '',
  ]) {
    const answer = await request(url + joinPath, 'POST', text);
    expect(answer.status).toBe(400);
    expect(inner(answer, 'error').reason).toMatch(/\w/);
  }
  expect(({} as { id?: string }).id).toBeUndefined();
});

test('ten megabytes are refused in the shape of the route', async () => {
  const { url } = await started();
  const huge = 'x'.repeat(10_000_000);
  const joined = await request(url + joinPath, 'POST', huge);
  expect([joined.status, inner(joined, 'error').code]).toEqual([400, 'BODY_TOO_LARGE']);
  const paid = await request(`${url}/api/store`, 'POST', huge);
  expect([paid.status, JSON.parse(paid.body)]).toEqual([400, { message: 'Payment is failed' }]);
});

test('a client that sends ten megabytes in one go reads the refusal, not a broken pipe', async () => {
  const { url } = await started();
  const answer = await fetch(url + joinPath, { method: 'POST', body: Buffer.alloc(10 << 20, 0x78) });
  const { error } = (await answer.json()) as { error: string };
  expect([answer.status, JSON.parse(error).code]).toEqual([400, 'BODY_TOO_LARGE']);
  expect(JSON.parse(error)).toMatchObject({ shortMessage: expect.any(String), reason: expect.any(String) });
});

test.each([';;;', 'text/html', 'application/json; charset=x', ' '])(
  'a content type of “%s” counts for nothing',
  async (type) => {
    const { url } = await started();
    const answer = await fetch(url + joinPath, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': type },
    });
    const { error } = (await answer.json()) as { error: string };
    expect(answer.status).toBe(400);
    expect(error).not.toContain('FST_');
    expect(JSON.parse(error)).toMatchObject({ shortMessage: expect.any(String), reason: expect.any(String) });
  },
);

test('joins above the limit get 429 with Retry-After, and cause no work', async () => {
  const { tokens, limits } = await settings();
  const slow = await stub(() => 'silence');
  const { url } = await started({
    limits: { ...limits, joins: 1 },
    tokens: tokens === null ? null : { ...tokens, accessVerifyUrl: slow.url },
  });
  const end = new AbortController();
  const join = (n: number) =>
    fetch(url + joinPath, {
      method: 'POST',
      body: JSON.stringify(joinBody(String(n))),
      signal: end.signal,
    });
  const first = join(1).catch(() => 'cut off');
  await expect.poll(() => slow.heard).toHaveLength(1);
  const refused = await join(2);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  const { error } = (await refused.json()) as { error: string };
  expect(JSON.parse(error)).toEqual({
    code: 'BUSY',
    shortMessage: 'this server is busy',
    reason: 'too many joins at the same time: try again in 5 s',
  });
  expect(slow.heard).toHaveLength(1);
  end.abort();
  expect(await first).toBe('cut off');
});

test('callers above the rate limit have to wait; reads have a higher limit', async () => {
  const { url } = await started({ limits: { ...usualLimits, perMinute: 2 } });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await request(url + joinPath, 'POST', '{}')).status);
  expect(statuses).toEqual([400, 400, 429, 429]);
  const refused = await request(url + joinPath, 'POST', '{}');
  expect(inner(refused, 'error').code).toBe('RATE_LIMITED');
  for (let n = 0; n < 20; n++) await listed(url);
  expect((await request(`${url}/api/group/members?id=${survey}`, 'GET')).status).toBe(429);
});

test('a client that never ends its request is cut off', async () => {
  const { url } = await started({ limits: { ...usualLimits, requestMs: 200 } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`POST ${joinPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await new Promise((resolve) => socket.on('close', resolve));
  expect(text).toMatch(/^HTTP\/1\.1 408 .*\r\ncontent-type: application\/json\r\n/);
  expect(JSON.parse(JSON.parse(text.split('\r\n\r\n')[1] ?? '').error).code).toBe('REQUEST_TIMEOUT');
  expect(await listed(url)).toEqual([]);
});

test('malformed requests, too long heads and invalid URLs are answered in the API’s form', async () => {
  const { url } = await started();
  const raw = async (text: string): Promise<[head: string, code: string]> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    // A half-closed connection would be cut before an answer that takes a while.
    socket.write(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    return [head.split('\r\n')[0] ?? '', JSON.parse(JSON.parse(body).error).code];
  };
  const long = 'x'.repeat(20_000);
  expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`)).toEqual([
    'HTTP/1.1 431 Request Header Fields Too Large',
    'HEADERS_TOO_LARGE',
  ]);
  expect(await raw('HELO x\r\n\r\n')).toEqual(['HTTP/1.1 400 Bad Request', 'INVALID_ARGUMENT']);
  expect(await raw('GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toEqual([
    'HTTP/1.1 400 Bad Request',
    'INVALID_ARGUMENT',
  ]);
  expect(await raw('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toEqual([
    'HTTP/1.1 405 Method Not Allowed',
    'METHOD_NOT_ALLOWED',
  ]);
  expect(await request(`${url}/api/store/%zz`, 'POST', {})).toMatchObject({
    status: 400,
    body: '{"message":"Payment is failed"}',
  });
});

test('a client that resets its connection amid a CONNECT does not end the server', async () => {
  const { url } = await started();
  for (let n = 0; n < 5; n++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  // A client that never closes does not hold its connection.
  const open = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  open.resume().write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(open, 'end');
  expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
});

test('a client’s address comes from the trusted proxy, never from the client', async () => {
  /** The statuses of three requests of one a minute and address: two by one address, one by another. */
  const statuses = async (trustProxy: Limits['trustProxy']) => {
    const limits = {
      perMinute: 1,
      joins: 1000,
      requests: 2000,
      connections: 4096,
      connectionsPerAddress: 0,
      sendMs: 10_000,
      bodyBytes: 65_536,
      requestMs: 15_000,
      trustProxy,
    };
    const { url } = await started({ limits });
    const ask = async (addresses: string) =>
      (await request(`${url}/api/invite/encode`, 'POST', '{}', { 'x-forwarded-for': addresses })).status;
    return [await ask('6.6.6.1, 7.7.7.7'), await ask('6.6.6.2, 7.7.7.7'), await ask('6.6.6.3, 7.7.7.8')];
  };
  expect(await statuses(false)).toEqual([400, 429, 429]);
  expect(await statuses(1)).toEqual([400, 429, 400]);
  expect(await statuses(['127.0.0.0/8'])).toEqual([400, 429, 400]);
  expect(await statuses(['10.0.0.0/8'])).toEqual([400, 429, 429]);
});

test('unknown routes and methods; a slash at the end leads to the same path without it, and nowhere else', async () => {
  const { url } = await started();
  const ask = (path: string) => fetch(url + path, { redirect: 'manual' });
  expect((await ask('/healthz/')).headers.get('location')).toBe('/healthz');
  expect((await ask('/healthz/?a=b')).headers.get('location')).toBe('/healthz?a=b');
  for (const path of ['//evil.example/', '/x//', '/x']) expect((await ask(path)).status).toBe(404);
  expect((await request(`${url}/api/group/members`, 'DELETE')).status).toBe(405);
  expect((await request(`${url}${joinPath}`, 'OPTIONS')).allow).toBe('OPTIONS, POST');
});

test('the log names neither token nor signature', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const entries: string[] = [];
  const { url } = await started({ log: (entry) => void entries.push(JSON.stringify(entry)) });
  const body = joinBody('1', { idToken: 'a-secret-token' });
  await request(`${url}${joinPath}?idToken=a-secret-token`, 'POST', body);
  await request(url + joinPath, 'POST', joinBody('1'));
  const told = () => {
    vi.advanceTimersByTime(3_600_000);
    return entries.join('\n');
  };
  await expect.poll(told).toContain('400 INVALID_TOKEN');
  expect(entries.join('\n')).not.toContain('a-secret-token');
  expect(entries.join('\n')).not.toContain(String(body.signature).slice(2, 30));
});
