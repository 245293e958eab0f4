import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Host } from '../../../src/host.js';
import { settingsText } from '../../../src/node/commands/settings-text.js';
import type { Conf } from '../../../src/node/facts/facts.js';
import { readConf } from '../editables.js';
import { main } from '../offline.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaiactl-settings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function settings(conf: string, ...options: string[]): Promise<Ran> {
  await writeFile(join(folder, 'kend.conf'), conf);
  return command(['node', 'settings', 'kend.conf', ...options]);
}

class Collected extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function command(argv: readonly string[], stdin = ''): Promise<Ran> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const host: Host = {
    argv,
    env: { HOME: folder },
    cwd: folder,
    platform: 'linux',
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    now: () => 0,
    signal: new AbortController().signal,
  };
  const code = await main(host);
  return { code, out: stdout.text, err: stderr.text };
}

const conf = `# Configuration file for the kend
NETWORK=mainnet
RPC_ENABLE=1
RPC_API="klay,eth"
WS_API=$(cat list)
ADDITIONAL="--rpcapi klay,debug --nodekeyhex 0011223344556677"
DATA_DIR=/srv/kend
`;

test('the text shows interfaces in columns, and a list that is not known', async () => {
  const { out } = await settings(
    `${conf.replace('$(cat list)', '"klay"')}RPC_ENABLE=1\nADDITIONAL="--rpcapi $X$(cat list)"\n`,
  );
  expect(out.match(/^(?:http|ipc) .*$/gm)).toEqual([
    'http       127.0.0.1:8551        modules not known',
    'ipc        /srv/kend/klay.ipc    all modules',
  ]);
});

test('JSON carries what the contract names, and the command line word for word', async () => {
  const { code, out, err } = await settings(conf, '--format', 'json', '--env', 'KAIA_GRPC=1');
  expect([code, err]).toEqual([0, '']);
  const document = JSON.parse(out);
  expect(Object.keys(document)).toEqual(
    'conf launcher package variables argv settings indeterminate startable problems'.split(' '),
  );
  expect([document.conf, document.launcher, document.package]).toEqual(['kend.conf', 'kend', 'tar']);
  expect(document.variables).toMatchObject({ RPC_ENABLE: '1', WS_API: null, DATA_DIR: '/srv/kend' });
  expect(document.argv.join(' ')).toBe(
    '--rpc --rpcapi klay,eth --mainnet --datadir /srv/kend --rpcapi klay,debug --nodekeyhex ********',
  );
  expect(document.settings.rpcapi).toEqual({
    value: 'klay,debug',
    origin: {
      kind: 'flag',
      flag: 'rpcapi',
      at: { file: 'kend.conf', line: 6, column: 22, endLine: 6, endColumn: 32 },
    },
    shadowed: [
      {
        value: 'klay,eth',
        origin: {
          kind: 'assignment',
          variable: 'RPC_API',
          flag: 'rpcapi',
          at: { file: 'kend.conf', line: 4, column: 10, endLine: 4, endColumn: 18 },
        },
      },
    ],
  });
  expect(document.settings.grpc).toMatchObject({
    value: true,
    origin: { kind: 'environment', variable: 'KAIA_GRPC' },
  });
  expect(document.settings.rpcapi).not.toHaveProperty('indeterminate');
  expect(document.indeterminate).toMatchObject([{ variable: 'WS_API', at: { line: 5, column: 8 } }]);
  expect([document.startable, document.problems]).toEqual([true, []]);
});

test('secrets appear nowhere', async () => {
  const secret = 'c0ffee0123456789';
  const text = `${conf}SC_KAS_ANCHOR_SECRET_KEY=${secret}\nADDITIONAL="--kas.secretkey=${secret} --dbsyncer.db.password ${secret}"\n`;
  for (const format of ['text', 'json']) {
    const { out, err } = await settings(text, '--format', format, '--env', `KAIA_NODEKEYHEX=${secret}`, '-v');
    expect(out + err).not.toContain(secret);
    expect(out).toContain('********');
  }
});

