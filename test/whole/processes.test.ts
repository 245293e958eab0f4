/** Nodes that nobody named: found by their processes, with the confs their launchers read. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { kaiactl } from '../node/live.js';
import { childNode, closeChildren, dockerProxy, simulatedChild } from '../peers/child-node.js';
import { freePort } from '../peers/free-port.js';
import { renamedKen } from '../peers/go-program.js';
import { expectValid } from '../peers/report.js';

const program = new URL('../../bin/kaiactl.js', import.meta.url).pathname;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-processes-'));
});
afterEach(async () => {
  await closeChildren();
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const confText = 'NETWORK=mainnet\nRPC_ENABLE=0\nWS_ENABLE=0\nDATA_DIR=/nowhere/data\nLOG_DIR=/nowhere\n';
const started = () => [
  '--datadir',
  '/nowhere/data',
  '--autorestart.daemon.path',
  join(folder, 'bin', 'kend'),
];

describe.skipIf(process.platform !== 'linux')('on Linux (skipped elsewhere: there is no /proc)', () => {
  test('without a target every node is audited with its launcher’s conf and how it was found', async () => {
    const conf = write(join(folder, 'conf', 'kend.conf'), confText);
    const { pid, ports } = await childNode(['127.0.0.1:0'], started(), { modules: 'personal,kaia' });
    const json = await kaiactl(['node', 'audit', '--format', 'json']);
    const report: Report = expectValid(json.stdout);
    expect(json.stderr).toMatch(/^\d+ nodes? on this machine: /);
    expect(json.stderr).toContain(`${conf} (ken, pid ${pid})`);
    const target = report.targets.find(({ name }) => name === conf);
    expect(target?.conf).toMatchObject({ path: conf, launcher: 'kend', package: 'tar' });
    expect(target?.findings).toContainEqual(
      expect.objectContaining({ rule: 'undeclared-interface', subject: `http://127.0.0.1:${ports[0]}` }),
    );
  });

  test('a renamed node is found by the build information of its program; a command is no node', async () => {
    const ken = renamedKen('kaia-en');
    const start = (argv0: string, ...words: string[]) => spawn(ken.path, words, { argv0, stdio: 'ignore' });
    const [node, command] = [start('kaia-en', '600'), start('ken', 'attach')];
    try {
      await Promise.all([node, command].map((one) => once(one, 'spawn')));
      const { stderr } = await kaiactl(['node', 'audit', '--format', 'json']);
      expect(stderr).toMatch(new RegExp(`kaia-en of [^(]+ \\((?:\\d+\\) \\()?pid ${node.pid}\\)`));
      expect(stderr).not.toContain(`pid ${command.pid})`);
      const json = await kaiactl(['node', 'audit', '--format', 'json', `pid:${node.pid}`]);
      expect(expectValid(json.stdout).targets[0]).toMatchObject({
        kind: 'kaia',
        kindBy: 'build',
        release: { value: 'kaia/v2.2.1', by: 'build' },
        conf: { launcher: 'kend' },
      });
    } finally {
      node.kill('SIGKILL');
      command.kill('SIGKILL');
      ken.remove();
    }
  });

  test('a profiler that no settings open is found at the sockets of the process', async () => {
    const { pid, ports } = await childNode(['127.0.0.1:0'], ['--rpc'], { profiler: ['127.0.0.1:0'] });
    const url = `http://127.0.0.1:${ports[1]}`;
    const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', `pid:${pid}`]);
    const target = (expectValid(stdout) as Report).targets[0];
    expect(target?.findings.filter(({ rule }) => rule === 'open-profiler')).toMatchObject([
      {
        subject: 'pprof',
        at: { endpoint: url },
        fix: expect.stringContaining('debug.stopPProf over IPC'),
        evidence: { reach: 'loopback', proven: true },
      },
    ]);
    expect(target?.undetermined.filter(({ about }) => about?.startsWith('port ') === true)).toEqual([]);
    const plan = (await kaiactl(['node', 'audit', '--plan', `pid:${pid}`])).stdout;
    expect(plan).toContain(`${url}\n  rpc_modules []\n`);
    expect(plan).toMatch(/^ {2}GET \/debug\/pprof\/, first 512 bytes +if neither http nor ws answers$/m);
  });

  test('pid:<n> names one; without a conf its command line is the source of the settings', async () => {
    const { pid, ports } = await childNode(['127.0.0.1:0'], ['--rpc', '--rpcapi', 'kaia,personal']);
    const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', `pid:${pid}`]);
    const [target] = expectValid(stdout).targets as Report['targets'];
    expect(target?.name).toMatch(/^ken of /);
    expect(target?.interfaces.some(({ endpoint }) => endpoint.endsWith(`:${ports[0]}`))).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')(
  'nodes that share a port number (skipped elsewhere than on Linux)',
  () => {
    const audited = async (target: string) => {
      const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', target]);
      return (expectValid(stdout) as Report).targets[0];
    };

    test('each is judged by its own process and IPC', async () => {
      const port = await freePort();
      const words = (name: string) => ['--rpc', '--rpcport', `${port}`, '--datadir', join(folder, name)];
      const one = await childNode([`127.0.0.1:${port}`], words('one'));
      const two = await childNode([`127.0.0.2:${port}`], [...words('two'), '--rpcaddr', '127.0.0.2']);
      for (const [host, { pid }, name] of [
        ['127.0.0.1', one, 'one'],
        ['127.0.0.2', two, 'two'],
      ] as const) {
        const target = await audited(`http://${host}:${port}`);
        expect(target?.process).toMatchObject({ pid, dataDir: join(folder, name) });
        const ipc = target?.interfaces.find(({ transport }) => transport === 'ipc');
        expect(ipc?.endpoint).toBe(`ipc:${join(folder, name, 'klay.ipc')}`);
        const [http, ...others] = target?.interfaces.filter(({ transport }) => transport === 'http') ?? [];
        expect(http).toMatchObject({ endpoint: `http://${host}:${port}`, state: 'open', bind: [host] });
        expect(others).toEqual([]);
      }
    });

    test('an account that the second node’s IPC tells is found at the second node alone', async () => {
      const port = await freePort();
      const account = '0x71562b71999873db5b286df957af199ec94617f7';
      const start = (name: string, host: string, unlocked: string[]) => {
        const data = join(folder, name);
        mkdirSync(data);
        const words = ['--rpc', '--rpcaddr', host, '--rpcport', `${port}`, '--datadir', data];
        const shown = { modules: 'kaia,personal', unlocked, ipc: [join(data, 'klay.ipc')] };
        return childNode([`${host}:${port}`], words, shown);
      };
      await start('one', '127.0.0.1', []);
      await start('two', '127.0.0.2', [account]);
      const unlockedAt = async (target: string) =>
        (await audited(target))?.findings.filter(({ rule }) => rule === 'unlocked-account') ?? [];
      expect(await unlockedAt(`http://127.0.0.1:${port}`)).toEqual([]);
      expect(await unlockedAt(`http://127.0.0.2:${port}`)).toMatchObject([
        { message: expect.stringContaining(account) },
      ]);
    });

    test('a second address of a port that the settings open is found and asked', async () => {
      const port = await freePort();
      const words = ['--rpc', '--rpcaddr', '127.0.0.1', '--rpcport', `${port}`, '--ipcdisable'];
      const { pid } = await childNode([`127.0.0.1:${port}`, `127.0.0.2:${port}`], words, {
        modules: 'personal',
      });
      const target = await audited(`pid:${pid}`);
      const second = `http://127.0.0.2:${port}`;
      expect(target?.interfaces.map(({ endpoint, state }) => [endpoint, state])).toEqual(
        expect.arrayContaining([
          [`http://127.0.0.1:${port}`, 'open'],
          [second, 'open'],
        ]),
      );
      expect(target?.findings.filter(({ rule }) => rule === 'undeclared-interface')).toMatchObject([
        { subject: second },
      ]);
    });
  },
);

/** Who reaches each http interface, and what is critical there. */
function essence({ interfaces, findings }: Report['targets'][number]) {
  const http = interfaces.filter(({ transport }) => transport === 'http');
  return {
    reach: http.map(({ state, bind, reach, reachBy }) => ({ state, bind, reach, reachBy })),
    criticals: findings
      .filter(({ severity }) => severity === 'critical')
      // An access list has the name of its variable where a conf sets it, else that of its flag.
      .map(({ rule, subject }) => `${rule} ${rule.startsWith('wildcard-') ? '' : subject}`)
      .sort(),
  };
}

