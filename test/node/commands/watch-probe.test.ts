/** Probes on request: what a request can name, what it is answered, and how many run at a time. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulation, simulateShape } from '../../../src/node/simulator/node.js';
import { quietShape } from '../../peers/shape.js';
import { probing } from '../../peers/stepped-watch.js';
import { run } from '../live.js';
import { installed, metricProblems } from '../report/tools.js';

const promtool = installed('promtool', 'probes and their scrape configuration against promtool');

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-probe-'));
const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
let node: Simulation;
let exporter: Awaited<ReturnType<typeof probing>>;

/** A server that takes connections and answers none. */
const silent = { connections: [] as Socket[], url: '' };
const silentServer = createServer((socket) => {
  silent.connections.push(socket);
  socket.on('error', () => {});
});

beforeAll(async () => {
  node = await simulateShape({ ...quietShape, ws: null, ipc: null }, { freePorts: true });
  silentServer.listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  silent.url = `http://127.0.0.1:${(silentServer.address() as AddressInfo).port}`;
  const off =
    'NETWORK=mainnet\nRPC_ENABLE=0\nWS_ENABLE=0\nDATA_DIR=/nowhere/data\nLOG_DIR=/nowhere\nADDITIONAL="--ipcdisable"\n';
  file('off.conf', off);
  file('twice.ini', '[defaults]\nrpc = http://127.0.0.1:1\n[en-[01:02]]\n[en-02]\n');
  mkdirSync(join(folder, 'bad'));
  file('bad/off.conf', off);
  file('bad/kaiactl.ini', '[node]\nonly = no-such-rule\n');
  file('own.ini', '[policy]\nname = own\nversion = 1\n[http]\nopen = no\n');
  file(
    'fleet.ini',
    `[en-1]\nrpc = ${node.http}\nrole = public-en\n[gone]\nrpc = http://127.0.0.1:1\n[silent]\nrpc = ${silent.url}\n` +
      '[off]\nconf = off.conf\n[unread]\nconf = missing.conf\n[bad]\nconf = bad/off.conf\n',
  );
  exporter = await probing(['--inventory', 'fleet.ini', '--policy', 'own.ini', '--concurrency', '1'], folder);
});
afterAll(async () => {
  expect(await exporter.stop()).toBe(130);
  silentServer.close();
  await node.close();
  rmSync(folder, { recursive: true });
});

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(exporter.url + path, { headers });
  return { status: response.status, text: await response.text() };
}

/** The values of a probe by name and labels. */
async function probed(query: string, headers?: Record<string, string>): Promise<Record<string, number>> {
  const { status, text } = await get(`/probe?${query}`, headers);
  expect([status, text]).toEqual([200, expect.stringContaining('kaiactl_probe_success')]);
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'));
  return Object.fromEntries(rows.map((row) => [row.replace(/ \S+$/, ''), Number(/\S+$/.exec(row)?.[0])]));
}

test('a probe audits the named node, and its metrics are valid', async () => {
  const before = Date.now() / 1000;
  const values = await probed('target=en-1&policy=public-en');
  const { kaiactl_probe_duration_seconds: duration, kaiactl_probe_timestamp_seconds: at, ...others } = values;
  expect(others).toMatchObject({
    kaiactl_probe_success: 1,
    'kaiactl_probe_findings{severity="critical"}': 0,
    'kaiactl_probe_findings{severity="high"}': 0,
    kaiactl_probe_suppressed_findings: 0,
    'kaiactl_target_checked{target="en-1"}': 1,
  });
  expect(duration).toBeGreaterThanOrEqual(0);
  expect(at).toBeGreaterThanOrEqual(before);
  for (const path of ['/probe?target=en-1', '/metrics']) {
    const { text } = await get(path);
    expect(metricProblems(text)).toBe('');
  }
});

