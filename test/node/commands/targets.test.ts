/** Words of a command line, lists and inventories as targets. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadTarget } from '../../../src/node/commands/conf-options.js';
import { machineOfHost } from '../../../src/node/commands/processes.js';
import { readTargets, type TargetOptions } from '../../../src/node/commands/targets.js';
import { collector } from '../../peers/outcome.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-targets-'));
  mkdirSync(join(folder, 'proc'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
}

function targets(
  words: readonly string[],
  options: Partial<TargetOptions> = {},
  stdin = '',
): Promise<ReadTarget[]> {
  const host = {
    cwd: folder,
    env: {},
    platform: 'linux',
    proc: join(folder, 'proc'),
    now: () => 0,
    stdin: Readable.from([Buffer.from(stdin)]),
    stderr: collector().stream,
    signal: new AbortController().signal,
  };
  return readTargets({ ...options, targets: words }, machineOfHost(host as never), host as never);
}

/** `name · conf · endpoints · metrics`. */
function told({ name, conf, endpoints, metrics }: ReadTarget): string {
  const urls = endpoints.map(({ address: { endpoint }, source }) => {
    const at = endpoint.kind === 'ipc' ? endpoint.path : endpoint.url;
    return `${at.replace(folder, '')} by ${source}`;
  });
  const ports = metrics.map(({ kind, url, source }) => `${kind} ${url} by ${source}`);
  const state = conf === null ? 'none' : conf.state === 'seen' ? 'conf' : conf.detail;
  return [name.replace(folder, ''), state, urls.join(), ports.join()].join(' · ');
}
const all = async (...given: Parameters<typeof targets>) => (await targets(...given)).map(told);

const conf = 'RPC_ENABLE=1\nWS_ENABLE=0\nMETRICS=1\nPROMETHEUS=1\nNETWORK=mainnet\nDATA_DIR=/d\n';
const fromConf = 'http://127.0.0.1:8551 by conf,ws://127.0.0.1:8552 by conf,/d/klay.ipc by conf';
const profiler = 'metrics http://127.0.0.1:61001 by conf';

test.each<[string, Partial<TargetOptions>, string]>([
  ['http://h:1', {}, 'http://h:1 · none · http://h:1 by argument · '],
  ['ws://h:1/p', {}, 'ws://h:1/p · none · ws://h:1/p by argument · '],
  ['ipc:/d/klay.ipc', { metricsPort: '61001' }, 'ipc:/d/klay.ipc · none · /d/klay.ipc by argument · '],
  [
    'https://h/p',
    { metricsPort: '1' },
    'https://h/p · none · https://h/p by argument · metrics http://h:1 by argument',
  ],
  ['kend.conf', {}, `kend.conf · conf · ${fromConf} · ${profiler}`],
  ['zzz', {}, 'zzz · cannot read zzz: there is no such file ·  · '],
])('the word %s with %j', async (word, options, expected) => {
  put('kend.conf', conf);
  expect(await all([word], options)).toEqual([expected]);
});

test.each<[string, Partial<TargetOptions>, RegExp]>([
  ['http://h:1', { metricsPort: '0' }, /^--metrics-port 0 is not a port$/],
  ['http://h:1', { metricsPort: '65536' }, /^--metrics-port 65536 is not a port$/],
  ['http://h:1', { metricsPort: 'x1' }, /^--metrics-port x1 is not a port$/],
  ['http://h:1', { metricsPort: '1x' }, /^--metrics-port 1x is not a port$/],
  ['gopher://h', {}, /not a way to reach a node/],
  ['H2://h', {}, /not a way to reach a node/],
  ['localhost', {}, /has no scheme/],
  ['http//ops:s3cr3tPass@127.0.0.1:1/', {}, /^http\/\/…@127.0.0.1:1\/ is not a URL$/],
  ['pid:x', {}, /pid:x/],
])('the word %s with %j is refused', async (word, options, message) => {
  const found = targets([word], options).then(([one]) => {
    throw new Error(one?.conf?.state === 'not-seen' ? one.conf.detail : 'a target');
  });
  await expect(found).rejects.toThrow(message);
});

test('the highest port may be that of the metrics, and its default is named in the hint', async () => {
  expect((await all(['http://h:1'], { metricsPort: '65535' }))[0]).toContain('metrics http://h:65535');
  await expect(targets(['http://h:1'], { metricsPort: '' })).rejects.toMatchObject({
    hint: expect.stringMatching(/^(?!.*\b(\d+)\b.*\b\1\b)The default of a node is 61001(?: or [1-9]\d*)+\.$/),
  });
});

test('a file with the name of a host is a file, and a socket is asked', async () => {
  put('localhost', conf);
  expect((await all(['localhost']))[0]).toMatch(/^localhost · not a node|^localhost · .*localhost/);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 'klay.ipc'), resolve));
  expect(await all(['klay.ipc'])).toEqual(['ipc:/klay.ipc · none · /klay.ipc by argument · ']);
  await new Promise((resolve) => server.close(resolve));
});

