/** Finding the node's process in a made-up /proc. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { judge } from '../../../../src/node/judge/judge.js';
import { driftOf } from '../../../../src/node/judge/overview/drift.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { machineOf } from '../../../../src/node/probe/local/machine.js';
import { findProcess } from '../../../../src/node/probe/local/process.js';
import { pendingRestart } from '../../../../src/node/rules/pending-restart.js';
import { readConf } from '../../editables.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-proc-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(pid: number, ...argv: string[]): void {
  mkdirSync(join(folder, 'proc', String(pid)), { recursive: true });
  writeFileSync(join(folder, 'proc', String(pid), 'cmdline'), argv.map((word) => `${word}\0`).join(''));
}

function conf(api: string) {
  const text = `NETWORK=mainnet\nRPC_ENABLE=1\nRPC_API="${api}"\nDATA_DIR=${folder}/data\nLOG_DIR=${folder}\n`;
  return readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' }).settings;
}

const find = (api = 'klay,eth') =>
  findProcess(
    withKind(kinds, conf(api)),
    machineOf({ proc: join(folder, 'proc'), platform: 'linux', kinds }).processes(),
  );
const node = () => [
  '/opt/bin/ken',
  '--rpc',
  '--rpcapi',
  'klay,eth',
  '--mainnet',
  '--datadir',
  `${folder}/data`,
];
const own = ['--autorestart.daemon.path', '/opt/bin/kend', '--log.file', '/x/kend.out'];

test('the process is found by the launcher’s pid file', () => {
  run(7, '/opt/bin/ken', '--rpc');
  writeFileSync(join(folder, 'data', 'kend.pid'), '7\n');
  expect(find()).toMatchObject({ state: 'seen', value: { pid: 7, argv: ['/opt/bin/ken', '--rpc'] } });
});

test.each(['--datadir', '-datadir', '--common.datadir'])(
  'by the data folder behind %s, apart or joined',
  (flag) => {
    run(3, '/opt/bin/ken', flag, `${folder}/other`);
    run(4, '/opt/bin/ken', flag, `${folder}/data`);
    expect(find()).toMatchObject({ state: 'seen', value: { pid: 4 } });
    run(4, '/opt/bin/ken', '--rpc', `${flag}=${folder}/data`);
    expect(find()).toMatchObject({ state: 'seen', value: { pid: 4 } });
    run(4, '/opt/bin/kcn', flag, `${folder}/data`);
    run(5, '/opt/bin/ken', '--rpc', flag);
    expect(find()).toMatchObject({ code: 'not-found' });
  },
);

test.each([
  ['a blank line around it', '\n 7 \n', true],
  ['a word behind it', '7 x', false],
  ['a sign', '-7', false],
  ['more than a number', `7${' '.repeat(64)}`, false],
  ['two numbers', '7\n8', false],
])('a pid file with %s is ignored', (_, text, believed) => {
  run(7, '/opt/bin/ken', '--rpc');
  writeFileSync(join(folder, 'data', 'kend.pid'), text);
  expect(find().state).toBe(believed ? 'seen' : 'not-seen');
});

test('a pid that another program took over is ignored, and the data folder finds the node', () => {
  run(7, '/usr/bin/vim', 'kend.conf');
  run(8, '/opt/bin/ken', '--datadir', '/other');
  run(9, ...node());
  writeFileSync(join(folder, 'data', 'kend.pid'), '7');
  expect(find()).toMatchObject({ state: 'seen', value: { pid: 9 } });
});

test.each([
  ['9 (ken) S', 1_700_000_012_340],
  ['9 (a) b (c)) S', 1_700_000_012_340],
  ['', null],
])('the start time of a process whose stat begins with %j', (head, startedAt) => {
  run(9, ...node());
  writeFileSync(join(folder, 'proc', 'stat'), 'cpu 1 2\nbtime 1700000000\nprocesses 9\n');
  if (head !== '') writeFileSync(join(folder, 'proc', '9', 'stat'), `${head}${' 1'.repeat(18)} 1234 5\n`);
  expect(find()).toMatchObject({ state: 'seen', value: { startedAt } });
});

test('secrets on the command line are masked', () => {
  run(9, ...node(), '--nodekeyhex', 'c0ffee', '--kas.secretkey=abc');
  expect(JSON.stringify(find())).not.toMatch(/c0ffee|abc/);
});

test.each(['x', '', '99999999999', '-1'])('a pid file that holds %j finds nothing', (text) => {
  writeFileSync(join(folder, 'data', 'kend.pid'), text);
  expect(find()).toMatchObject({ state: 'not-seen', code: 'not-found' });
});

test('the check does not apply outside of Linux', () => {
  expect(
    findProcess(
      withKind(kinds, conf('klay')),
      machineOf({ proc: join(folder, 'proc'), platform: 'win32', kinds }).processes(),
    ),
  ).toMatchObject({
    code: 'not-applicable',
  });
});

function facts(api: string) {
  const live = { endpoints: [], metrics: [], sockets: [], process: find(api) };
  return {
    name: 'en',
    role: null,
    conf: seen({ settings: conf(api), shell: null }),
    live,
    gatheredAt: '2026-02-11T00:00:00.000Z',
  };
}

test('a process that runs as the conf says shows no drift', () => {
  run(9, ...node(), ...own);
  expect(driftOf(facts('klay,eth'), kinds)).toEqual([]);
  expect(judge(facts('klay,eth'), [pendingRestart], kinds)[0]?.verdict).toBe('pass');
});

test('a conf edited since the start yields pending-restart', () => {
  run(9, ...node(), ...own);
  expect(driftOf(facts('klay,eth,debug'), kinds)).toEqual([
    { setting: 'RPC_API', conf: 'klay,eth,debug', process: 'klay,eth', node: null, note: 'restart pending' },
  ]);
  expect(judge(facts('klay,eth,debug'), [pendingRestart], kinds)[0]?.verdict).toBe('fail');
});

test('a process that does not show leaves the question of a restart open, once, and says how to see it', () => {
  expect(judge(facts('klay'), [pendingRestart], kinds)[0]).toMatchObject({
    verdict: 'undetermined',
    open: [{ code: 'not-found', reason: expect.stringContaining('pid:<n>') }],
  });
  const without = {
    ...facts('klay'),
    live: { endpoints: [], metrics: [], sockets: [], process: notSeen('not-asked', 'not asked') },
  };
  expect(driftOf(without, kinds)).toEqual([]);
  expect(judge(without, [pendingRestart], kinds)[0]?.verdict).toBe('not-applicable');
});

test('only the environment variables that the node reads are kept', () => {
  run(4, ...node());
  const lines = [
    'KAIA_RPC=1',
    'KLAYTN_X_1=a=b',
    'MY_KAIA_RPC=1',
    'KAIA_=1',
    'kaia_x=1',
    'HOME=/root',
    'KAIA_NO',
  ];
  writeFileSync(join(folder, 'proc', '4', 'environ'), lines.map((line) => `${line}\0`).join(''));
  const found = find();
  expect(found).toMatchObject({ state: 'seen' });
  if (found.state !== 'seen') return;
  expect(found.value.environment).toEqual(seen({ KAIA_RPC: '1', KLAYTN_X_1: 'a=b' }));
});

test('a container’s node with the same data folder comes second', () => {
  run(4, ...node());
  run(5, ...node());
  mkdirSync(join(folder, 'jail'));
  symlinkSync(join(folder, 'jail'), join(folder, 'proc', '4', 'root'));
  expect(find()).toMatchObject({ state: 'seen', value: { pid: 5 } });
  writeFileSync(join(folder, 'data', 'kend.pid'), '4');
  expect(find()).toMatchObject({ state: 'seen', value: { pid: 5 } });
});

test('the processes of a machine are told apart once for all confs', () => {
  for (let pid = 1; pid <= 20; pid += 1) run(pid, '/opt/bin/ken', '--datadir', `${folder}/${pid}`);
  run(21, ...node());
  const settings = withKind(kinds, conf('klay'));
  const nodes = machineOf({ proc: join(folder, 'proc'), platform: 'linux', kinds }).processes();
  const asked = vi.spyOn(settings.nodeKind, 'launcherOf');
  for (let at = 0; at < 10; at += 1)
    expect(findProcess(settings, nodes)).toMatchObject({ state: 'seen', value: { pid: 21 } });
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2 * 21);
  asked.mockRestore();
});
