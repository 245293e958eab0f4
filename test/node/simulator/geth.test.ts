/** geth and its forks, as they answer where Kaia answers otherwise; seen on geth v1.17.8, bsc v1.7.8 and op-geth. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Simulation, simulate } from '../../../src/node/simulator/node.js';
import { loadCommandLineNode } from '../load.js';
import { http, post, type Question, raw, ws } from './ask.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-geth-'));
afterAll(() => rmSync(folder, { recursive: true }));
const opened: Simulation[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A node that these words start. */
async function start(words: string, nodeVersion: string | null = null): Promise<Simulation> {
  const host = { cwd: folder, stdin: Readable.from([]), signal: new AbortController().signal };
  const { settings } = await loadCommandLineNode(
    `geth ${words}`,
    nodeVersion === null ? {} : { nodeVersion },
    host,
  );
  const one = await simulate(settings, { freePorts: true, ipc: join(folder, `${opened.length}.ipc`) });
  opened.push(one);
  return one;
}

const ask = (method: string, params: unknown = []) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const gone = (method: string) => ({
  code: -32601,
  message: `the method ${method} does not exist/is not available`,
});

describe('each kind names itself, its chain and its modules', () => {
  const rows: readonly (readonly [words: string, client: string, chain: string, own: string])[] = [
    ['--identity en-1', 'Geth/en-1/v1.17.10-stable/linux-amd64/go1.26.8', '1', 'testing'],
    ['--chapel', 'Geth/v1.7.8/linux-amd64/go1.26.8', '97', 'parlia'],
    [
      '--rollup.disabletxpoolgossip --networkid 10',
      'Geth/v1.101702.3-stable/linux-amd64/go1.26.8',
      '10',
      'testing',
    ],
  ];
  test.each(rows)('%s', async (words, client, chain, own) => {
    const { http: url, ipc } = await start(`--http ${words}`);
    expect(await post(url ?? '', ask('web3_clientVersion'))).toMatchObject({ result: client });
    expect(await post(url ?? '', ask('net_version'))).toMatchObject({ result: chain });
    expect(await post(url ?? '', ask('rpc_modules'))).toMatchObject({
      result: { eth: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' },
    });
    expect(JSON.parse((await raw({ path: ipc ?? '' }, [ask('rpc_modules')], 1)).text)).toMatchObject({
      result: { admin: '1.0', debug: '1.0', [own]: '1.0' },
    });
  });

  test('a development chain lists the account whose key is published', async () => {
    const { http: url, authrpc } = await start('--dev --http');
    expect(await post(url ?? '', ask('eth_accounts'))).toMatchObject({
      result: ['0x71562b71999873db5b286df957af199ec94617f7'],
    });
    expect(authrpc).toBeNull();
  });
});

const account = `0x${'1'.repeat(40)}`;
test.each([
  ['--chapel --allow-insecure-unlock', [account]],
  ['--nodiscover', []],
])('--unlock with %s makes eth_accounts %j', async (words, accounts) => {
  const { http: url } = await start(
    `--http ${words} --unlock=${account}`,
    words === '--nodiscover' ? 'v1.16.0' : null,
  );
  expect(await post(url ?? '', ask('eth_accounts'))).toMatchObject({ result: accounts });
});

test('an empty list of origins is no list', async () => {
  const { http: url } = await start("--http --http.corsdomain=''");
  const { headers } = await http(url ?? '', {
    body: ask('net_version'),
    headers: { origin: 'https://a.example' },
  });
  expect(headers.vary).toBeUndefined();
});

test('an existence probe, a method that is not offered, one without a version, a subscription over http', async () => {
  const { http: url } = await start('--http --http.api eth,debug');
  const error = async (body: string) => ((await post(url ?? '', body)) as { error: unknown }).error;
  expect(await error(ask('debug_getRawBlock', {}))).toEqual({ code: -32602, message: 'non-array args' });
  expect(await error(ask('admin_nodeInfo', {}))).toEqual(gone('admin_nodeInfo'));
  expect(await error('{"id":1,"method":"eth_chainId"}')).toEqual({
    code: -32600,
    message: 'invalid request',
  });
  expect(await error(ask('eth_subscribe', ['newHeads']))).toEqual({
    code: -32601,
    message: 'notifications not supported',
  });
});

test.each([
  ['', { path: '/x' }, 404],
  ['', { path: '/', method: 'GET' }, 200],
  ['--http.rpcprefix=/rpc', { path: '/' }, 404],
  ['--http.rpcprefix=/rpc', { path: '/rpcxyz' }, 200],
  ['--http.vhosts=node.example', { headers: { host: 'NODE.example' } }, 200],
  ['--http.vhosts=node.example', { headers: { host: 'localhost' } }, 403],
  ['', { path: '/graphql' }, 404],
  ['--graphql', { path: '/graphql', headers: { host: 'node.example' } }, 403],
  ['--graphql --graphql.vhosts=*', { path: '/graphql', headers: { host: 'node.example' } }, 501],
] as readonly (readonly [string, Question, number])[])(
  'http %s of %j: %i',
  async (words, question, status) => {
    const { http: url } = await start(`--http ${words}`);
    const body = question.method === 'GET' ? '' : ask('eth_chainId');
    expect((await http(url ?? '', { body, ...question })).status).toBe(status);
  },
);

test('params of a method without parameters are counted; answers end and are escaped as each release does', async () => {
  const answer = async (words: string, body: string) => {
    const { http: url } = await start(`--http ${words}`);
    return (await http(url ?? '', { body })).body;
  };
  expect(await answer('', ask('net_version', [1]))).toContain('too many arguments, want at most 0');
  const named = '{"jsonrpc":"2.0","id":"<","method":"net_version"}';
  expect(await answer('', named)).toBe('{"jsonrpc":"2.0","id":"<","result":"1"}');
  expect(await answer('--chapel', named)).toBe('{"jsonrpc":"2.0","id":"\\u003c","result":"97"}\n');
});

test.each([
  ['', 200, '404 not found\n'],
  ['--chapel', 204, '200 '],
])('a preflight and a handshake at another path, of %s', async (words, preflight, refused) => {
  const node = await start(`--http --http.corsdomain=* --ws ${words}`);
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
  expect((await http(node.http ?? '', { method: 'OPTIONS', headers })).status).toBe(preflight);
  const answer = await ws(`${node.ws}/x`, [], 1);
  expect(`${answer.status} ${answer.messages.join()}`).toBe(refused);
  const at = { host: '127.0.0.1', port: Number(new URL(node.ws ?? '').port) };
  const handshake = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket';
  expect((await raw(at, [`GET /x HTTP/1.1\r\n${handshake}\r\n\r\n`])).text).not.toMatch(/version/i);
});

test('IPC has the engine API, which http does not offer', async () => {
  const probe = ask('engine_getPayloadV1', {});
  const { http: url, ipc } = await start('--http --http.api=engine,admin');
  expect(await post(url ?? '', probe)).toMatchObject({ error: gone('engine_getPayloadV1') });
  expect(JSON.parse((await raw({ path: ipc ?? '' }, [probe], 1)).text)).toMatchObject({
    error: { code: -32602 },
  });
});

test.each([
  ['app.example', 'https://app.example:8443', 101],
  ['https://app.example', 'http://app.example', 403],
  ['https://app.example', 'https://app.example:8443', 101],
  ['', 'http://localhost:3000', 101],
  ['', 'https://localhost', 403],
])('ws with the origins "%s" from %s: %i', async (origins, origin, status) => {
  const { ws: url } = await start(`--ws --ws.origins='${origins}'`);
  expect((await ws(url ?? '', [ask('eth_chainId')], 1, { origin })).status).toBe(status);
});

test('the port of ws alone answers 404 to http; http and ws on one port are one server', async () => {
  const apart = await start('--ws');
  expect((await http((apart.ws ?? '').replace('ws:', 'http:'), { method: 'GET' })).status).toBe(404);
  const shared = await start('--http --ws --ws.port 8545');
  expect(shared.ws).toBe(shared.http?.replace('http:', 'ws:'));
  expect(await post(shared.http ?? '', ask('net_version'))).toMatchObject({ result: '1' });
  const { messages } = await ws(shared.ws ?? '', [ask('net_version')], 1);
  expect(JSON.parse(messages[0] ?? '')).toMatchObject({ result: '1' });
});

test.each([
  [{}, 'missing token'],
  [{ authorization: 'Basic YTpi' }, 'missing token'],
  [{ authorization: 'xbearer a.b' }, 'missing token'],
  [{ authorization: 'bearer a.b' }, 'token contains an invalid number of segments'],
  [{ authorization: 'Bearer a.b.c' }, 'signature is invalid'],
])('the engine API with the headers %j: %s', async (headers, said) => {
  const { authrpc } = await start('');
  const answer = await http(authrpc ?? '', { body: ask('engine_exchangeCapabilities', [[]]), headers });
  expect([answer.status, answer.body]).toEqual([401, `${said}\n`]);
  expect((await http(authrpc ?? '', { path: '/x', headers })).status).toBe(404);
});

test.each([
  ['metrics', '--metrics', [404, 200, 404]],
  ['pprof', '--pprof', [404, 200, 200]],
  ['pprof', '--pprof --metrics --metrics.addr=127.0.0.1 --metrics.port=6061', [404, 404, 200]],
] as const)('the port of %s with %s', async (port, words, statuses) => {
  const node = await start(words);
  const paths = ['/metrics', '/debug/metrics/prometheus', '/debug/pprof/'];
  const answers = await Promise.all(paths.map((path) => http(node[port] ?? '', { method: 'GET', path })));
  expect(answers.map(({ status }) => status)).toEqual(statuses);
});
