import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Simulation, simulateShape } from '../../../src/node/simulator/node.js';
import { http, raw, shape, ws } from './ask.js';

const request = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';
const result = '{"jsonrpc":"2.0","id":1,"result":"8217"}\n';

const opened: Simulation[] = [];
let node: Simulation;
beforeAll(async () => {
  node = await start({});
});
afterAll(async () => {
  for (const one of opened) await one.close();
});

async function start(given: Parameters<typeof shape>[0]): Promise<Simulation> {
  const one = await simulateShape(shape({ http: null, ...given }), { freePorts: true });
  opened.push(one);
  return one;
}

describe('Origin', () => {
  const own = `http://${hostname()}`;
  const rows: readonly (readonly [list: readonly string[], origin: string | null, accepted: boolean])[] = [
    [[], null, true],
    [['https://a.example'], null, true],
    [[], 'http://localhost', true],
    [[], 'HTTP://LOCALHOST', true],
    [[], own, true],
    [[], 'http://localhost:8080', false],
    [[], 'https://evil.example', false],
    [[], '', false],
    [['*'], 'https://evil.example', true],
    [['https://a.example', '*'], 'https://evil.example', true],
    [['https://a.example'], 'https://A.example', true],
    [['https://A.example'], 'https://a.example', true],
    [['https://a.example'], 'http://localhost', false],
    [['https://*.a.example'], 'https://x.a.example', false],
    [[''], 'http://localhost', true],
  ];
  test.each(rows)('list %j, origin %j: accepted: %j', async (origins, origin, accepted) => {
    const one = await start({ ws: { origins }, ipc: null });
    const answer = await ws(one.ws ?? '', [request], 1, origin === null ? {} : { origin });
    expect([answer.status, answer.messages]).toEqual(accepted ? [101, [result]] : [403, ['Forbidden\n']]);
  });
});

test('the Host header is ignored', async () => {
  expect((await ws(node.ws ?? '', [request], 1, { host: 'evil.example' })).messages).toEqual([result]);
});

test('plain http, GET or POST: 400 "Bad Request"', async () => {
  const url = (node.ws ?? '').replace('ws:', 'http:');
  for (const question of [{ method: 'GET' }, { method: 'POST', body: request }]) {
    const answer = await http(url, question);
    expect([answer.status, answer.body]).toEqual([400, 'Bad Request\n']);
  }
});

const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
const version = 'Sec-WebSocket-Version: 13';
const badRequest =
  'HTTP/1.1 400 Bad Request|Content-Length: 12|Content-Type: text/plain; charset=utf-8|Sec-Websocket-Version: 13|X-Content-Type-Options: nosniff|Connection: close||Bad Request\n';

test.each([
  ['GET /', ['Upgrade: h2c', version, key], badRequest],
  ['GET /', ['Upgrade: websocket', 'Sec-WebSocket-Version: 8', key], badRequest],
  ['GET /', ['Upgrade: websocket', key], badRequest],
  ['GET /', ['Upgrade: websocket', version], badRequest],
  [
    'POST /',
    ['Upgrade: websocket', version, key],
    badRequest
      .replaceAll('400 Bad Request', '405 Method Not Allowed')
      .replaceAll('Bad Request', 'Method Not Allowed')
      .replace('12', '19'),
  ],
])('%s with %j is refused with the status, the headers and the reason', async (line, headers, expected) => {
  const at = { host: '127.0.0.1', port: Number(new URL(node.ws ?? '').port) };
  const head = [`${line} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', ...headers, '', ''];
  const { text } = await raw(at, [head.join('\r\n')]);
  expect(text.replaceAll('\r\n', '|')).toBe(expected);
});

test('no subprotocol is chosen', async () => {
  const client = new WebSocket(node.ws ?? '', ['one', 'two']);
  const [error] = (await once(client, 'error').catch((failure: unknown) => [failure])) as [Error];
  expect(error.message).toBe('Server sent no subprotocol');
});

test('a message over the limit closes with 1009, one at the limit is answered', async () => {
  const padded = (bytes: number) => request + ' '.repeat(bytes - request.length);
  expect((await ws(node.ws ?? '', [padded(524_288)], 1)).messages).toEqual([result]);
  expect(await ws(node.ws ?? '', [padded(524_289)], 1)).toEqual({ status: 101, messages: [], code: 1009 });
});

test('above wsmaxconnections: 200 and nothing instead of 101', async () => {
  const one = await start({ answers: { limits: { connections: 1 } }, ipc: null });
  const first = new WebSocket(one.ws ?? '');
  await once(first, 'open');
  expect(await ws(one.ws ?? '', [], 0)).toEqual({ status: 200, messages: [''], code: null });
  first.terminate();
});

describe.each(['ws', 'ipc'] as const)('subscriptions over %s', (wire) => {
  /** Asks on one connection and parses the answers. */
  async function converse(at: Simulation, calls: readonly (readonly [string, string])[]): Promise<unknown[]> {
    const texts = calls.map(([method, params], id) => `{"id":${id},"method":"${method}","params":${params}}`);
    const lines =
      wire === 'ws'
        ? (await ws(at.ws ?? '', texts, texts.length)).messages
        : (await raw({ path: at.ipc ?? '' }, texts, texts.length)).text.trimEnd().split('\n');
    return lines.map((line) => {
      const { error, result } = JSON.parse(line) as {
        error?: { code: number; message: string };
        result?: unknown;
      };
      return error === undefined ? result : [error.code, error.message];
    });
  }

  const refusals: readonly (readonly [method: string, params: string, code: number, message: string])[] = [
    ['eth_subscribe', '["nothing"]', -32601, 'no "nothing" subscription in eth namespace'],
    ['foo_subscribe', '["newHeads"]', -32601, 'no "newHeads" subscription in foo namespace'],
    ['klay_subscribe', '["nothing"]', -32601, 'no "nothing" subscription in klay namespace'],
    ['eth_subscribe', '{}', -32602, 'non-array args'],
    ['foo_subscribe', '{}', -32602, 'non-array args'],
    ['eth_subscribe', 'null', -32602, 'non-array args'],
    ['eth_subscribe', '[]', -32602, 'expected subscription name as first argument'],
    ['eth_subscribe', '[1]', -32602, 'expected subscription name as first argument'],
    ['eth_subscribe', '["logs"]', -32602, 'missing value for required argument 1'],
    ['eth_subscribe', '["newHeads",1]', -32602, 'too many arguments, want at most 1'],
  ];
  test.each(refusals)('%s %s', async (method, params, code, message) => {
    expect(await converse(node, [[method, params]])).toEqual([[code, message]]);
  });

  test('a known subscription gets an id that unsubscribes once', async () => {
    const ids = await converse(node, [
      ['eth_subscribe', '["newHeads"]'],
      ['klay_subscribe', '["logs",{}]'],
      ['eth_unsubscribe', '["0x1"]'],
    ]);
    expect(ids).toEqual([
      expect.stringMatching(/^0x[0-9a-f]+$/),
      expect.stringMatching(/^0x[0-9a-f]+$/),
      [-32000, 'subscription not found'],
    ]);
  });

  test('wsmaxsubscriptionperconn limits the subscriptions of a connection', async () => {
    const one = await start({ answers: { limits: { subscriptions: 1 } } });
    const call = ['eth_subscribe', '["newHeads"]'] as const;
    expect((await converse(one, [call, call]))[1]).toEqual([
      -32000,
      'Maximum 1 subscriptions are allowed for a websocket connection. ' +
        "The limit can be updated with 'admin_setMaxSubscriptionPerWSConn' API",
    ]);
  });
});