test('a request chooses between built-in policies and that of --policy, which is the default', async () => {
  const violation =
    'kaiactl_finding{target="en-1",rule="policy-violation",severity="high",subject="http open"}';
  expect(await probed('target=en-1')).toHaveProperty([violation], 1);
  expect(await probed('target=en-1&policy=own')).toHaveProperty([violation], 1);
  expect(await probed('target=en-1&policy=validator')).toHaveProperty([violation], 1);
  expect(await probed('target=en-1&policy=public-en')).not.toHaveProperty([violation]);
});

test.each([
  ['gone', 0],
  ['off', 1],
  ['unread', 0],
])('success of %s is %d', async (name, success) => {
  const values = await probed(`target=${name}&policy=public-en`);
  expect(values).toHaveProperty('kaiactl_probe_success', success);
});

test('a probe that fails is answered with 500, and stderr says why', async () => {
  expect(await get('/probe?target=bad')).toEqual({
    status: 500,
    text: 'the probe failed: kaiactl has printed why\n',
  });
  expect(exporter.err()).toContain('no-such-rule');
  expect((await get('/metrics')).text).toContain('kaiactl_probe_requests_total{result="failed"} 1\n');
});

test.each([
  ['', 400, 'target is missing'],
  ['?target=', 400, 'target is missing'],
  ['?target=en-1&target=gone', 400, 'can be given once'],
  ['?target=http://127.0.0.1:8551', 400, 'only names of nodes in the inventory'],
  ['?target=127.0.0.1:8551', 400, 'only names of nodes in the inventory'],
  ['?target=/etc/kend/conf/kend.conf', 400, 'only names of nodes in the inventory'],
  ['?target=..%5Coff.conf', 400, 'only names of nodes in the inventory'],
  ['?target=en-2', 404, 'no node en-2: did you mean en-1?'],
  ['?target=constructor', 404, 'no node constructor\n'],
  ['?target=en-1&policy=own.ini', 400, 'no policy own.ini'],
  ['?target=en-1&policy=/etc/passwd', 400, 'no policy /etc/passwd'],
  ['?target=en-1&module=http_2xx', 400, 'no parameter module'],
])('/probe%s is answered with %d', async (query, status, sentence) => {
  expect(await get(`/probe${query}`)).toEqual({ status, text: expect.stringContaining(sentence) });
});

test.each(['soon', '-1', '0', 'Infinity'])('a scrape timeout of %s is answered with 400', async (seconds) => {
  const { status, text } = await get('/probe?target=en-1', {
    'X-Prometheus-Scrape-Timeout-Seconds': seconds,
  });
  expect([status, text]).toEqual([400, expect.stringContaining('is not a number of seconds')]);
});

test('a probe of a silent node ends before Prometheus gives up', async () => {
  const headers = { 'X-Prometheus-Scrape-Timeout-Seconds': '0.6' };
  const values = await probed('target=silent', headers);
  expect(values.kaiactl_probe_success).toBe(0);
  expect(values.kaiactl_probe_undetermined).toBeGreaterThan(0);
});

test('requests for one node share a probe, and one for another node over the limit is refused', async () => {
  const had = silent.connections.length;
  const words = (name: string) => `GET /probe?target=${name} HTTP/1.1\r\nHost: localhost\r\n`;
  const client = connect(Number(new URL(exporter.url).port), '127.0.0.1');
  const arrived = once(silentServer, 'connection');
  client.write(
    `${words('silent')}\r\n${words('silent')}\r\n${words('gone')}\r\n${words('silent')}Connection: close\r\n\r\n`,
  );
  await arrived;
  expect((await get('/metrics')).text).toContain('kaiactl_probes_running 1\n');
  for (const one of silent.connections) one.destroy();
  // Every further request of the probe fails at once.
  silentServer.on('connection', (socket) => socket.destroy());
  let text = '';
  for await (const chunk of client) text += chunk;
  expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(
    ['200', '200', '503', '200'].map((code) => `HTTP/1.1 ${code}`),
  );
  expect(new Set(text.match(/kaiactl_probe_timestamp_seconds [\d.]+/g)).size).toBe(1);
  expect(text).toContain('raise --concurrency');
  expect(silent.connections.length).toBeGreaterThan(had);
  const { text: own } = await get('/metrics');
  expect(own).toContain('kaiactl_probe_requests_total{result="refused"} 1\n');
  expect(own).toContain('kaiactl_probes_running 0\n');
});

