/** The proxies, tried: in front of a simulated node they let reads through, and nothing else in any disguise. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { caddy } from '../../../src/node/harden/caddy.js';
import { readNetwork } from '../../../src/node/harden/given.js';
import { type Plan, planOf } from '../../../src/node/harden/plan.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { type Simulation, simulate } from '../../../src/node/simulator/node.js';
import { readConf } from '../editables.js';
import {
  hasCaddy,
  hasNginx,
  type RunningProxy,
  startCaddy,
  startNginx,
  startPackagedNginx,
} from './programs.js';

const conf = `RPC_ENABLE=1
RPC_API="klay,eth,net,web3,debug,personal,admin"
RPC_CORSDOMAIN="https://app.example"
RPC_VHOSTS="localhost"
WS_ENABLE=1
WS_API="klay,eth,net,web3"
WS_ORIGINS="https://app.example"
METRICS=1
PROMETHEUS=1
NETWORK=mainnet
DATA_DIR=/srv/kend
`;

/** A node whose messages are written down, the plan in front of it, and a proxy made from that. */
class Setting {
  readonly seen: string[] = [];
  node: Simulation | null = null;
  proxy: RunningProxy | null = null;

  async open(
    start: (plan: Plan) => Promise<RunningProxy>,
    text = conf,
    monitoring = '127.0.0.0/8',
  ): Promise<void> {
    const read = readConf('kend.conf', Buffer.from(text));
    this.node = await simulate(read.settings, {
      freePorts: true,
      log: (_, method) => this.seen.push(method),
    });
    const plan = planOf(read, kaia, { monitoring: [readNetwork(monitoring)], serverName: null });
    this.proxy = await start(at(plan, this.node));
  }

  async close(): Promise<void> {
    await this.proxy?.stop();
    await this.node?.close();
  }
}

/** The plan, with the ports that the simulated node took. */
function at(plan: Plan, { http, ws, metrics }: Simulation): Plan {
  const authority = (url: string | null) => new URL(url ?? 'http://127.0.0.1:1').host;
  return {
    ...plan,
    serverName: null,
    http: plan.http && { ...plan.http, authority: authority(http) },
    ws: plan.ws && { ...plan.ws, authority: authority(ws) },
    metrics: plan.metrics && { ...plan.metrics, port: Number(new URL(metrics ?? 'http://127.0.0.1:1').port) },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A proxy may hang up on a body it does not take. */
const cutOff: Answer = { status: 0, headers: {}, body: '' };

const json = { 'content-type': 'application/json' };

async function send(port: number, { method = 'POST', path = '/', headers = {}, body = '' }: Sent) {
  const chunked = headers['transfer-encoding'] !== undefined;
  const length = chunked || body.length === 0 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const call: ClientRequest = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { ...json, ...length, ...headers },
  });
  call.end(body);
  const answered = await once(call, 'response').catch(() => null);
  if (answered === null) return cutOff;
  const [response] = answered as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString(),
  } satisfies Answer;
}

function call(method: string, id: unknown = 1): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":[]}`;
}
const read = call('eth_blockNumber');
const barred = '{"jsonrpc":"2.0","id":2,"method":"debug_setHead","params":{}}';
const padding = `"${'x'.repeat(400_000)}"`;