test.skipIf(process.platform !== 'linux')(
  'one node by URL, conf, pid and without a target: the same',
  async () => {
    const port = await freePort();
    const text = confText.replace('RPC_ENABLE=0', `RPC_ENABLE=1\nRPC_ADDR=127.0.0.1\nRPC_PORT=${port}`);
    const more =
      'RPC_API=eth,kaia,net,personal,web3\nRPC_CORSDOMAIN="*"\nRPC_VHOSTS="*"\nADDITIONAL=--ipcdisable\n';
    const conf = write(join(folder, 'conf', 'kend.conf'), text + more);
    const access = ['--rpccorsdomain', '*', '--rpcvhosts', '*', '--rpcapi', 'eth,kaia,net,personal,web3'];
    const words = [
      '--rpc',
      '--rpcaddr',
      '127.0.0.1',
      '--rpcport',
      `${port}`,
      ...access,
      '--ipcdisable',
      ...started(),
    ];
    const { pid } = await simulatedChild(conf, words);
    const audit = async (...targets: string[]) => {
      const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', ...targets]);
      const report: Report = expectValid(stdout);
      const found = targets.length > 0 ? report.targets[0] : report.targets.find(({ name }) => name === conf);
      if (found === undefined) throw new Error('no target');
      return essence(found);
    };
    const byUrl = await audit(`http://127.0.0.1:${port}`);
    expect(byUrl.criticals).toContain('privileged-module http personal');
    expect(new Set(byUrl.criticals).size).toBe(byUrl.criticals.length);
    expect(await audit(conf)).toEqual(byUrl);
    expect(await audit(`pid:${pid}`)).toEqual(byUrl);
    expect(await audit()).toEqual(byUrl);
  },
);

