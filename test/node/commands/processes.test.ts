/** Nodes of a made-up /proc, with the confs that their launchers read, and platforms without one. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  foundLine,
  machineOfHost,
  processTarget,
  runningTargets,
} from '../../../src/node/commands/processes.js';
import type { Report } from '../../../src/node/facts/report.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Machine } from '../../../src/node/probe/index.js';
import { expectValid } from '../../peers/report.js';
import { withNode } from '../../peers/shape.js';
import { kaiactl } from '../live.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-processes-'));
  mkdirSync(join(folder, 'proc'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A process with these words, and with sockets at these ports of 127.0.0.1. */
function running(pid: number, words: readonly string[], ports: readonly number[] = []): void {
  const own = join(folder, 'proc', `${pid}`);
  write(join(own, 'cmdline'), words.map((word) => `${word}\0`).join(''));
  write(join(own, 'exe'), 'not a Go program');
  mkdirSync(join(own, 'fd'));
  const lines = ports.map((port, fd) => {
    symlinkSync(`socket:[${pid}${fd}]`, join(own, 'fd', `${fd}`));
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    return ` 0: 0100007F:${hex} 00000000:0000 0A 0:0 0:0 0 0 0 ${pid}${fd}\n`;
  });
  write(join(own, 'net', 'tcp'), `head\n${lines.join('')}`);
}

const host = () => ({
  cwd: folder,
  stdin: process.stdin,
  signal: new AbortController().signal,
  platform: 'linux',
  proc: join(folder, 'proc'),
});
const targetsHere = (options = {}) =>
  runningTargets(options, machineOfHost(host() as never), host() as never);
const audit = (...words: string[]) => kaiactl(['node', 'audit', ...words], { proc: join(folder, 'proc') });

const confText = 'NETWORK=mainnet\nRPC_ENABLE=0\nWS_ENABLE=0\nDATA_DIR=/nowhere/data\nLOG_DIR=/nowhere\n';
const started = (name = 'kend') => ['--autorestart.daemon.path', join(folder, 'pkg', 'bin', name)];

describe('an audit without a target', () => {
  test('names what it looked for where no node runs', async () => {
    running(7, ['/usr/bin/vim', 'ken']);
    const { code, stdout, stderr } = await audit();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^kaiactl: no node was found on this machine\n {2}looked through the processes in \/.*\/proc: no process runs one of: .*\bken\b.*\n {2}Name one: an endpoint /,
    );
  });

  test('begins with the nodes, on stdout only where the report is one text of one node', async () => {
    const conf = write(join(folder, 'pkg', 'conf', 'kend.conf'), confText);
    running(9, ['ken', '--ipcdisable', ...started()]);
    running(11, ['anvil'], [8545]);
    const line = `1 node on this machine: ${conf} (ken, pid 9)\n`;
    const note = 'kaiactl: anvil runs here, on loopback only · not judged\n';
    const one = await audit();
    expect([one.stdout.startsWith(line), one.stderr]).toEqual([true, note]);
    expect(await audit('--format', 'concise')).toMatchObject({ stderr: line + note });
    running(12, ['ken', '--datadir', '/nowhere/en', '--ipcdisable']);
    const both = await audit();
    expect(both.stdout).not.toContain('on this machine');
    expect(both.stderr).toBe(note);
    const { stderr } = await audit('--format', 'json');
    expect(stderr).toBe(`2 nodes on this machine: ${conf} (ken, pid 9), ken /nowhere/en (pid 12)\n${note}`);
    expect((await audit('http://127.0.0.1:1')).stderr).toBe('');
    write(join(folder, 'none.txt'), 'http://127.0.0.1:1\n');
    write(join(folder, 'nodes.ini'), '[a]\nrpc = http://127.0.0.1:1\n');
    expect((await audit('--targets-from', join(folder, 'none.txt'))).stderr).toBe('');
    expect((await audit('--inventory', join(folder, 'nodes.ini'))).stderr).toBe('');
  });

  test('judges a node by its sockets, and the conf of its launcher beside them', async () => {
    write(join(folder, 'pkg', 'conf', 'kend.conf'), confText);
    await withNode(
      (shape) => ({ ...shape, ws: null, ipc: null }),
      async ({ http }) => {
        running(9, ['ken', '--ipcdisable', ...started()], [Number(new URL(http ?? '').port)]);
        const [target] = expectValid((await audit('--format', 'json')).stdout).targets;
        expect(target?.conf).toMatchObject({ launcher: 'kend', package: 'tar' });
        expect(target?.findings).toContainEqual(
          expect.objectContaining({ rule: 'undeclared-interface', subject: http }),
        );
      },
    );
  });
});

