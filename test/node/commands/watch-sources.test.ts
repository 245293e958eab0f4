/** The sources of a watch: read once at its start, and again in every round. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KaiactlError } from '../../../src/errors.js';
import { machineOfHost } from '../../../src/node/commands/processes.js';
import { isOfMachine } from '../../../src/node/commands/targets.js';
import { sourcesOf, unseenReport } from '../../../src/node/commands/watch-sources.js';
import type { Target } from '../../../src/node/probe/index.js';
import { collector } from '../../peers/outcome.js';
import { expectValid } from '../../peers/report.js';
import { reportOf, targetOf } from '../report/reports.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-sources-'));
  mkdirSync(join(folder, 'proc'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
function running(pid: number, ...words: readonly string[]): void {
  mkdirSync(join(folder, 'proc', `${pid}`), { recursive: true });
  put(`proc/${pid}/cmdline`, words.map((word) => `${word}\0`).join(''));
}

const hostOf = (stdin: string, env = {}) =>
  ({
    cwd: folder,
    env,
    platform: 'linux',
    proc: join(folder, 'proc'),
    now: () => 0,
    stdin: Readable.from([Buffer.from(stdin)]),
    signal: new AbortController().signal,
  }) as never;

const told = ({ name, conf, process, open }: Target) =>
  [
    name,
    ...(conf?.state === 'not-seen' ? [conf.detail] : []),
    ...(process === undefined ? [] : [`pid ${process.pid}`]),
    ...(open === undefined ? [] : ['open']),
  ].join(': ');

/** The sources with these options, read again by each call. */
async function watched(options: object, stdin = '', env = {}) {
  const host = hostOf(stdin, env);
  const sources = await sourcesOf({ targets: [], timeout: '5s', ...options } as never, host);
  return async () => (await sources.read(machineOfHost(host))).map(told);
}

test('targets that would share a name are told apart', async () => {
  put('list', 'http://h/v2/KEYKEYKEY2\nhttp://h/v2/KEYKEYKEY3\n');
  const names = await watched({ targets: ['http://h/v2/KEYKEYKEY1'], targetsFrom: 'list' });
  expect(await names()).toEqual(['http://h/v2/…', 'http://h/v2/… (2)', 'http://h/v2/… (3)']);
});

test('how a file is read is said once, not in every round', async () => {
  put('nodes.ini', '[d]\nrpc = http://d:1\n');
  const { stream, text } = collector();
  const host = { ...(hostOf('') as object), stderr: stream } as never;
  const sources = await sourcesOf({ targets: ['nodes.ini'], timeout: '5s' } as never, host);
  for (const _round of [1, 2]) await sources.read(machineOfHost(host));
  expect(text()).toBe('kaiactl: nodes.ini is read as an inventory (--inventory)\n');
});

test('words, a list and an inventory are read in that order, and anew in each round', async () => {
  put('list', 'http://c:1\n');
  put('nodes.ini', '[d]\nrpc = http://d:1\n');
  const read = await watched({
    targets: ['http://a:1', 'http://b:1'],
    targetsFrom: 'list',
    inventory: 'nodes.ini',
  });
  expect(await read()).toEqual(['http://a:1', 'http://b:1', 'http://c:1', 'd']);
  put('list', 'http://c:2\nhttp://c:3\n');
  rmSync(join(folder, 'nodes.ini'));
  const lost = 'cannot read the inventory';
  expect(await read()).toEqual([
    'http://a:1',
    'http://b:1',
    'http://c:2',
    'http://c:3',
    'd',
    expect.stringMatching(`^nodes\\.ini: ${lost}`),
  ]);
  put('nodes.ini', '[d]\nrpc = http://d:1\n');
  expect((await read()).slice(4)).toEqual(['d']);
});

test('a list on stdin is read once', async () => {
  const read = await watched({ targetsFrom: '-', inventory: undefined }, 'http://a:1\nhttp://b:1\n');
  expect(await read()).toEqual(['http://a:1', 'http://b:1']);
  expect(await read()).toEqual(['http://a:1', 'http://b:1']);
});