test('the table keeps to 80 columns and says where each value comes from', async () => {
  const { out } = await settings(conf);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(out).toMatch(/^kend\.conf · kend by name, tar by guess · starts\n/);
  expect(out).toMatch(/^rpcapi +klay,debug +ADDITIONAL 6:22\n {2}instead of +klay,eth +RPC_API 4:10$/m);
  expect(out).not.toMatch(/^rpcport /m);
  expect((await settings(conf, '-v')).out).toMatch(/^rpcport +8551 +default$/m);
});

test('control characters are made visible', async () => {
  const { out } = await settings(`${conf}RPC_PORT=$'\\e[2J\\u202e'\nRPC_ADDR=\u202ex\n`);
  expect(out).not.toMatch(/[\u001b\u202e]/);
  expect(out).toContain('\\u{202e}');
});

test('a node that would not start is still shown, with the reason', async () => {
  const { code, out } = await settings('NETWORK=mainnet\nDATA_DIR=/d\nADDITIONAL=--nosuch\n');
  expect(code).toBe(0);
  expect(out).toMatch(/ · does not start as kaia v2\.2\.1\n/);
  expect(out).toMatch(/^unknown {2}3:12 +--nosuch is not a flag of the releases known/m);
  expect((await settings('NETWORK=mainnet\nDATA_DIR=/d\nADDITIONAL=stray\n')).out).toMatch(
    / · does not start\n(?:.*\n)*fatal {4}3:12 /,
  );
});

test('wrong invocations exit with 2', async () => {
  expect(await settings(conf, '--env', 'RPC_API')).toMatchObject({ code: 2, out: '' });
  expect(await settings(conf, '--launcher', 'geth')).toMatchObject({ code: 2, out: '' });
  expect(await command(['node', 'settings', 'none.conf'])).toMatchObject({ code: 2, out: '' });
});

test('stdin is shown under the name that --stdin-filename gives', async () => {
  const { out } = await command(
    ['node', 'settings', '-', '--stdin-filename', 'kcnd.conf'],
    'DATA_DIR=/d\nNETWORK=kairos\n',
  );
  expect(out).toMatch(/^kcnd\.conf · kcnd by name, tar by guess/);
});

test('a long list is not cut', async () => {
  const list =
    'klay,eth,net,web3,admin,personal,debug,txpool,governance,istanbul,mainbridge,subbridge,auction,miner';
  const { out } = await settings(`RPC_ENABLE=1\nRPC_API=${list}\nNETWORK=mainnet\nDATA_DIR=/d\n`);
  const table = out.slice(out.indexOf('rpcapi'), out.indexOf('mainnet'));
  expect(table.replace(/rpcapi|RPC_API 2:9|\s/g, '')).toBe(list);
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the path of a password file is shown word for word', async () => {
  const { out } = await settings(
    'NETWORK=mainnet\nDATA_DIR=/d\nADDITIONAL="--password /etc/kend/pw"\n',
    '--format',
    'json',
  );
  expect(JSON.parse(out)).toMatchObject({
    argv: ['--mainnet', '--datadir', '/d', '--password', '/etc/kend/pw'],
    settings: { password: { value: '/etc/kend/pw' } },
  });
});