describe('a machine', () => {
  const machine = (over: object, place = { proc: '/p', platform: 'linux' }) =>
    ({
      place,
      running: () => seen({ nodes: [], others: [], hidden: null, unreadPrograms: 0, ...over }),
      processes: () => seen([]),
    }) as unknown as Machine;
  const targetsOf = (over: object, how = {}) => runningTargets({}, machine(over), host() as never, how);

  test('of which processes are hidden has a target for them, and the line says it', async () => {
    const hidden = notSeen('not-permitted', 'hidepid');
    const targets = await targetsOf({ hidden });
    expect(targets).toEqual([
      {
        name: 'this machine',
        role: null,
        conf: null,
        endpoints: [],
        metrics: [],
        open: { unseen: hidden },
      },
    ]);
    expect(foundLine(targets)).toBe('0 nodes on this machine, as far as its processes can be seen\n');
    running(9, ['ken', '--datadir', '/d']);
    expect(foundLine([...(await targetsHere()), ...targets])).toBe(
      '1 node on this machine, as far as its processes can be seen: ken /d (pid 9)\n',
    );
  });

  test('without a node is refused, unless it may be without one', async () => {
    await expect(targetsOf({ unreadPrograms: 2 })).rejects.toMatchObject({
      notes: [
        expect.stringMatching(/^looked through the processes in \/p: no process runs one of: /),
        '2 programs of other users could not be read: a renamed node is not found; run as root',
      ],
    });
    await expect(targetsOf({})).rejects.toMatchObject({ notes: [expect.any(String)] });
    expect(await targetsOf({}, { mayBeNone: true })).toEqual([]);
  });

  test('with another client alone is not refused', async () => {
    running(11, ['anvil', '--host', '0.0.0.0'], []);
    expect(await targetsHere()).toEqual([]);
  });
});

describe('pid:<n>', () => {
  const target = (pid: number) => processTarget(pid, {}, machineOfHost(host() as never), host() as never);

  test.each([
    ['not a node', true, [], /^A node is one of: .*\bken\b/],
    [
      'not a node by its name',
      false,
      ['its program, which would tell, was not read: no such file'],
      /^Run kaiactl as root or as the user of the process\.$/,
    ],
  ])('another program is %s', async (known, isRead, notes, hint) => {
    running(7, ['/usr/bin/v\u001bim']);
    if (!isRead) rmSync(join(folder, 'proc', '7', 'exe'));
    await expect(target(7)).rejects.toMatchObject({
      message: `process 7 is v\\u{1b}im, ${known}`,
      notes,
      hint: expect.stringMatching(hint),
    });
  });

  test('a missing process is refused with how to list them', async () => {
    await expect(target(8)).rejects.toMatchObject({
      message: 'no process 8 can be read on this machine',
      hint: 'List them with kaiactl node audit.',
    });
  });

  test('a node without a conf has the settings of its command line', async () => {
    running(9, ['ken', '--datadir', '/d']);
    expect(await target(9)).toMatchObject({ name: 'ken /d', conf: null, endpoints: [], metrics: [] });
  });

  test('a conf that cannot be read leaves the node without one', async () => {
    mkdirSync(join(folder, 'pkg', 'conf', 'kend.conf'), { recursive: true });
    running(9, ['ken', ...started()]);
    const found = await target(9);
    expect([found.name, found.conf]).toEqual([join(folder, 'pkg', 'conf', 'kend.conf'), null]);
  });

  test.each([
    ['kend', {}, 'kend tar'],
    ['ksend', {}, 'ksend tar'],
    ['kend', { launcher: 'kcnd', package: 'rpm' }, 'kcnd rpm'],
  ])('the conf of the launcher %s with the options %j is read as %s', async (name, options, as) => {
    const conf = write(
      join(folder, 'pkg', 'conf', `${name}.conf`),
      confText.replace('RPC_ENABLE=0', 'RPC_ENABLE=1\nMETRICS=1\nPROMETHEUS=1'),
    );
    running(9, [name === 'kend' ? 'ken' : 'kscn', '--datadir', '/d', ...started(name)]);
    const [found] = await targetsHere(options);
    const settings = found?.conf?.state === 'seen' ? found.conf.value.settings : null;
    expect([found?.name, `${settings?.launcher} ${settings?.package}`]).toEqual([conf, as]);
    expect(found?.metrics).toHaveLength(1);
    expect(found?.endpoints.map(({ address }) => address.endpoint.kind)).toEqual(['http', 'ws', 'ipc']);
  });
});

