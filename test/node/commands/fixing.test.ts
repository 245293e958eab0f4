/** `node lint --fix` and `--diff`: files in a folder of the test, and what becomes of them. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFiles } from '../../../src/node/commands/replace-file.js';
import { kaiactl } from '../offline.js';

const conf =
  'LOG_MAXBACKUPS=3\nRPC_ENABLE=1\nRPC_API="klay,admin" # é\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n';
const safe = conf.replace('LOG_MAXBACKUPS=3\n', '');
const all = safe.replace('klay,admin', 'klay');

let folder = '';
const file = (name = 'kend.conf') => join(folder, name);
const text = (name?: string) => readFileSync(file(name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-fix-'));
  writeFileSync(file(), conf);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('--fix applies the edits that keep the start; the remaining findings decide the exit code', async () => {
  const { code, stdout, stderr } = await kaiactl(['node', 'lint', '--fix', '--fail-on', 'low', file()]);
  expect(text()).toBe(safe);
  expect(stderr).toContain('fixed 1 finding in 1 file; 1 more with --unsafe-fixes');
  expect(stdout).not.toContain('unread-setting');
  expect(code).toBe(1);
});

test('--unsafe-fixes applies the others too; a second time changes nothing', async () => {
  const first = await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', file()]);
  expect(first).toMatchObject({ code: 0 });
  expect(text()).toBe(all);
  const second = await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', file()]);
  expect(second.stderr).toContain('fixed 0 findings in 0 files');
  expect(text()).toBe(all);
});

test.each<[string, string, string]>([
  [
    'a list',
    'geth --http --http.addr 0.0.0.0 --http.api=eth,debug',
    'geth --http --http.addr 0.0.0.0 --http.api=eth',
  ],
  [
    'a quoted list',
    'geth --http --http.addr 0.0.0.0 --http.api="eth,debug"',
    'geth --http --http.addr 0.0.0.0 --http.api="eth"',
  ],
  [
    'the address, where no edit reaches the list,',
    'A=admin\ngeth --http --http.addr 0.0.0.0 --http.api "eth,$A"',
    'A=admin\ngeth --http --http.addr 127.0.0.1 --http.api "eth,$A"',
  ],
  [
    'an address that is all that limits an interface',
    'erigon --private.api.addr=0.0.0.0:9090',
    'erigon --private.api.addr=127.0.0.1:9090',
  ],
])('--unsafe-fixes changes %s and no more', async (_, before, after) => {
  writeFileSync(file('run.sh'), `#!/bin/sh\n${before}\n`);
  await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', file('run.sh')]);
  expect(text('run.sh')).toBe(`#!/bin/sh\n${after}\n`);
});

test('--fix names what no edit fixes, and the option that decides it', async () => {
  writeFileSync(file('run.sh'), '#!/bin/sh\ngeth --http --http.addr 0.0.0.0 --pprof --pprof.addr 0.0.0.0\n');
  const { stderr } = await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', file('run.sh')]);
  expect(stderr).toContain('Not fixed: open-profiler (pprof) and public-bind (http 0.0.0.0)');
  expect(stderr).toContain('Where a firewall limits the callers: --assume-reach pprof=private,http=private');
  expect(text('run.sh')).toContain('--http.addr 0.0.0.0');
  const stated = ['--assume-reach', 'http=private,pprof=private'];
  const again = await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', ...stated, file('run.sh')]);
  expect(again.stderr).not.toContain('public-bind');
});

test('--dry-run and --diff change nothing; the patch equals the result of --fix', async () => {
  const dry = await kaiactl(['node', 'lint', '--fix', '--dry-run', file()]);
  expect(dry.stderr).toContain('would fix 1 finding in 1 file');
  const { stdout } = await kaiactl(['node', 'lint', '--diff', '--unsafe-fixes', file()]);
  expect(text()).toBe(conf);
  execFileSync('git', ['apply', `-p${folder.split('/').length}`, '-'], {
    cwd: folder,
    input: stdout,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
  expect(text()).toBe(all);
});

test('several files, one of them clean, have one summary', async () => {
  writeFileSync(file('kcnd.conf'), conf);
  writeFileSync(file('kpnd.conf'), 'NETWORK="mainnet"\nDATA_DIR=/srv/kpnd\n');
  const { stderr } = await kaiactl(['node', 'lint', '--fix', folder]);
  expect(stderr).toContain('fixed 2 findings in 2 files');
});

test('--fix keeps the mode, a link and its target, and a backup never replaces another backup', async () => {
  chmodSync(file(), 0o640);
  symlinkSync('kend.conf', file('link.conf'));
  writeFileSync(file('kend.conf.bak'), 'older');
  await kaiactl(['node', 'lint', '--fix', '--backup', file('link.conf')]);
  expect(lstatSync(file('link.conf')).isSymbolicLink()).toBe(true);
  expect(text()).toBe(safe);
  expect(statSync(file()).mode & 0o777).toBe(0o640);
  expect([text('kend.conf.bak'), text('kend.conf.bak.2')]).toEqual(['older', conf]);
  expect(readdirSync(folder).filter((name) => name.startsWith('.kaiactl'))).toEqual([]);
});

test.each([
  ['a byte order mark', `\uFEFF# kend\n${conf}`, `\uFEFF# kend\n${safe}`],
  ['no line end at the end', conf.slice(0, -1), safe.slice(0, -1)],
  ['a carriage return elsewhere', conf.replace('# é', '# \ré'), safe.replace('# é', '# \ré')],
])('--fix leaves every other byte unchanged: %s', async (_what, before, after) => {
  writeFileSync(file(), before);
  await kaiactl(['node', 'lint', '--fix', file()]);
  expect(text()).toBe(after);
});

test('--fix keeps Windows line ends, also in lines that it inserts', async () => {
  const unit = '[Service]\r\nExecStart=/usr/bin/ken --datadir /d --rpc --rpcapi eth,admin\r\nUser=kaia\r\n';
  writeFileSync(file('ken.service'), unit);
  await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', file('ken.service')]);
  expect(text('ken.service')).toBe(unit.replace('eth,admin', 'eth'));
  const yaml = 'rpc: true\r\nrpcapi: eth,admin # here\r\n';
  writeFileSync(file('kaia.yaml'), yaml);
  await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', file('kaia.yaml')]);
  expect(text('kaia.yaml')).toBe(yaml.replace('eth,admin', '"eth"'));
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('skipped, since it takes root: a fixed file keeps its owner\n');
test.skipIf(!isRoot)('--fix keeps the owner and the group', async () => {
  chownSync(file(), 12_345, 23_456);
  chmodSync(file(), 0o640);
  await kaiactl(['node', 'lint', '--fix', '--backup', file()]);
  expect(text()).toBe(safe);
  expect(statSync(file())).toMatchObject({ uid: 12_345, gid: 23_456 });
  expect(statSync(file()).mode & 0o777).toBe(0o640);
  expect(statSync(file('kend.conf.bak')).mode & 0o777).toBe(0o640);
});

test('--fix skips a file that changed since it was read, and a file with a second hard link', () => {
  const change = { path: 'kend.conf', before: 'other', after: 'x', backup: false };
  expect(() => replaceFiles([change], folder)).toThrow('changed since it was read');
  linkSync(file(), file('second'));
  expect(() => replaceFiles([{ ...change, before: conf }], folder)).toThrow('hard links');
  expect(text()).toBe(conf);
});

test('--fix changes all of several files or none', () => {
  writeFileSync(file('.env'), 'A=1\n');
  symlinkSync(file('.env'), file('link.env'));
  const own = { path: 'kend.conf', before: conf, after: 'x', backup: false };
  const other = { path: '.env', before: 'A=1\n', after: 'A=2\n', backup: false };
  const late = { ...other, path: 'link.env', after: 'A=3\n' };
  const texts = () => [
    text(),
    text('.env'),
    readdirSync(folder).filter((name) => name.startsWith('.kaiactl-')),
  ];
  expect(() => replaceFiles([own, { ...other, before: 'A=0\n' }], folder)).toThrow('changed since');
  expect(texts()).toEqual([conf, 'A=1\n', []]);
  expect(() => replaceFiles([own, other, late], folder)).toThrow('link.env changed since');
  expect(texts()).toEqual([conf, 'A=1\n', []]);
  replaceFiles([own, other], folder);
  expect(texts()).toEqual(['x', 'A=2\n', []]);
});

test.each([[['--unsafe-fixes']], [['--dry-run']], [['--backup']], [['--fix', '--diff']]])(
  '%j do not go together',
  async (options) => {
    const { code } = await kaiactl(['node', 'lint', ...options, file()]);
    expect(code).toBe(2);
    expect(text()).toBe(conf);
  },
);

test('a conf on stdin is fixed and printed instead of a report', async () => {
  const stdin = Readable.from([Buffer.from(conf)]);
  const { stdout } = await kaiactl(['node', 'lint', '--fix', '--stdin-filename', 'kend.conf', '-'], {
    stdin,
  });
  expect(stdout).toBe(safe);
});

test('a file that cannot be replaced is an error, and its findings stay in the report', async () => {
  linkSync(file(), file('second'));
  const { code, stdout, stderr } = await kaiactl(['node', 'lint', '--fix', '--format', 'json', file()]);
  expect(code).toBe(2);
  expect(stderr).toContain('kend.conf was not fixed: it has other hard links');
  expect(stderr).toContain('fixed 0 findings in 0 files; 1 more with --unsafe-fixes');
  expect(stdout).toContain('"rule": "unread-setting"');
  expect(text()).toBe(conf);
});

test.each([
  [['--unsafe-fixes'], '--unsafe-fixes needs --fix or --diff'],
  [['--dry-run'], '--dry-run needs --fix'],
  [['--backup', '--diff'], '--backup needs --fix'],
  [['--fix', '--diff'], '--fix and --diff exclude each other'],
  [['--fix', '-'], '--fix takes - alone: stdin is fixed to stdout'],
])('%j are refused', async (options, message) => {
  const { code, stderr } = await kaiactl(['node', 'lint', ...options, file()]);
  expect([code, stderr]).toEqual([2, `kaiactl: ${message}\n`]);
});

const filtered = (stdin: string, ...words: string[]) =>
  kaiactl(['node', 'lint', '--stdin-filename', 'kend.conf', ...words, '-'], {
    stdin: Readable.from([Buffer.from(stdin)]),
  });

test('stdin without a fix is printed as it was, and stdin without settings is refused', async () => {
  expect(await filtered(safe, '--fix')).toMatchObject({ code: 0, stdout: safe });
  const none = await filtered('a: b\n', '--fix');
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toContain(
    'stdin cannot be fixed: it does not hold a node’s settings\n  Nothing was printed.',
  );
  const asked = await filtered(conf, '--fix', '--dry-run');
  expect(asked.stdout).toMatch(/^kend\.conf · kend /);
  expect(asked.stderr).toBe('kaiactl: would fix 1 finding in 1 file; 1 more with --unsafe-fixes\n');
});

test('a patch of stdin has the name of --stdin-filename, and one of a clean file is empty', async () => {
  expect((await filtered(conf, '--diff')).stdout).toMatch(/^--- a\/kend\.conf\n\+\+\+ b\/kend\.conf\n/);
  expect((await filtered(all, '--diff')).stdout).toBe('');
  expect((await filtered('a: b\n', '--diff')).stderr).not.toContain('cannot be fixed');
});

test('a file that two nodes of a folder read is fixed once, with the texts of the first fix', async () => {
  rmSync(file());
  writeFileSync(file('.env'), 'API=eth,admin\nWS=net,personal\n');
  const service = (name: string, flags: string) =>
    `services:\n  ${name}:\n    image: kaiachain/kaia:v2.2.1\n    command: ken --rpcvhosts a ${flags}\n`;
  writeFileSync(file('a.compose.yaml'), service('a', '--rpc --rpcapi $API'));
  writeFileSync(file('b.compose.yaml'), service('b', '--ws --wsapi $WS'));
  const { stderr } = await kaiactl(['node', 'lint', '--fix', '--unsafe-fixes', folder]);
  expect([text('.env'), stderr]).toEqual([
    'API=eth\nWS=net\n',
    expect.stringMatching(/^kaiactl: fixed 2 findings in 1 file$/m),
  ]);
});

test('a file that does not exist any more is an error that names it', () => {
  const change = { path: 'none', before: conf, after: 'x', backup: true };
  expect(() => replaceFiles([change], folder)).toThrow(/^none was not fixed: .*ENOENT/);
  expect(readdirSync(folder)).toEqual(['kend.conf']);
});