test('a folder is its nodes, and a file of several is each of them or the one of --service', async () => {
  const service = (name: string) => `  ${name}:\n    image: kaiachain/kaia\n    command: ken --rpc\n`;
  put('a/compose.yaml', `services:\n${service('x')}${service('y')}`);
  put('a/kend.conf', conf);
  const names = async (...given: Parameters<typeof targets>) =>
    (await targets(...given)).map(({ name }) => name);
  expect(await names(['a'])).toEqual(['a/compose.yaml: x', 'a/compose.yaml: y', 'a/kend.conf']);
  expect(await all(['a'])).toContain(`a/kend.conf · conf · ${fromConf} · ${profiler}`);
  expect(await names(['a/compose.yaml'])).toEqual(['a/compose.yaml: x', 'a/compose.yaml: y']);
  expect(await names(['a/compose.yaml'], { service: 'y' })).toEqual(['a/compose.yaml: y']);
  expect(await names(['a'], { service: 'y' })).toEqual(['a/compose.yaml: y']);
  for (const word of ['a', 'a/compose.yaml', 'a/kend.conf'])
    await expect(targets([word], { service: 'z' })).rejects.toThrow('no node is named z');
  put('b/notes.txt', 'hello\n');
  await expect(targets(['b'])).rejects.toThrow("b holds no node's settings");
});

test('a list has one target on each line, before those of the inventory', async () => {
  const list = '# fleet\nhttp://a:1\n\n  http://b:1/#x  # gone\n\thttp://c:1\n';
  put('list', list);
  put('nodes.ini', '[d]\nrpc = http://d:1\n');
  const names = async (...given: Parameters<typeof targets>) =>
    (await targets(...given)).map(({ name }) => name);
  const listed = ['http://a:1', 'http://b:1', 'http://c:1'];
  expect(await names([], { targetsFrom: 'list' })).toEqual(listed);
  expect(await names([], { targetsFrom: '-' }, list)).toEqual(listed);
  expect(await names(['http://z:1'], { targetsFrom: 'list', inventory: 'nodes.ini' })).toEqual([
    'http://z:1',
    ...listed,
    'd',
  ]);
  put('list', '# none\n \n');
  await expect(targets([], { targetsFrom: 'list' })).rejects.toMatchObject({
    message: 'list names no target',
    hint: 'Write one target per line.',
  });
  await expect(targets([], { targetsFrom: '-' })).rejects.toThrow('stdin names no target');
  await expect(targets([], { targetsFrom: 'none' })).rejects.toThrow('cannot read the targets from none');
});

test('without a word, a list or an inventory the nodes of the machine are searched', async () => {
  await expect(targets([])).rejects.toThrow('no node was found on this machine');
  put('nodes.ini', '[d]\nrpc = http://d:1\n');
  expect(await all([], { inventory: 'nodes.ini' })).toHaveLength(1);
});

test.each<[string, string, Partial<ReadTarget>]>([
  ['rpc = http://h:1', 'a · none · http://h:1 by inventory · ', {}],
  ['conf = kend.conf', `a · conf · ${fromConf} · ${profiler}`, {}],
  ['conf = zzz', 'a · cannot read zzz: there is no such file ·  · ', {}],
  // The node may run elsewhere.
  ['conf = kend.conf\nrpc = http://h:1', 'a · conf · http://h:1 by inventory · ', {}],
  ['conf = kend.conf\nmetrics = http://h:2', `a · conf · ${fromConf} · metrics http://h:2 by inventory`, {}],
  [
    'rpc = http://h:1\nmetrics = http://h:2',
    'a · none · http://h:1 by inventory · metrics http://h:2 by inventory',
    {},
  ],
  [
    'rpc = http://h:1\nrole = validator\ntimeout = 2s\nassume-reach = http=any\nnode-version = v1.9.0',
    'a · none · http://h:1 by inventory · ',
    { role: 'validator', timeoutMs: 2000, assumeReach: { http: 'any' }, nodeVersion: 'v1.9.0' },
  ],
])('a node of an inventory with %j', async (lines, expected, more) => {
  put('kend.conf', conf);
  put('nodes.ini', `[a]\n${lines}\n`);
  const [target] = await targets([], { inventory: 'nodes.ini' });
  expect(target === undefined ? '' : told(target).replace(folder, '')).toBe(expected);
  const { name: _, conf: __, endpoints: ___, metrics: ____, editables, ...rest } = target ?? {};
  expect(editables !== undefined).toBe(lines.startsWith('conf = kend.conf'));
  expect(rest).toEqual({ role: null, ...more });
});

test('a release is that of the node, else that of --node-version', async () => {
  put('nodes.ini', '[a]\nconf = kend.conf\nnode-version = v1.9.0\n[b]\nrpc = http://h:1\n');
  put('kend.conf', conf);
  const [a, b] = await targets([], { inventory: 'nodes.ini', nodeVersion: 'v1.8.0' });
  expect([a?.nodeVersion, b?.nodeVersion]).toEqual(['v1.9.0', 'v1.8.0']);
  expect(JSON.stringify(a?.conf)).toContain('v1.9.0');
  expect((await targets(['http://h:1'], { nodeVersion: 'v1.8.0' }))[0]?.nodeVersion).toBe('v1.8.0');
  expect((await targets(['http://h:1']))[0]).not.toHaveProperty('nodeVersion');
});