const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;

test.skipIf(!canMount)(
  'a name of this machine is no public host (skipped where unshare -m is not allowed)',
  async () => {
    const { ports } = await childNode(['127.0.0.1:0'], ['--rpc', '--ipcdisable'], { modules: 'eth,net' });
    const hosts = write(join(folder, 'hosts'), '127.0.0.1 localhost en-of-this-machine\n');
    const url = `http://en-of-this-machine:${ports[0]}`;
    const command = `mount --bind ${hosts} /etc/hosts && exec "$0" "$@"`;
    const words = [process.execPath, program, 'node', 'audit', '--format', 'json', url];
    const { stdout } = spawnSync('unshare', ['-m', 'bash', '-c', command, ...words], { encoding: 'utf8' });
    const target = (expectValid(stdout) as Report).targets[0];
    expect(target?.interfaces[0]).toMatchObject({ endpoint: url, bind: ['127.0.0.1'], reach: 'loopback' });
    expect(target?.process).toMatchObject({ program: 'ken' });
    expect(target?.checks).toContainEqual({ rule: 'plaintext-endpoint', verdict: 'pass' });
  },
);

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const [user, stranger] = [65_533, 65_534];
const isReadable =
  isRoot && spawnSync(process.execPath, [program, '--version'], { uid: stranger, env: {} }).status === 0;

describe.skipIf(!isReadable)('as another user (skipped where the tests are not run by root)', () => {
  test('interfaces that could not be matched to the process are counted, and undetermined', async () => {
    const { pid, ports } = await childNode(['127.0.0.1:0', '127.0.0.1:0'], ['--ipcdisable'], { uid: user });
    const audit = (...words: string[]) =>
      spawnSync(process.execPath, [program, 'node', 'audit', `pid:${pid}`, ...words], {
        uid: stranger,
        env: {},
        encoding: 'utf8',
      });
    const { stdout, status } = audit('--format', 'json');
    const target = (expectValid(stdout) as Report).targets[0];
    expect(status).toBe(3);
    expect(target?.undetermined).toContainEqual({
      rule: 'undeclared-interface',
      code: 'not-permitted',
      about: `process ${pid}`,
      reason: `0 of 2 interfaces of this process looked at: ports ${[...ports].sort((a, b) => a - b).join(' and ')} are open by its user and may be its own; run as root or as the node’s user`,
    });
    expect(target?.verdict).toBe('undetermined');
    expect(audit('--allow-blind').status).toBe(0);
    expect(target?.notLookedAt).toContain(
      '2 of 2 interfaces of this process (run as root or as the node’s user)',
    );
  });

  test('an unreadable program with another name may be a node', async () => {
    const ken = renamedKen('kaia-en');
    const node = spawn(ken.path, ['600'], { argv0: 'kaia-en', stdio: 'ignore' });
    try {
      await once(node, 'spawn');
      const { stderr, status } = spawnSync(process.execPath, [program, 'node', 'audit', `pid:${node.pid}`], {
        uid: stranger,
        env: {},
        encoding: 'utf8',
      });
      expect(status).toBe(2);
      expect(stderr).toContain(`process ${node.pid} is kaia-en, not a node by its name`);
      expect(stderr).toContain('its program, which would tell, was not read: permission denied');
      expect(stderr).toContain('Run kaiactl as root or as the user of the process.');
    } finally {
      node.kill('SIGKILL');
      ken.remove();
    }
  });
});

