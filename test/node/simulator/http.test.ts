import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulation, simulateShape } from '../../../src/node/simulator/node.js';
import { http, type Question, raw, shape } from './ask.js';

const body = '{"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}';
const result = '{"jsonrpc":"2.0","id":1,"result":"8217"}\n';
const asJson = { 'content-type': 'application/json' };
const wrongType = 'invalid content type, only application/json is supported\n';

const opened: Simulation[] = [];
let plain: Simulation;
beforeAll(async () => {
  plain = await start({});
});
afterAll(async () => {
  for (const one of opened) await one.close();
});

async function start(access: Parameters<typeof shape>[0]): Promise<Simulation> {
  const node = await simulateShape(shape({ ws: null, ipc: null, ...access }), { freePorts: true });
  opened.push(node);
  return node;
}

/** The rows about the HTTP layer, outermost first. */
const rows: readonly (readonly [row: string, question: Question, status: number, body: string])[] = [
  ['GET without a query: a health check', { method: 'GET' }, 200, ''],
  ['GET of any path', { method: 'GET', path: '/a/b' }, 200, ''],
  ['GET with an empty query', { method: 'GET', path: '/?' }, 200, ''],
  ['GET with a body', { method: 'GET', body }, 200, result],
  [
    'GET with a body in chunks',
    { method: 'GET', headers: { ...asJson, 'transfer-encoding': 'chunked' }, body: [body] },
    200,
    result,
  ],
  ['GET with a query', { method: 'GET', path: '/?a' }, 415, wrongType],
  ['GET with a query and the json type', { method: 'GET', path: '/?a', headers: asJson }, 200, ''],
  ['POST without a type', { headers: { 'content-type': '' }, body }, 415, wrongType],
  ['POST of text', { headers: { 'content-type': 'text/plain' }, body }, 415, wrongType],
  ['POST of json', { body }, 200, result],
  ['application/json-rpc', { headers: { 'content-type': 'application/json-rpc' }, body }, 200, result],
  ['application/jsonrequest', { headers: { 'content-type': 'application/jsonrequest' }, body }, 200, result],
  [
    'a type with parameters',
    { headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body },
    200,
    result,
  ],
  [
    'a type with broken parameters',
    { headers: { 'content-type': 'application/json; x' }, body },
    415,
    wrongType,
  ],
  ['two types', { headers: { 'content-type': 'application/json, text/plain' }, body }, 415, wrongType],
  ['POST of nothing', { headers: asJson }, 200, ''],
  ['POST of white space', { body: ' \n' }, 200, ''],
  ['PUT', { method: 'PUT', body }, 405, 'method not allowed\n'],
  ['DELETE', { method: 'DELETE', body }, 405, 'method not allowed\n'],
  ['PATCH works like POST', { method: 'PATCH', body }, 200, result],
  ['any path', { path: '/x/../y?z=1', body }, 200, result],
  ['OPTIONS without CORS', { method: 'OPTIONS' }, 200, ''],
  ['chunked', { body: [body.slice(0, 9), body.slice(9)] }, 200, result],
];

test.each(rows)('%s', async (_row, question, status, text) => {
  const answer = await http(plain.http ?? '', question);
  expect([answer.status, answer.body]).toEqual([status, text]);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(answer.headers.vary).toBeUndefined();
});

test('HEAD is refused, with the type of an error', async () => {
  const answer = await http(plain.http ?? '', { method: 'HEAD' });
  expect([answer.status, answer.body]).toEqual([415, '']);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
});

test('an answer is json; nothing has no type', async () => {
  expect((await http(plain.http ?? '', { body })).headers['content-type']).toBe('application/json');
  const health = await http(plain.http ?? '', { method: 'GET' });
  expect([health.headers['content-type'], health.headers['content-length']]).toEqual([undefined, '0']);
});

