/** Every refusal has the API's form, on every path; and what pages of other sites may send. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { inner, joinBody, listed, request, started } from './support.js';

/** The answer to raw bytes, until the server closes the connection. */
async function raw(url: string, text: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, 'end');
  socket.destroy();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { head, body };
}
const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;
const post = (path: string, more: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n${body}`;

test.each([
  ['a malformed URL', get('/api/%E0%A4%A'), 400, 'INVALID_ARGUMENT'],
  ['an unknown path', get('/none'), 404, 'NOT_FOUND'],
  ['no Host', 'GET /none HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_ARGUMENT'],
  ['an unknown expectation', get('/none', 'Expect: tea\r\n'), 404, 'NOT_FOUND'],
  [
    'a large body to an unknown path',
    post('/none', 'Content-Length: 70000\r\n', 'x'.repeat(70_000)),
    400,
    'BODY_TOO_LARGE',
  ],
  [
    'a large body',
    post('/api/group/join', 'Content-Length: 70000\r\n', 'x'.repeat(70_000)),
    400,
    'BODY_TOO_LARGE',
  ],
  ['large headers', get('/', `X: ${'x'.repeat(20_000)}\r\n`), 431, 'HEADERS_TOO_LARGE'],
  [
    'another method',
    'DELETE /api/group/join HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'a rare method',
    'PROPFIND /api/group/join HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    404,
    'NOT_FOUND',
  ],
  ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_ARGUMENT'],
  ['bytes that are not HTTP', '\u0016\u0003\u0001\r\n\r\n', 400, 'INVALID_ARGUMENT'],
  [
    'a body of two lengths',
    post('/api/group/join', 'Content-Length: 1\r\nContent-Length: 2\r\n', 'xx'),
    400,
    'INVALID_ARGUMENT',
  ],
  [
    'a malformed chunk',
    post('/api/group/join', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    400,
    'INVALID_ARGUMENT',
  ],
])('%s is refused in the API’s form', async (_, bytes, status, code) => {
  const { url } = await started();
  const { head, body } = await raw(url, bytes);
  expect(head.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `);
  expect(head.toLowerCase()).toContain('content-type: application/json');
  const { error } = JSON.parse(body) as { error: string };
  expect(JSON.parse(error)).toMatchObject({ code });
  expect(error).not.toContain('FST_');
  expect(Object.keys(JSON.parse(error))).toEqual(expect.arrayContaining(['shortMessage', 'reason']));
});

test.each([
  ['/api/group/members/', '/api/group/members'],
  ['/api/group/members/?id=0x1', '/api/group/members?id=0x1'],
  ['/healthz/', '/healthz'],
])('%s is redirected to %s', async (path, location) => {
  const { url } = await started();
  const { head } = await raw(url, get(path));
  expect(head).toMatch(/^HTTP\/1\.1 308 /);
  expect(head).toContain(`location: ${location}\r\n`);
});

test.each([
  '/\\evil.example/',
  '//evil.example/',
  '/%5Cevil.example/',
  '/\\/evil.example/',
  '/none/',
  '/',
  '//',
])('%s is not redirected', async (path) => {
  const { url } = await started();
  const { head } = await raw(url, get(path));
  expect(head).toMatch(/^HTTP\/1\.1 40[04] /);
  expect(head.toLowerCase()).not.toContain('location:');
});

const page = 'https://app.example';
test.each([
  ['a page of another site', { origin: 'https://evil.example' }, 400],
  ['a page without an origin', { origin: 'null' }, 400],
  ['a page of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }, 400],
  ['a page of an allowed origin', { origin: page }, 200],
  ['a program', {}, 200],
])('%s sends a form as plain text: %s', async (_, headers, status) => {
  const { url } = await started({ origins: [page] });
  for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', '']) {
    const sent = { ...headers, ...(type === '' ? {} : { 'content-type': type }) } as Record<string, string>;
    const body = Buffer.from(JSON.stringify(joinBody(1 + type.length)));
    const answer = await fetch(`${url}/api/group/join`, { method: 'POST', headers: sent, body });
    const text = await answer.text();
    expect([type, answer.status, text.includes('FOREIGN_ORIGIN')]).toEqual([type, status, status === 400]);
  }
  expect(await listed(url)).toHaveLength(status === 200 ? 3 : 0);
});

test('a page of this server may send plain text; JSON of another site is left to the browser’s preflight', async () => {
  const { url } = await started();
  const headers = { 'content-type': 'text/plain', origin: url };
  expect((await request(`${url}/api/group/join`, 'POST', joinBody(1), headers)).status).toBe(200);
  const json = { 'content-type': 'application/json; charset=utf-8', origin: 'https://evil.example' };
  const answer = await request(`${url}/api/group/join`, 'POST', joinBody(1), json);
  expect(inner(answer, 'error')).toMatchObject({ data: '0x258a195a' });
});
