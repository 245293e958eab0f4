/** Files as people have them: lists, inventories, links, other encodings, and files that are no settings. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { collector } from '../../peers/outcome.js';
import { kaiactl } from '../../peers/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-inputs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const put = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
const run = (...words: string[]) => kaiactl(['node', ...words], { cwd: folder });
const names = (stdout: string) => JSON.parse(stdout).targets.map(({ name }: { name: string }) => name);

test('a list and an inventory are known by their content, and a bad line does not refuse the others', async () => {
  put('hosts.txt', '# nodes\nhttp://127.0.0.1:1\n127.0.0.1:2\ngopher://x\nnone.conf\n');
  put('fleet.ini', '[a]\nrpc = http://127.0.0.1:1\n[b]\nrole = nobody\nrpc = http://127.0.0.1:2\n');
  const list = await run('audit', 'hosts.txt', '--format', 'json');
  expect([list.code, names(list.stdout)]).toEqual([
    2,
    ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'hosts.txt:4', 'none.conf'],
  ]);
  expect(list.stderr).toBe(`kaiactl: hosts.txt is read as a list of targets (--targets-from)
kaiactl: hosts.txt:4: gopher is not a way to reach a node
  Use http://, https://, ws://, wss://, ipc:/path, or the path of a socket.
kaiactl: 127.0.0.1:2 has no scheme: asked as http://127.0.0.1:2
`);
  expect(list.stdout).toContain('hosts.txt:5: cannot read none.conf: there is no such file');
  const named = await run('audit', '--targets-from', 'hosts.txt', '--format', 'json');
  expect([named.code, names(named.stdout)]).toEqual([2, names(list.stdout)]);
  for (const words of [['fleet.ini'], ['--inventory', 'fleet.ini']]) {
    const { code, stdout, stderr } = await run('audit', ...words, '--format', 'json');
    expect([code, names(stdout)]).toEqual([2, ['a', 'b']]);
    expect(stderr).toContain(`fleet.ini:4 [b]: role: there is no role nobody`);
  }
});

test('an inventory whose only key is misspelt is one, and the key is named', async () => {
  put('typo.ini', '[en-1]\nurl = http://127.0.0.1:1\n');
  const { code, stderr } = await run('audit', 'typo.ini');
  expect(code).toBe(2);
  expect(stderr).toContain('typo.ini:2 [en-1]: there is no key url');
});

test('a line with blanks does not hide a list', async () => {
  put('odd.txt', 'http://127.0.0.1:1\nhttp://127.0.0.1:2\nnot a node\n');
  const { code, stdout } = await run('audit', 'odd.txt', '--format', 'json');
  expect([code, names(stdout)]).toEqual([2, ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'not a node']]);
});

test.each([
  [
    'a conf with addresses in comments',
    '# http://127.0.0.1:1\nRPC_ENABLE=1\nRPC_API=klay\nSC_SUB_BRIDGE=0\n',
  ],
  ['text', 'see http://127.0.0.1:1 there\nhttp://127.0.0.1:2\n'],
  ['other software’s ini', '[main]\nport = 1\n'],
])('%s is neither', async (_, text) => {
  put('file', text);
  expect((await run('audit', 'file', '--timeout', '1s')).stderr).not.toContain('is read as');
});

test('a list of PowerShell, in UTF-16 with a byte order mark, is read', async () => {
  put('utf16.txt', Buffer.from('\ufeffhttp://127.0.0.1:1\r\n', 'utf16le'));
  const { stdout } = await run('audit', '--targets-from', 'utf16.txt', '--format', 'json');
  expect(names(stdout)).toEqual(['http://127.0.0.1:1']);
});

test.each([
  ['kend.conf', Buffer.from('\ufeffRPC_API=admin\n', 'utf16le')],
  ['plain.conf', Buffer.from('RPC_API=admin\n', 'utf16le')],
])('a conf in UTF-16 is named as such: %s', async (name, bytes) => {
  put(name, bytes);
  const { code, stderr } = await run('lint', name);
  expect([code, stderr]).toEqual([
    2,
    `kaiactl: ${name}: UTF-16 text, which neither bash nor a node reads\n  Save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8.\n`,
  ]);
});

test('a link without a target, a YAML error and an address are named as such', async () => {
  symlinkSync('nowhere', join(folder, 'link.conf'));
  expect((await run('lint', 'link.conf')).stderr).toBe(
    'kaiactl: cannot read link.conf: it is a link to nowhere, which does not exist\n',
  );
  put('broken.yaml', 'services:\n  a:\n    image: ken\n  - b: [\n');
  expect((await run('lint', 'broken.yaml')).stderr).toMatch(/^kaiactl: broken\.yaml:4:\d+: it is not YAML: /);
  // Nothing in it names a node, and a template is no YAML before it is rendered.
  put('values.yaml', 'a:\n  b: 1\n c: 2\n');
  put('template.yaml', 'a:\n  b: 1\n{{ c }}\n d: 1\n');
  for (const verb of ['lint', 'settings'])
    expect((await run(verb, 'values.yaml')).stderr).toMatch(
      /^kaiactl: values\.yaml:3:\d+: not a node's settings: it is not YAML: .+\n/,
    );
  expect((await run('lint', 'template.yaml')).stderr).toMatch(/not a node's settings: it is YAML\n/);
  const { code, stdout, stderr } = await run('lint', 'http://127.0.0.1:1/rpc');
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    'kaiactl: http://127.0.0.1:1/rpc is an address, not a file\n  Ask the node: kaiactl node audit http://127.0.0.1:1/rpc\n',
  ]);
});

test('a file without settings is one line, and --verbose names the programs', async () => {
  put('hello.txt', 'hello\n');
  const { code, stdout, stderr } = await run('lint', 'hello.txt');
  const line = "kaiactl: hello.txt: not a node's settings: no launcher reads any of its variables\n";
  expect([code, stdout, stderr]).toEqual([2, '', line]);
  expect((await run('lint', '--verbose', 'hello.txt')).stderr).toMatch(/^.*\n {2}.*\bken, kcn\b.*\n$/);
});

test('standard input on a terminal is announced', async () => {
  const typed = () => Object.assign(Readable.from(['RPC_API=admin\n']), { isTTY: true });
  const note = 'kaiactl: reading standard input; Ctrl-D ends it\n';
  const lint = (stdin: Readable) => kaiactl(['node', 'lint', '-'], { cwd: folder, stdin });
  expect((await lint(typed())).stderr.startsWith(note)).toBe(true);
  expect((await lint(Readable.from(['RPC_API=admin\n']))).stderr).not.toContain(note);
  const screen = collector();
  let at = 0;
  const stderr = Object.assign(screen.stream, { isTTY: true, columns: 80 });
  const given = { cwd: folder, stdin: typed(), stderr, now: () => 5_000 * at++ };
  await kaiactl(['node', 'lint', '-'], given);
  expect(screen.text()).toContain(note);
  expect(screen.text()).not.toContain('0 of 1 file');
  await kaiactl(['node', 'lint', '-'], { ...given, stdin: Readable.from(['RPC_API=admin\n']) });
  expect(screen.text()).toContain('of 1 file');
});