/** None of them may reach the node with what it hides. */
const disguises: Readonly<Record<string, Sent>> = {
  plain: { body: barred },
  'of a batch': { body: `[${read},${barred}]` },
  'at the head of a batch': { body: `[${barred},${read}]` },
  'of a batch in a batch': { body: `[[${barred}]]` },
  'with an escape in its name': { body: barred.replace('_', '\\u005f') },
  'with an escaped key': { body: barred.replace('"method"', '"\\u006dethod"') },
  'with a second, escaped key': {
    body: `{"id":1,"method":"eth_blockNumber","met\\u0068od":"debug_setHead","params":{}}`,
  },
  'behind a first method': {
    body: '{"id":1,"method":"eth_blockNumber","method":"debug_setHead","params":{}}',
  },
  'before a second method': {
    body: '{"id":1,"method":"debug_setHead","method":"eth_blockNumber","params":[]}',
  },
  'under a key in capitals': {
    body: '{"id":1,"method":"eth_blockNumber","METHOD":"debug_setHead","params":{}}',
  },
  'under a key of mixed case': { body: '{"id":1,"Method":"debug_setHead","params":{}}' },
  'in a lot of blanks': { body: barred.replace(/[,:]/g, ' \r\n\t$& \r\n\t') },
  'with a blank in its name': { body: barred.replace('debug_setHead', ' debug_setHead') },
  'with a module in capitals': { body: barred.replace('debug_', 'DEBUG_') },
  'without an id': { body: '{"jsonrpc":"2.0","method":"debug_setHead","params":{}}' },
  'behind long parameters': { body: `{"id":1,"params":[${padding}],"method":"debug_setHead"}` },
  'in a batch behind long parameters': {
    body: `[{"id":1,"method":"eth_call","params":[${padding}]},${barred}]`,
  },
  'beyond the limit': { body: `[{"id":1,"method":"eth_call","params":[${padding},${padding}]},${barred}]` },
  'in chunks': { body: barred, headers: { 'transfer-encoding': 'chunked' } },
  'beyond the limit, in chunks': {
    body: `[{"id":1,"method":"eth_call","params":[${padding},${padding}]},${barred}]`,
    headers: { 'transfer-encoding': 'chunked' },
  },
  compressed: { body: gzipSync(barred), headers: { 'content-encoding': 'gzip' } },
  'said to be compressed': { body: barred, headers: { 'content-encoding': 'gzip' } },
  'with a wish to upgrade': { body: barred, headers: { connection: 'Upgrade', upgrade: 'websocket' } },
  'as a preflight': { method: 'OPTIONS', body: barred },
  'as a GET': { method: 'GET', body: barred },
  'as a PATCH': { method: 'PATCH', body: barred },
  'to another path': { path: '/metrics', body: barred },
  'to the path of ws': { path: '/ws', body: barred },
  'as another module': { body: call('admin_peers') },
  'as a method that signs': { body: call('eth_sign') },
  'as a method that signs, under the former name': { body: call('klay_sendTransactionAsFeePayer') },
  'as a module nobody has': { body: call('ethx_blockNumber') },
};

/** What reads may look like; the node is asked for these and no other method. */
const reads: Readonly<Record<string, Sent>> = {
  plain: { body: read },
  'in a batch': { body: `[${read},${call('klay_blockNumber', 'a')},${call('net_version', 0)}]` },
  'in chunks': { body: read, headers: { 'transfer-encoding': 'chunked' } },
  'in a lot of blanks': { body: ` ${read.replace(/[,:]/g, ' \n$& \t')}` },
  'with long parameters': { body: `{"id":1,"method":"eth_call","params":[${padding}]}` },
  'under a name of its own for the host': { body: read, headers: { host: 'rpc.example' } },
  'with text beside ASCII': { body: '{"id":"ключ","method":"web3_clientVersion","params":[]}' },
};
const harmless = /^(?:eth_(?:blockNumber|call)|klay_blockNumber|net_version|web3_clientVersion)$/;

const proxies = [
  { name: 'nginx', there: hasNginx, start: startNginx, refusal: 200 },
  { name: 'caddy', there: hasCaddy, start: (plan: Plan) => startCaddy(caddy(plan)), refusal: 403 },
];