/** A node of the made-up /proc whose root folder is another. */
function container(): string {
  const root = join(folder, 'rootfs');
  const own = join(folder, 'proc', '9');
  running(9, ['/klaytn-docker-pkg/bin/ken', '--datadir', '/klaytn', '--rpc']);
  write(join(own, 'cgroup'), `0::/docker/${'3f'.repeat(32)}\n`);
  symlinkSync(root, join(own, 'root'));
  for (const [at, id] of [
    ['self', 1],
    ['9', 2],
  ]) {
    mkdirSync(join(folder, 'proc', `${at}`, 'ns'), { recursive: true });
    symlinkSync(`net:[${id}]`, join(folder, 'proc', `${at}`, 'ns', 'net'));
  }
  mkdirSync(root, { recursive: true });
  return root;
}

test.each([
  ['klaytn-docker-pkg/conf', 'tar'],
  ['etc/kend/conf', 'rpm'],
])('a container’s conf in %s is read through the root of its process', async (at, from) => {
  write(join(container(), at, 'kend.conf'), confText.replace('RPC_ENABLE=0', 'RPC_ENABLE=1'));
  const targets = await targetsHere();
  const name = `3f3f3f3f3f3f:/${at}/kend.conf`;
  expect(targets).toMatchObject([
    { name, conf: { state: 'seen', value: { settings: { package: from, source: { path: name } } } } },
  ]);
  expect(targets[0]?.endpoints.map(({ address }) => address.endpoint.kind)).toEqual(['http', 'ws']);
  expect(foundLine(targets)).toBe(`1 node on this machine: ${name} (ken, pid 9)\n`);
});

test('a link in a container leads nowhere outside it', async () => {
  const root = container();
  write(join(folder, 'outside.conf'), confText);
  mkdirSync(join(root, 'klaytn-docker-pkg', 'conf'), { recursive: true });
  symlinkSync(join(folder, 'outside.conf'), join(root, 'klaytn-docker-pkg', 'conf', 'kend.conf'));
  expect(await targetsHere()).toMatchObject([{ name: 'ken /klaytn', conf: null }]);
});

test.each([[[]], [['pid:7']]])(
  'except on Linux, %j is answered with what to name instead',
  async (targets) => {
    const { code, stderr } = await kaiactl(['node', 'audit', ...targets], { platform: 'darwin' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/the process table is read on Linux only\n {2}Name an endpoint /);
    expect(stderr).not.toContain('/proc');
  },
);

describe.each(['darwin', 'win32'] as const)('on %s', (platform) => {
  test('URLs, sockets and confs are audited, and that processes are not looked at is said', async () => {
    await withNode(
      (shape) => shape,
      async ({ http, ipc }) => {
        const port = new URL(http ?? '').port;
        const lines = ['RPC_ENABLE=1', 'RPC_ADDR=127.0.0.1', `RPC_PORT=${port}`, 'RPC_API=eth,kaia,net,web3'];
        const conf = write(join(folder, 'kend.conf'), confText.replace('RPC_ENABLE=0', lines.join('\n')));
        for (const target of [http ?? '', ipc ?? '', conf]) {
          const { stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', target], {
            platform,
          });
          const [found] = (expectValid(stdout) as Report).targets;
          expect(found?.interfaces.some(({ state }) => state === 'open')).toBe(true);
          expect(found).not.toHaveProperty('process');
          expect(found?.notLookedAt).toContain('the process’s sockets');
          expect(stderr).toContain('kaiactl: processes are read on Linux only: ');
          expect(stderr).not.toContain('no node was found');
        }
      },
    );
  });

  test('an audit of another machine does not mention processes', async () => {
    const { stderr } = await kaiactl(['node', 'audit', '--timeout', '10ms', 'http://192.0.2.1:8551'], {
      platform,
    });
    expect(stderr).not.toContain('Linux only');
  });

  test('a watch of this machine is refused', async () => {
    const { code, stderr } = await kaiactl(['node', 'watch'], { platform });
    expect(code).toBe(2);
    expect(stderr).toContain('the process table is read on Linux only');
  });
});