describe('the text', () => {
  const read = (text: string, launcher = 'kend') =>
    readConf(`${launcher}.conf`, Buffer.from(text), { launcher, package: 'tar' });
  const base = read('NETWORK=mainnet\nDATA_DIR=/d\nRPC_ENABLE=1\nRPC_API=eth\n');
  const shown = (settings: object, columns = 80, verbose = false, shell: Conf['shell'] = base.shell) =>
    settingsText({ settings: { ...base.settings, ...settings }, shell } as Conf, { columns, verbose });
  const at = { file: 'f', line: 3, column: 5, endLine: 3, endColumn: 9 };
  /** The rows of the table with this setting alone. */
  const rowsOf = (setting: object, verbose = false) =>
    shown(
      { values: { rpcapi: { value: 'eth', shadowed: [], indeterminate: null, ...setting } }, start: [] },
      80,
      verbose,
    )
      .split('\n')
      .filter((line) => /^(?:rpcapi| {2}instead of) /.test(line))
      .map((line) => line.trim().replace(/ {2,}/g, ' | '));

  test.each<[object, string, string | null]>([
    [{ kind: 'assignment', variable: 'RPC_API', at }, 'RPC_API 3:5', null],
    [{ kind: 'flag', flag: 'rpcapi', at }, 'ADDITIONAL 3:5', null],
    [{ kind: 'flag', flag: 'rpcapi', on: 'ExecStart', at }, 'ExecStart 3:5', null],
    [{ kind: 'environment', variable: 'KAIA_X\u001b', at }, '$KAIA_X\\u{1b} 3:5', null],
    [{ kind: 'environment', variable: 'KAIA_X', at: null }, '$KAIA_X', null],
    [{ kind: 'launcher' }, 'the launcher', null],
    [{ kind: 'packaged' }, 'the packaged conf', null],
    [{ kind: 'toml', key: 'HTTP.Port', at }, 'HTTP.Port 3:5', null],
    [{ kind: 'toml', key: null, at }, '--config 3:5', 'hidden'],
    [{ kind: 'yaml', key: 'http-rpc.port', at }, 'http-rpc.port 3:5', null],
    [{ kind: 'yaml', key: null, at }, '--conf 3:5', 'hidden'],
    [{ kind: 'default' }, 'default', 'hidden'],
  ])('names the origin %j as %s', (origin, from, hidden) => {
    const row = `rpcapi | eth | ${from}`;
    expect(rowsOf({ origin })).toEqual(hidden === null ? [row] : []);
    expect(rowsOf({ origin }, true)).toEqual([row]);
  });

  test('shows empty, missing, unknown and overridden values, and no table without one', () => {
    const origin = { kind: 'launcher' };
    expect(rowsOf({ origin, value: '' })).toEqual(['rpcapi | "" | the launcher']);
    expect(rowsOf({ origin, value: null })).toEqual(['rpcapi | – | the launcher']);
    expect(rowsOf({ origin, indeterminate: '$X\u001b' })).toEqual([
      'rpcapi | unknown: $X\\u{1b} | the launcher',
    ]);
    const shadowed = [
      { value: 'net', origin: { kind: 'packaged' } },
      { value: 'x', origin: { kind: 'default' } },
    ];
    expect(rowsOf({ origin, shadowed })).toEqual([
      'rpcapi | eth | the launcher',
      'instead of | net | the packaged conf',
    ]);
    expect(shown({ values: {} })).not.toContain('setting ');
    expect(shown({})).toMatch(/^setting +value +from$/m);
  });

  test('lists the interfaces that are on or unknown, in columns that a long place does not widen', () => {
    const listener = {
      kind: 'http',
      state: 'on',
      host: '127.0.0.1',
      port: 8551,
      modules: ['eth', 'net'],
      path: null,
    };
    const linesOf = (...listeners: object[]) =>
      (shown({ listeners, values: {}, start: [] }, 80).split('\n\n')[1] ?? '').trimEnd().split('\n');
    const gap = ' '.repeat(8);
    expect(linesOf(listener, { ...listener, kind: 'ws', state: 'off' })).toEqual([
      `http       127.0.0.1:8551${gap}eth net`,
    ]);
    expect(linesOf({ ...listener, state: 'unknown', reason: 'it depends on $X' })).toEqual([
      `http       127.0.0.1:8551${gap}unknown: it depends on $X`,
    ]);
    expect(
      linesOf(
        { ...listener, modules: null },
        { ...listener, kind: 'ws', modules: null },
        { ...listener, kind: 'metrics', modules: null },
      ),
    ).toEqual([
      `http       127.0.0.1:8551${gap}modules not known`,
      `ws         127.0.0.1:8551${gap}modules not known`,
      'metrics    127.0.0.1:8551',
    ]);
    expect(linesOf({ ...listener, host: null, port: null })).toEqual([
      'http       ?:?                   eth net',
    ]);
    expect(linesOf({ ...listener, kind: 'ipc', path: null })).toEqual([
      'ipc        in the data folder    all modules',
    ]);
    const path = `/${'d'.repeat(30)}/klay.ipc`;
    expect(linesOf({ ...listener, kind: 'ipc', path: path.slice(0, 39) }, listener)).toEqual([
      `ipc        ${path.slice(0, 39)} all modules`,
      `http       127.0.0.1:8551${' '.repeat(26)}eth net`,
    ]);
    expect(linesOf({ ...listener, kind: 'ipc', path: `${path}x` }, listener)[1]).toBe(
      `http       127.0.0.1:8551${gap}eth net`,
    );
  });

  test('folds problems and what is unknown behind their places', () => {
    const problem = { kind: 'conflict', fatal: true, message: 'one two three four five six seven', at };
    const problems = [
      problem,
      { ...problem, fatal: false, message: 'short', at: null },
      { ...problem, kind: 'unknown-flag', message: 'x' },
    ];
    const shell = {
      ...base.shell,
      indeterminate: [
        { variable: 'WS_API', reason: 'a command', at },
        { variable: null, reason: 'a file', at },
      ],
    } as Conf['shell'];
    const text = shown({ problems, values: {}, start: [], listeners: [] }, 40, false, shell);
    expect(text.split('\n\n')[1]).toBe(
      [
        'fatal    3:5     one two three four five',
        '                 six seven',
        'note             short',
        'unknown  3:5     x',
        'unknown  3:5     WS_API: a command',
        'unknown  3:5     a file\n',
      ].join('\n'),
    );
    const many = {
      ...shell,
      indeterminate: Array.from({ length: 60 }, () => ({ variable: 'A', reason: 'x', at })),
    };
    expect(shown({ problems: [] }, 80, false, many as Conf['shell']).match(/^unknown /gm)).toHaveLength(50);
    expect(shown({ problems: [] }, 80, false, null)).not.toMatch(/^unknown /m);
  });

  test('prints the command line in lines that a shell joins, with a mark for an unknown word', () => {
    const words = (...texts: (string | null)[]) => texts.map((text) => ({ text }));
    const lines = (start: unknown, columns: number) =>
      (shown({ start, values: {}, listeners: [] }, columns).split('\n\n')[1] ?? '').trimEnd().split('\n');
    expect(lines(words('--rpc', '--rpcapi', 'a b', null), 80)).toEqual([
      "ken --rpc --rpcapi 'a b' ‹unknown›",
    ]);
    // Six columns are left for the blanks before a line and the mark behind it.
    expect(lines(words('--abc', '--defg', '--h'), 22)).toEqual(['ken --abc --defg \\', '    --h']);
    expect(lines(words('--abc', '--defg', '--h'), 21)).toEqual(['ken --abc \\', '    --defg --h']);
    expect(lines(words(`--${'x'.repeat(40)}`), 21)).toEqual(['ken \\', `    --${'x'.repeat(40)}`]);
    expect(lines(words(), 80)).toEqual(['']);
    expect(lines(null, 80)).toEqual(['']);
    expect(shown({ start: words('--x'.padEnd(150, 'x'), '--yy') }, 400)).toContain('xx \\\n');
  });

  test('begins with the launcher and its package, or with the kind of a node that has none', async () => {
    expect(shown({}).split('\n')[0]).toBe('kend.conf · kend by option, tar by option · starts');
    const unit = '[Service]\nExecStart=/usr/bin/geth --datadir /d --http\n';
    const { out } = await command(['node', 'settings', '-', '--stdin-filename', 'geth.service'], unit);
    expect(out.split('\n')[0]).toBe('geth.service · geth node by launch · starts');
  });
});
