/** Common guesses and slips, and the hint that each gets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kaiactl } from '../peers/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-guesses-'));
afterAll(() => rmSync(folder, { recursive: true }));
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
put('kend.conf', 'NETWORK=mainnet\nRPC_ENABLE=0\nWS_ENABLE=0\n');
put('hosts.txt', 'http://127.0.0.1:1\nhttp://127.0.0.1:2\n');
put('fleet.ini', '[en-1]\nrpc = http://127.0.0.1:1\n');
const survey = '0x6b66b0d1d8bcc8b6d3fdd9bc1e2a9dc5d1d43d4f';
const time = 'Write 500ms, 15s or 2m: more than 0, at most';

test.each<[string, string, string]>([
  ['node lint --json kend.conf', "unknown option '--json'", 'Write --format json.'],
  ['node lint --html kend.conf', "unknown option '--html'", 'Write --format html.'],
  ['--sarif', "unknown option '--sarif'", 'Write --format sarif behind the command.'],
  ['node lint -o json kend.conf', "unknown option '-o'", '--report json=FILE'],
  ['node audit --output json http://127.0.0.1:1', "unknown option '--output'", '--report json=FILE'],
  ['node lint geth --http', "unknown option '--http'", "kaiactl node lint --command-line 'geth …'"],
  ['node lint --command-line ken --rpc', "unknown option '--rpc'", "--command-line 'ken …'"],
  ['node lint kend.conf --service en', 'no node is named en', '--service is the name of a service'],
  ['node audit kend.conf --service en', 'no node is named en', '--service is the name of a service'],
  ['node audit 8551', '8551 has no scheme', 'For http write http://127.0.0.1:8551.'],
  ['node audit pid:ken', 'pid:ken names no process', 'pid:4711'],
  [
    `survey admin export ${survey} --output x.json`,
    "unknown option '--output'",
    'Write > FILE behind the command.',
  ],
  ['survey backup --out x', "unknown option '--out'", 'Leave the option out: the file is an argument.'],
  ['survey list', "unknown command 'survey list'", 'Did you mean kaiactl survey admin list?'],
  ['node lint kend.conf --report out.sarif', '--report out.sarif', 'Example: --report sarif=out.sarif'],
  ['node lint kend.conf --report html', '--report html', 'Example: --report html=report.html'],
  ['node audit --inventory hosts.txt', 'hosts.txt:1: http://127.0.0.1:1 is outside', '--targets-from reads'],
  ['node audit --targets-from fleet.ini', 'fleet.ini is an inventory', 'Write --inventory fleet.ini.'],
  ['-v', "unknown option '-v'", 'kaiactl --version prints the version'],
  ['version', "unknown command 'version'", 'Did you mean kaiactl --version?'],
  ['node kend.conf', "unknown command 'node kend.conf'", 'Did you mean kaiactl node lint kend.conf?'],
  ['http://127.0.0.1:8551', 'unknown command', 'Did you mean kaiactl node audit http://127.0.0.1:8551?'],
  ['node explain public', 'there is no rule public', 'Did you mean public-bind?'],
  [
    'node explain wildcard',
    'there is no rule wildcard',
    'wildcard-cors, wildcard-origins or wildcard-vhosts?',
  ],
  [
    'survey pay --price 1',
    '--buyer-address, --item-identifier, --name and --image-url are missing',
    'Nothing',
  ],
  ['node audit http://127.0.0.1:1 --timeout 0', '--timeout 0 is not a time', `${time} 1h.`],
  ['node watch http://127.0.0.1:1 --interval 0', '--interval 0 is not a time', `${time} 1h.`],
  [`survey join ${survey} --id-token abc`, "unknown option '--id-token'", 'options that end in -file'],
  [
    `survey join ${survey} --timeout 0 --api-url http://127.0.0.1:1`,
    '--timeout 0 is not a time',
    `${time} 596h.`,
  ],
])('%s', async (words, said, hint) => {
  const { code, stderr } = await kaiactl(words.split(' '), { cwd: folder });
  expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(said)]);
  expect(stderr.split('\n')[1]).toContain(hint);
});

test('an audit of a compose file that publishes nothing says that nothing is asked', async () => {
  put('compose.yaml', 'services:\n  en:\n    image: kaiachain/kaia:v2.0.0\n    command: ken --rpc\n');
  const { stderr } = await kaiactl(['node', 'audit', 'compose.yaml'], { cwd: folder });
  expect(stderr).toContain('nothing is asked; kaiactl node lint judges the file');
});

test.each([
  ['[node]\n\nignore = nonsense\n', 'kaiactl.ini:3 [node]: ignore: there is no rule nonsense'],
  ['[node]\nfoo = 1\n', 'kaiactl.ini:2 [node]: there is no key foo'],
  ['\n[nodes]\nfoo = 1\n', 'kaiactl.ini:2: unknown section nodes'],
])('the error of a kaiactl.ini has its line: %j', async (text, said) => {
  put('kaiactl.ini', text);
  const { stderr } = await kaiactl(['node', 'lint', 'kend.conf'], { cwd: folder });
  rmSync(join(folder, 'kaiactl.ini'));
  expect(stderr).toContain(said);
});

test.each([
  ['\n[node]\nfoo = 1\n', 'c.ini:3 [node] sets foo, which is not an option'],
  ['[node]\nfail-on = x\n', 'c.ini:2 [node] sets fail-on to “x”'],
  ['\n\n[nodes]\n', 'c.ini:3: unknown section [nodes]'],
])('and so has that of a settings file: %j', async (text, said) => {
  put('c.ini', text);
  const { stderr } = await kaiactl(['node', 'lint', '--config', 'c.ini', 'kend.conf'], { cwd: folder });
  expect(stderr).toContain(said);
});

test('a port in use is named once', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  const watch = await kaiactl(['node', 'watch', '--listen', `127.0.0.1:${port}`, 'http://127.0.0.1:1']);
  const serve = await kaiactl(['survey', 'serve', '--sandbox', '--port', port]);
  for (const { code, stderr } of [watch, serve]) {
    expect(code).toBe(2);
    expect(stderr).toContain(`kaiactl: cannot listen on 127.0.0.1:${port}: another process listens there\n`);
  }
  server.close();
});