describe('size', () => {
  const padded = (bytes: number) => body + ' '.repeat(bytes - body.length);
  test('512 KiB are accepted, one byte more is rejected', async () => {
    expect((await http(plain.http ?? '', { body: padded(524_288) })).body).toBe(result);
    const answer = await http(plain.http ?? '', { body: padded(524_289) });
    expect([answer.status, answer.body]).toEqual([413, 'content length too large (524289>524288)\n']);
  });
  test('a chunked body is cut off at the limit', async () => {
    const long = `{"jsonrpc":"2.0","id":1,"method":"net_version","x":"${'y'.repeat(600_000)}"}`;
    const answer = await http(plain.http ?? '', { body: [long.slice(0, 300_000), long.slice(300_000)] });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } },
    ]);
  });
  test('a body without an end is answered at the limit', async () => {
    const node = await start({ answers: { limits: { httpBytes: 100 } } });
    const { port } = new URL(node.http ?? '');
    const head =
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n';
    const chunk = `64\r\n"${'y'.repeat(99)}\r\n`;
    const { text } = await raw({ host: '127.0.0.1', port: Number(port) }, [
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`,
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"message":"parse error"/);
  });
  test('the limit comes from the conf', async () => {
    const node = await start({ answers: { limits: { httpBytes: 100 } } });
    expect((await http(node.http ?? '', { body: padded(100) })).body).toBe(result);
    expect((await http(node.http ?? '', { body: padded(101) })).body).toBe(
      'content length too large (101>100)\n',
    );
  });
});

test('a body that misses the execution timeout is answered 503 without CORS headers', async () => {
  const node = await start({ http: { origins: ['*'] }, answers: { limits: { executionMs: 50 } } });
  const { port } = new URL(node.http ?? '');
  const head =
    'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n';
  const { text } = await raw({ host: '127.0.0.1', port: Number(port) }, [`${head}Connection: close\r\n\r\n`]);
  expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\ntimeout$/);
  expect(text.toLowerCase()).not.toContain('vary');
});

describe('Host', () => {
  const refused = [403, 'invalid host specified\n'];
  const served = [200, result];
  const hosts: readonly (readonly [host: string, vhosts: readonly string[], expected: readonly unknown[]])[] =
    [
      ['localhost', ['localhost'], served],
      ['localhost:8551', ['localhost'], served],
      ['LOCALHOST', ['localhost'], refused],
      ['localhost', ['LOCALHOST'], served],
      ['evil.example', ['localhost'], refused],
      ['evil.example:8551', ['localhost'], refused],
      ['evil.example', ['*'], served],
      ['node.example', ['localhost', 'node.example'], served],
      ['sub.node.example', ['*.node.example'], refused],
      ['127.0.0.1', [], served],
      ['10.1.2.3:8551', ['localhost'], served],
      ['[::1]:8551', ['localhost'], served],
      ['[::1]', ['localhost'], refused],
      ['::1', ['localhost'], served],
      ['127.0.0.1.', ['localhost'], refused],
      ['[fe80::1%eth0]:8551', ['localhost'], refused],
      ['', ['localhost'], served],
      [':8551', ['localhost'], refused],
      ['a:b:c', ['localhost'], refused],
    ];
  test.each(hosts)('%j with vhosts %j', async (host, vhosts, expected) => {
    const node = await start({ http: { vhosts } });
    const { port } = new URL(node.http ?? '');
    const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const { text } = await raw({ host: '127.0.0.1', port: Number(port) }, [
      `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    ]);
    const [, status, content] = /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n([\s\S]*)$/.exec(text) ?? [];
    expect([Number(status), content]).toEqual(expected);
  });
  test('a refused Host gets no CORS headers', async () => {
    const node = await start({ http: { origins: ['*'] } });
    const headers = { host: 'evil.example', origin: 'https://evil.example' };
    const answer = await http(node.http ?? '', { body, headers });
    expect([answer.status, answer.headers.vary]).toEqual([403, undefined]);
  });
});

describe('CORS', () => {
  const preflight = (origin: string, method = 'POST', more = {}): Question => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, ...more },
  });
  const allowed: readonly (readonly [list: readonly string[], origin: string, answer: string | undefined])[] =
    [
      [['*'], 'https://evil.example', '*'],
      [['https://a.example', '*'], 'https://evil.example', '*'],
      [['https://a.example'], 'https://a.example', 'https://a.example'],
      [['https://A.example'], 'https://a.EXAMPLE', 'https://a.EXAMPLE'],
      [['https://a.example'], 'http://a.example', undefined],
      [['https://*.a.example'], 'https://x.y.a.example', 'https://x.y.a.example'],
      [['https://*.a.example'], 'https://a.example', undefined],
      [['https://*'], 'https://evil.example', 'https://evil.example'],
      [['a*a'], 'a', undefined],
      [['a.b'], 'axb', undefined],
      [[''], 'https://a.example', undefined],
    ];
  test.each(allowed)('%j and the origin %s', async (origins, origin, expected) => {
    const node = await start({ http: { origins } });
    const before = await http(node.http ?? '', preflight(origin));
    expect([before.status, before.body, before.headers['access-control-allow-origin']]).toEqual([
      200,
      '',
      expected,
    ]);
    expect(before.headers.vary).toBe('Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
    const real = await http(node.http ?? '', { body, headers: { origin } });
    expect([real.body, real.headers['access-control-allow-origin'], real.headers.vary]).toEqual([
      result,
      expected,
      'Origin',
    ]);
  });
  test('a request without an origin gets no header that allows one', async () => {
    const node = await start({ http: { origins: ['*'] } });
    const { headers } = await http(node.http ?? '', { body });
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'Origin']);
  });
  test('an allowed preflight names method, headers and age', async () => {
    const node = await start({ http: { origins: ['*'] } });
    const asked = { 'access-control-request-headers': 'content-type,, X-my_KEY ' };
    const { headers } = await http(node.http ?? '', preflight('https://a.example', 'POST', asked));
    expect(headers).toMatchObject({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, X-My_Key',
      'access-control-max-age': '600',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
  test('a preflight for a method that is not allowed, or without an origin: 200 and no CORS headers', async () => {
    const node = await start({ http: { origins: ['*'] } });
    for (const question of [preflight('https://a.example', 'PUT'), preflight('')]) {
      const { status, headers } = await http(node.http ?? '', question);
      expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined]);
    }
  });
  test('OPTIONS that is not a preflight reaches the handler and gets the header', async () => {
    const node = await start({ http: { origins: ['*'] } });
    const answer = await http(node.http ?? '', {
      method: 'OPTIONS',
      body,
      headers: { origin: 'https://a.example' },
    });
    expect([answer.body, answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual([
      result,
      '*',
      'Origin',
    ]);
  });
  test('a wrong content type is answered 415 with the header', async () => {
    const node = await start({ http: { origins: ['*'] } });
    const headers = { 'content-type': 'text/plain', origin: 'https://a.example' };
    const answer = await http(node.http ?? '', { body, headers });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([415, '*']);
  });
});

test('subscribing over http is not supported, for any namespace and params', async () => {
  for (const method of ['eth_subscribe', 'foo_subscribe']) {
    for (const params of ['["newHeads"]', '{}']) {
      const answer = await http(plain.http ?? '', {
        body: `{"id":1,"method":"${method}","params":${params}}`,
      });
      expect(JSON.parse(answer.body)).toMatchObject({
        error: { code: -32000, message: 'notifications not supported' },
      });
    }
  }
});