test.each([
  [{ targets: ['-'] }, {}, '- cannot be watched: stdin can be read only once'],
  [{ targets: ['http://h:x'] }, {}, 'is not a URL'],
  [{ targetsFrom: 'none' }, {}, 'cannot read the targets from none'],
  [{ targets: ['https://a:1'] }, { HTTPS_PROXY: 'socks5://p:1' }, 'HTTPS_PROXY names a socks5 proxy'],
])('%j is refused at the start', async (options, env, message) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  await expect(watched(options, '', env)).rejects.toThrow(message);
});

test('an ipc socket needs no proxy', async () => {
  vi.stubEnv('HTTPS_PROXY', 'socks5://p:1');
  const read = await watched({ targets: ['ipc:/d/klay.ipc'] }, '', { HTTPS_PROXY: 'socks5://p:1' });
  expect(await read()).toEqual(['ipc:/d/klay.ipc']);
});

test('a process that has ended is not seen under its name, which its pid does not replace', async () => {
  running(9, 'ken', '--datadir', '/d');
  const read = await watched({ targets: ['pid:9'] });
  expect(await read()).toEqual(['ken /d: pid 9']);
  rmSync(join(folder, 'proc', '9'), { recursive: true });
  const ended = 'no process 9 can be read on this machine';
  expect(await read()).toEqual([`ken /d: ${ended}`]);
  expect(await read()).toEqual([`ken /d: ${ended}`]);
  running(9, 'ken', '--datadir', '/e');
  expect(await read()).toEqual(['ken /e: pid 9']);
});

test('a machine may be without a node, and its processes are not seen when the table cannot be read', async () => {
  const read = await watched({});
  expect(await read()).toEqual([]);
  running(9, 'ken', '--datadir', '/d');
  expect(await read()).toEqual(['ken /d: pid 9']);
  rmSync(join(folder, 'proc'), { recursive: true });
  expect(await read()).toEqual([
    expect.stringMatching(/^ken \/d: cannot look for nodes on this machine: /),
    expect.stringMatching(/^this machine: cannot look for nodes on this machine: /),
  ]);
  expect(await read()).toHaveLength(2);
});

test.each([
  [{}, true],
  [{ targets: ['a'] }, false],
  [{ targetsFrom: 'a' }, false],
  [{ inventory: 'a' }, false],
])('%j watches the machine: %s', (options, is) => {
  expect(isOfMachine({ targets: [], ...options } as never)).toBe(is);
});

const plain = (what: string) => what;
const at = Date.UTC(2026, 1, 11);

test('without an earlier report, a round that fails is one target with the reason', () => {
  const report = expectValid(JSON.stringify(unseenReport(null, new KaiactlError('the policy is gone'), at)));
  expect(report).toMatchObject({ exitCode: 0, failOn: 'high', startedAt: '2026-02-11T00:00:00.000Z' });
  expect(report.targets).toEqual([
    {
      name: 'watch',
      role: null,
      conf: null,
      interfaces: [],
      findings: [],
      verdict: 'undetermined',
      undetermined: [{ rule: 'gather', code: 'unreadable', about: null, reason: 'the policy is gone' }],
    },
  ]);
});

test('a round that fails keeps the names of the targets, and what is known of those that are down', () => {
  const process = { pid: 9, program: 'ken', dataDir: '/d', startedAt: null };
  const { last: _, ...up } = targetOf(plain, 'a', { role: 'validator' });
  const down = { ...targetOf(plain, 'b'), last: up };
  const before = { ...reportOf([up, down, { ...up, name: 'c', process }]), failOn: 'low' as const };
  const report = unseenReport(before, new TypeError('x is not a function'), at);
  const [a, b, c] = report.targets;
  expect(report.failOn).toBe('low');
  expect(a).toMatchObject({ name: 'a', role: 'validator', findings: [], verdict: 'undetermined' });
  expect(a?.undetermined).toEqual([
    {
      rule: 'gather',
      code: 'defect',
      about: null,
      defect: true,
      reason: expect.stringContaining('x is not a function'),
    },
  ]);
  expect(a).not.toHaveProperty('process');
  expect(b).toBe(down);
  expect(c).toMatchObject({ name: 'c', process });
});
