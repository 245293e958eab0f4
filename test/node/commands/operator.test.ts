/** What an operator of one node is told: of lists of closed interfaces, assumptions and comments. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { kaiactl } from '../offline.js';

const head = 'NETWORK=mainnet\nDATA_DIR=/var/kend/data\n';
const open = `${head}RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_VHOSTS=n.example.com\n`;

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kaiactl-operator-'));
  const folder = cwd;
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

async function lint(conf: string, ...words: string[]) {
  writeFileSync(join(cwd, 'kend.conf'), conf);
  const given = ['node', 'lint', 'kend.conf', '--package', 'tar', ...words];
  const { code, stdout, stderr } = await kaiactl(given, { cwd });
  return { code, stderr, text: stdout.replace(/\s+/g, ' ') };
}

test.each(['\n', '\r\n'])(
  'an open quote hides nothing behind it, with %j at the end of lines',
  async (end) => {
    const conf = `RPC_ENABLE=1\nRPC_VHOSTS="node.example.com\nRPC_API="klay,eth,personal"\nRPC_ADDR=0.0.0.0\n${head}`;
    const { code, text } = await lint(conf.replaceAll('\n', end));
    expect(text).toMatch(/critical privileged-module .*when each quote is closed on its line: /i);
    expect(text).toContain('any address reaches it (0.0.0.0');
    expect(code).toBe(1);
    const last = await lint(`${open}ADDITIONAL="--rpcapi klay,personal${end}`);
    expect(last.text).toMatch(/critical privileged-module/);
  },
);

test('a value of several lines is read as it is', async () => {
  const { text } = await lint(`${open}ADDITIONAL="--rpcapi\n klay,net"\n`);
  expect(text).not.toContain('each quote');
});

test.each([
  'ADDITIONAL="--rpcapi klay,debug,personal"',
  'ADDITIONAL="--wsapi klay,admin"',
  'RPC_API=klay,admin',
])('the list of a closed interface in %s is told', async (line) => {
  const { text } = await lint(`${head}RPC_ENABLE=0\n${line}\n`);
  expect(text).toContain('low latent-module');
});

test('the list of a closed interface on a command line is told', async () => {
  const words = ['node', 'lint', '--command-line', 'ken --rpcapi klay,personal --datadir /x'];
  expect((await kaiactl(words, { cwd })).stdout).toContain('latent-module');
});

test.each([
  ['loopback', 'this machine reaches it'],
  ['private', 'the private network reaches it'],
])('the reach %s that is assumed is told as such', async (reach, who) => {
  const { text } = await lint(`${open}RPC_API=klay,eth\n`, '--assume-reach', `http=${reach}`);
  expect(text).toContain(`http on 0.0.0.0: ${who} (--assume-reach says so)`);
});

test('a severity that an option changes is counted', async () => {
  const { text } = await lint(`${open}RPC_API=debug\n`, '--severity', 'unsafe-debug=low');
  expect(text).toContain('Changed by options, settings and comments: 1 with another severity.');
});

test('a comment that names another module says so', async () => {
  const comment = '# kaiactl-ignore privileged-module(admin) reason="x"';
  const { text } = await lint(`${open}RPC_API=txpool ${comment}\n`);
  expect(text).toContain('The comment does not name what privileged-module finds here: http txpool.');
});

test('--diff and --dry-run end with the same code', async () => {
  const conf = `${open}RPC_API=klay,personal\n`;
  const codes = [['--diff'], ['--fix', '--dry-run']].map(
    async (words) => (await lint(conf, ...words, '--unsafe-fixes')).code,
  );
  expect(await Promise.all(codes)).toEqual([1, 1]);
});

test('a file of settings that starts no node is counted', async () => {
  writeFileSync(join(cwd, 'kend.conf'), open);
  writeFileSync(
    join(cwd, 'harden.conf'),
    '# Save it as /etc/systemd/system/kend.service.d/harden.conf\n[Service]\nSocketBindDeny=1-65535\n',
  );
  const { stderr } = await kaiactl(['node', 'lint', '.'], { cwd });
  expect(stderr).toContain('1 file of settings that starts no node (--verbose lists them)');
});
