import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paceAt } from '../../../src/node/commands/fleet.js';
import { readInventory } from '../../../src/node/commands/inventory.js';
import { simulateShape } from '../../../src/node/simulator/node.js';
import { run } from '../../cli/run.js';
import { expectValid } from '../../peers/report.js';
import { quietShape } from '../../peers/shape.js';

/** Nodes of the large run: 1,000 where there is time. */
const size = process.env.KAIACTL_TEST_LONG === undefined ? 60 : 1000;

let folder = '';
const servers: Server[] = [];
const urls = { good: '', dead: '', mute: '', flood: '', garbage: '' };
let close: () => Promise<unknown> = async () => {};

async function serve(answer: (write: (text: string) => boolean) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer((text) => !socket.destroyed && socket.write(text)));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-fleet-'));
  const node = await simulateShape({ ...quietShape, ws: null, ipc: null }, { freePorts: true });
  urls.good = node.http ?? '';
  urls.mute = await serve(() => {});
  urls.flood = await serve((write) => {
    write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    while (write(`10000\r\n${'['.repeat(65_536)}\r\n`));
  });
  urls.garbage = await serve((write) => write('\u0000\u001b[2Jnot http'));
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  urls.dead = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
  await new Promise((resolve) => gone.close(resolve));
  close = () => node.close();
});
afterAll(async () => {
  await close();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => writeFileSync(join(folder, 'nodes.ini'), ''));

const audit = (...words: string[]) =>
  run(['node', 'audit', '--format', 'json', '--exit-zero', ...words], { cwd: folder });
const names = (text: string) => expectValid(text).targets.map(({ name }) => name);

describe('inventories', () => {
  const read = (text: string) => {
    writeFileSync(join(folder, 'nodes.ini'), text);
    return readInventory(join(folder, 'nodes.ini')).then(({ nodes, problems }) => {
      for (const { error } of problems) throw error;
      return nodes;
    });
  };

  test('a range expands to its nodes, with their names and numbers in the values', async () => {
    const nodes = await read(
      '[en-[08:10].eu]\nrpc = http://{name}.example:85{n}\n[cn-1]\nrpc = http://cn-1.example:1\n',
    );
    expect(nodes.map(({ name, endpoints }) => [name, endpoints[0]?.raw.slice(0, -1)])).toEqual([
      ['en-08.eu', 'http://en-08.eu.example:8508'],
      ['en-09.eu', 'http://en-09.eu.example:8509'],
      ['en-10.eu', 'http://en-10.eu.example:8510'],
      ['cn-1', 'http://cn-1.example:1'],
    ]);
  });

  test('a name that a range repeats is refused', async () => {
    const twice = read('[en-[1:3]]\nrpc = http://{name}.example:1\n[en-2]\nrpc = http://b.example:1\n');
    await expect(twice).rejects.toThrow(/nodes\.ini names en-2 twice$/);
  });

  test('[defaults] fills in the keys that a node’s section lacks', async () => {
    const nodes = await read(
      '[defaults]\nrole = public-en\ntimeout = 2s\nrpc = http://{name}:8551\n[en-[1:2]]\n[cn-1]\nrole = validator\ntimeout = 1m\n',
    );
    expect(
      nodes.map(({ name, role, timeoutMs, endpoints }) => [
        name,
        role,
        timeoutMs,
        endpoints[0]?.raw.slice(0, -1),
      ]),
    ).toEqual([
      ['en-1', 'public-en', 2000, 'http://en-1:8551'],
      ['en-2', 'public-en', 2000, 'http://en-2:8551'],
      ['cn-1', 'validator', 60_000, 'http://cn-1:8551'],
    ]);
  });

  test.each([
    ['[en-[9:1]]\nrpc = http://a:1\n', 'nodes.ini:1 [en-[9:1]]: en-[9:1]: [9:1] is not a range'],
    ['[a]\nhttp = http://a:1\n', 'nodes.ini:2 [a]: there is no key http'],
    ['[defaults]\nrol = x\n[a]\nrpc = http://a:1\n', 'nodes.ini:2 [defaults]: there is no key rol'],
    [
      '[defaults]\ntimeout = soon\n[a]\nrpc = http://a:1\n',
      'nodes.ini:2 [defaults]: timeout: soon is not a time',
    ],
    ['[a]\nrpc = http://a:1\nrole = vaildator\n', 'nodes.ini:3 [a]: role: there is no role vaildator'],
    ['[defaults]\nrole = x\n', 'nodes.ini lists no node'],
  ])('%j is refused', async (text, said) => {
    await expect(read(text)).rejects.toThrow(said);
  });
});

test('targets are read from stdin and from files, one on each line', async () => {
  const list = `# the fleet\n${urls.good}\n\n  ${urls.dead}  # gone\n`;
  const piped = await run(['node', 'audit', '-', '--format', 'json', '--exit-zero'], {
    cwd: folder,
    stdin: list,
  });
  expect(names(piped.out)).toEqual([urls.good, urls.dead]);
  writeFileSync(join(folder, 'list'), list);
  expect(names((await audit('--targets-from', 'list')).out)).toEqual([urls.good, urls.dead]);
  const empty = await run(['node', 'audit', '-'], { cwd: folder, stdin: '# none\n' });
  expect([empty.code, empty.err]).toEqual([
    2,
    'kaiactl: stdin names no target\n  Write one target per line.\n',
  ]);
});

test('the merged shards of a run equal the whole run', async () => {
  writeFileSync(join(folder, 'nodes.ini'), `[defaults]\nrpc = ${urls.dead}\n[en-[1:7]]\n`);
  const whole = await audit('--inventory', 'nodes.ini');
  for (const part of ['1/3', '2/3', '3/3'])
    await audit('--inventory', 'nodes.ini', '--shard', part, '--report', `json=${part[0]}.json`);
  const merged = await run(['report', 'merge', '1.json', '2.json', '3.json', '--format', 'json'], {
    cwd: folder,
  });
  expect(names(merged.out)).toEqual(names(whole.out));
  const empty = await audit('--inventory', 'nodes.ini', '--shard', '1/99');
  expect(names(empty.out)).toEqual([]);
});

test.each([
  [['--shard', '4/3'], '--shard 4/3 is not k/n'],
  [['--shard', '0/3'], '--shard 0/3 is not k/n'],
  [['--rate', '0'], '--rate 0 is not a number of nodes per second'],
])('%j is refused', async (words, said) => {
  const { code, err } = await audit(urls.dead, ...words);
  expect(code).toBe(2);
  expect(err).toContain(said);
});

describe('--rate', () => {
  test.each([1, 7, 50, 2.5])(
    'exactly %d requests start per second, while enough are queued',
    async (rate) => {
      let [now, waited] = [0, 0];
      const wait = async (ms: number) => {
        waited = ms;
      };
      const pace = paceAt(String(rate), new AbortController().signal, { now: () => now, wait });
      const begun: number[] = [];
      // Two bursts: the second is asked for long after the first has begun.
      for (now of [0, 100_000])
        for (let asked = 0; asked < 20; asked += 1) {
          waited = 0;
          await pace();
          begun.push(now + waited);
        }
      for (const from of begun) {
        const within = begun.filter((at) => at >= from && at < from + 999.999).length;
        expect(within).toBeLessThanOrEqual(Math.ceil(rate));
      }
      const lasts = (burst: readonly number[]) => (burst.at(-1) ?? 0) - (burst[0] ?? 0);
      for (const burst of [begun.slice(0, 20), begun.slice(20)])
        expect(lasts(burst)).toBeCloseTo((19 * 1000) / rate, 3);
    },
  );

  test('an interrupted audit contacts no target that it has not started', async () => {
    let asked = 0;
    const interrupt = new AbortController();
    const url = await serve(() => {
      asked += 1;
      interrupt.abort();
    });
    const targets = ['a', 'b', 'c'].map((path) => `${url}/${path}`);
    const { code, out } = await run(['node', 'audit', '--rate', '0.001', '--format', 'json', ...targets], {
      cwd: folder,
      signal: interrupt.signal,
    });
    expect(code).toBe(130);
    expect(names(out)).toEqual(targets);
    expect(asked).toBe(1);
  });
});

test('each node has the timeout of its section', async () => {
  const nodes = [`[quick]\nrpc = ${urls.mute}\ntimeout = 50ms\n`, `[patient]\nrpc = ${urls.mute}\n`];
  writeFileSync(join(folder, 'nodes.ini'), `[defaults]\ntimeout = 150ms\n${nodes.join('')}`);
  const { out } = await audit('--inventory', 'nodes.ini', '--timeout', '1m');
  const reasons = expectValid(out).targets.map(({ name, interfaces }) => [name, interfaces[0]?.reason]);
  expect(reasons).toEqual([
    ['quick', 'no answer within 50 ms'],
    ['patient', 'no answer within 150 ms'],
  ]);
});

test(`${size} endpoints, a third of them dead, slow or hostile, to a valid report in their order`, async () => {
  const kinds = [
    'good',
    'good',
    'good',
    'good',
    'dead',
    'mute',
    'good',
    'good',
    'flood',
    'garbage',
    'good',
    'good',
  ] as const;
  const expected = Array.from({ length: size }, (_, at) => kinds[at % kinds.length] ?? 'good');
  // Only silence comes to its deadline: the others have more time than any machine takes.
  const timeoutOf = (kind: string) => (kind === 'mute' ? '200ms' : '10m');
  const sections = expected.map(
    (kind, at) => `[n${at}-${kind}]\nrpc = ${urls[kind]}\ntimeout = ${timeoutOf(kind)}\n`,
  );
  writeFileSync(join(folder, 'nodes.ini'), sections.join(''));
  const fleet = ['--inventory', 'nodes.ini', '--concurrency', '32', '--report', 'json=all.json'];
  const { err } = await audit(...fleet);
  expect(err).not.toContain('defect');
  const { targets, summary } = expectValid(readFileSync(join(folder, 'all.json'), 'utf8'));
  expect(summary.targets).toBe(size);
  expect(targets.map(({ name }) => name)).toEqual(expected.map((kind, at) => `n${at}-${kind}`));
  for (const { name, interfaces } of targets)
    if (!name.endsWith('good')) expect([name, interfaces[0]?.state]).not.toEqual([name, 'open']);
  for (const { name, interfaces } of targets.filter((one) => one.name.endsWith('mute')))
    expect([name, interfaces[0]?.reason]).toEqual([name, 'no answer within 200 ms']);
  const open = targets.filter(({ interfaces }) => interfaces[0]?.state === 'open');
  expect(open.length).toBe(expected.filter((kind) => kind === 'good').length);
}, 600_000);