test('only GET requests that name this machine are answered', async () => {
  const ask = (method: string, path: string, host: string) =>
    new Promise((resolve) => {
      request(exporter.url + path, { method, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
  expect(await ask('GET', '/metrics', 'localhost:9469')).toBe(200);
  expect(await ask('GET', '/metrics', '[::1]')).toBe(200);
  expect(await ask('GET', '/metrics', 'web.example:9469')).toBe(403);
  expect(await ask('GET', '/probe?target=en-1', '127.0.0.1.web.example')).toBe(403);
  expect(await ask('GET', '/metrics', 'a b')).toBe(403);
  expect(await ask('POST', '/probe?target=en-1', 'localhost')).toBe(404);
  expect(await ask('GET', '/other', 'localhost')).toBe(404);
});

test('SIGHUP reads the inventory again; one that cannot be read is reported and the nodes are kept', async () => {
  const text = readFileSync(join(folder, 'fleet.ini'), 'utf8');
  const names = async () =>
    (JSON.parse((await get('/targets')).text) as { targets: string[] }[]).flatMap(({ targets }) => targets);
  file('fleet.ini', '[en-1\n');
  exporter.hangup();
  while (!exporter.err().includes('fleet.ini:1: ')) await names();
  expect(await names()).toEqual(['en-1', 'gone', 'silent', 'off', 'unread', 'bad']);
  file('fleet.ini', `${text}[en-2]\nrpc = ${node.http}\n`);
  exporter.hangup();
  while ((await names()).length < 7) expect(exporter.err()).not.toContain('kaiactl node watch --help');
  expect(await probed('target=en-2')).toHaveProperty('kaiactl_probe_success', 1);
});

const page = readFileSync(new URL('../../../docs/watch.md', import.meta.url), 'utf8');

test.skipIf(!promtool)(
  'Prometheus finds the nodes by the scrape configuration of the documentation',
  async () => {
    const text = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(page)?.[1] ?? '';
    file('prometheus.yml', text.replaceAll('127.0.0.1:9469', exporter.url.slice(7)));
    const promtoolOf = async (...words: string[]) =>
      (await promisify(execFile)('promtool', words, { cwd: folder })).stdout;
    expect(await promtoolOf('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    const words = ['check', 'service-discovery', '--timeout=1s', 'prometheus.yml', 'kaiactl'];
    const found = JSON.parse(await promtoolOf(...words)) as { labels: Record<string, string> }[];
    expect(found.map(({ labels }) => labels).find(({ instance }) => instance === 'en-1')).toMatchObject({
      __address__: exporter.url.slice(7),
      __metrics_path__: '/probe',
      __param_target: 'en-1',
      role: 'public-en',
    });
  },
);

test.each([
  [[], '--serve-probe needs --listen'],
  [['--listen', '127.0.0.1:0'], '--serve-probe needs --inventory'],
  [['http://127.0.0.1:1'], 'audits the nodes of --inventory only', 'both'],
  [['--targets-from', 'list'], 'audits the nodes of --inventory only', 'both'],
  [['--webhook', 'http://127.0.0.1:1'], 'has no rounds, which --webhook needs', 'both'],
  [['--notify-initial'], 'has no rounds, which --notify-initial needs', 'both'],
  [['--inventory', 'twice.ini'], 'names en-02 twice', 'both'],
  [['--policy', 'missing.ini'], 'the policy missing.ini', 'both'],
])('--serve-probe %j is rejected at the start', async (words, sentence, both = '') => {
  const needed = both === '' ? [] : ['--listen', '127.0.0.1:0', '--inventory', 'fleet.ini'];
  const { code, err } = await run(['node', 'watch', '--serve-probe', ...needed, ...words], { cwd: folder });
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});