describe.each(proxies)('$name', ({ there, start, refusal }) => {
  describe.skipIf(!there)('in front of a simulated node (skipped where it is not installed)', () => {
    const setting = new Setting();
    const port = () => setting.proxy?.port ?? 0;
    beforeAll(() => setting.open(start));
    afterAll(() => setting.close());

    test.each(Object.entries(reads))('a read passes %s', async (_, sent) => {
      const { status, body } = await send(port(), sent);
      expect(status).toBe(200);
      const answers = [JSON.parse(body)].flat() as { result?: unknown; error?: { code: number } }[];
      for (const one of answers) expect(one.result ?? one.error?.code).not.toBe(-32601);
      expect(answers.length).toBe([JSON.parse(String(sent.body))].flat().length);
    });

    test('ids are returned as they were sent', async () => {
      const { body } = await send(port(), {
        body: `[${call('net_version', 'a')},${call('net_version', 7)}]`,
      });
      expect((JSON.parse(body) as { id: unknown }[]).map(({ id }) => id)).toEqual(['a', 7]);
    });

    test.each(Object.entries(disguises))('debug_setHead is blocked %s', async (name, sent) => {
      setting.seen.length = 0;
      const { body } = await send(port(), sent);
      expect(setting.seen.filter((method) => !harmless.test(method))).toEqual([]);
      if (name !== 'before a second method') expect(body).not.toContain('"result"');
    });

    test('a blocked call is answered with a JSON-RPC error', async () => {
      const { status, body, headers } = await send(port(), { body: barred });
      expect(status).toBe(refusal);
      expect(headers['content-type']).toContain('application/json');
      expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', error: { code: -32601 } });
    });

    test('a preflight reaches the node', async () => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
      const answer = await send(port(), { method: 'OPTIONS', headers });
      expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    });

    test('ws passes if every offered module may pass', async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port()}/ws`, { origin: 'https://app.example' });
      await once(socket, 'open');
      socket.send(read);
      const [message] = (await once(socket, 'message')) as [Buffer];
      socket.terminate();
      expect(JSON.parse(message.toString())).toHaveProperty('result');
    });

    test('the monitoring reads metrics, and no profiler', async () => {
      const { status } = await send(port(), { method: 'GET', path: '/metrics' });
      expect(status).toBe(200);
      for (const path of ['/debug/pprof/', '/metrics/../debug/pprof/', '/metrics%2f..%2fdebug/pprof/'])
        expect((await send(port(), { method: 'GET', path })).status).not.toBe(200);
    });
  });

  test.skipIf(!there)('ws with other modules and metrics without monitoring are blocked', async () => {
    const more = conf.replace('WS_API="klay', 'WS_API="debug,klay');
    const setting = new Setting();
    try {
      await setting.open(start, more, '192.0.2.0/24');
      const port = setting.proxy?.port ?? 0;
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { origin: 'https://app.example' });
      const [failure] = (await once(socket, 'error').catch((error: unknown) => [error])) as [Error];
      expect(failure.message).toMatch(/Unexpected server response: 40[35]/);
      expect(setting.seen).toEqual([]);
      expect((await send(port, { method: 'GET', path: '/metrics' })).status).toBe(403);
    } finally {
      await setting.close();
    }
  });
});

describe.skipIf(!hasNginx)('the nginx of the package (skipped where it is not installed)', () => {
  test.each([
    ['in place of its default site', null, true],
    ['beside its default site, by the host name', 'node.example', false],
  ])('the snippet forwards and filters calls %s', async (_, serverName, isSiteRemoved) => {
    const setting = new Setting();
    try {
      await setting.open(async (plan) => {
        const started = await startPackagedNginx({ ...plan, serverName }, { isSiteRemoved });
        if (typeof started === 'string') throw new Error(started);
        return started;
      });
      const port = setting.proxy?.port ?? 0;
      const headers = serverName === null ? json : { ...json, host: serverName };
      const first = await send(port, { headers, body: read });
      expect(JSON.parse(first.body)).toHaveProperty('result');
      setting.seen.length = 0;
      const second = await send(port, { headers, body: call('admin_nodeInfo') });
      expect(JSON.parse(second.body)).toHaveProperty('error');
      expect(setting.seen).toEqual([]);
    } finally {
      await setting.close();
    }
  });

  test('without a host name, nginx refuses the snippet beside its default site', async () => {
    const plan = planOf(readConf('kend.conf', Buffer.from(conf)), kaia, { monitoring: [], serverName: null });
    const started = await startPackagedNginx({ ...plan, serverName: null }, { isSiteRemoved: false });
    expect(started).toContain('duplicate default server');
  });
});