test.skipIf(!isReadable || spawnSync('unshare', ['-n', 'true']).status !== 0)(
  'another user’s node in a network of its own is not taken for one of this network (skipped without root)',
  async () => {
    const words = ['--rpc', '--ipcdisable'];
    const { pid } = await childNode(['127.0.0.1:8551'], words, { unshare: '-n' });
    const audit = ['node', 'audit', '--format', 'json', `pid:${pid}`];
    const { stdout } = spawnSync(process.execPath, [program, ...audit], {
      uid: stranger,
      env: {},
      encoding: 'utf8',
    });
    const target = (expectValid(stdout) as Report).targets[0];
    expect(target?.interfaces).toMatchObject([{ transport: 'http', state: 'not-checked', requests: 0 }]);
    expect(target?.undetermined.some(({ code }) => code === 'other-namespace')).toBe(true);
  },
);

const isIsolated = isRoot && spawnSync('unshare', ['-n', 'true']).status === 0;
describe.skipIf(!isIsolated)('in a container (skipped where root may not make network namespaces)', () => {
  const words = ['--rpc', '--rpcaddr', '0.0.0.0', '--rpcapi', 'kaia,personal', '--ipcdisable'];
  const audited = async (host: string | null) => {
    const socket = join(folder, 'node.sock');
    const { pid } = await childNode(['0.0.0.0:8551', '0.0.0.0:9551', socket], words, {
      modules: 'kaia,personal',
      unshare: '-n',
    });
    const port = await freePort();
    if (host !== null) await dockerProxy(socket, host, port);
    const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', `pid:${pid}`]);
    const target = (expectValid(stdout) as Report).targets[0];
    const severity = target?.findings.find(
      ({ rule, subject }) => rule === 'privileged-module' && subject === 'http personal',
    )?.severity;
    return { pid, port, severity, target };
  };

  test.each([
    ['127.0.0.1', 'loopback', 'medium'],
    ['0.0.0.0', 'any', 'critical'],
  ])('a port published on %s is asked there, and who reaches it follows', async (host, reach, expected) => {
    const { port, pid, severity, target } = await audited(host);
    expect(target?.interfaces.find(({ endpoint }) => endpoint === `http://127.0.0.1:${port}`)).toMatchObject({
      state: 'open',
      source: 'process',
      bind: [host],
      reach,
      reachBy: 'socket',
    });
    expect(severity).toBe(expected);
    expect(target?.undetermined).toContainEqual(
      expect.objectContaining({
        about: 'port 9551',
        code: 'other-namespace',
        reason: expect.stringContaining(`nsenter -t ${pid} -n`),
      }),
    );
  });

  test('a port that nothing is known to publish is not asked, and anyone may reach it', async () => {
    const { target, severity } = await audited(null);
    expect(target?.interfaces.find(({ transport }) => transport === 'http')).toMatchObject({
      state: 'not-checked',
      reach: 'any',
    });
    expect(severity).toBe('critical');
    expect(target?.undetermined).toContainEqual(
      expect.objectContaining({ code: 'other-namespace', reason: expect.stringContaining('--assume-reach') }),
    );
    expect(target?.undetermined.some(({ code }) => code === 'other-namespace')).toBe(true);
  });
});
