/** Files that are named one by one, and folders: what each is read with, and what is left out and said. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectValid } from '../../peers/report.js';
import { run } from '../offline.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-gather-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function lint(words: readonly string[], stdin = '') {
  const { code, out, err } = await run(['node', 'lint', '--format', 'json', ...words], {
    cwd: folder,
    stdin,
  });
  const targets = out === '' ? [] : expectValid(out).targets;
  const notes = err.split('\n').flatMap((line) => /^kaiactl: (.*)/.exec(line)?.[1] ?? []);
  return { code, targets, notes, err };
}

const conf = 'RPC_ENABLE=1\nRPC_API="eth"\nNETWORK=mainnet\nDATA_DIR=/d\n';
const start = '#!/bin/sh\nken --datadir /d --rpc --rpcapi eth,admin\n';
const other = 'lighthouse bn --http --http-address 0.0.0.0\n';
const relay = 'socat TCP-LISTEN:9000,fork TCP:127.0.0.1:8551 &\n';
const unit = '[Service]\nExecStart=/usr/bin/ken --datadir /d --rpc\n';

test.each<[what: string, file: string, text: string, code: number, found: readonly string[]]>([
  [
    'a relay of its own widens the reach',
    'start.sh',
    start.replace('ken', `${relay}ken`),
    1,
    ['start.sh any'],
  ],
  ['without one, the reach stays', 'start.sh', start, 0, ['start.sh loopback']],
  ['a relay that a conf runs widens the reach', 'kend.conf', conf + relay, 0, ['kend.conf any']],
  ['one in a substitution too', 'kend.conf', `${conf}X=$(${relay.slice(0, -3)})\n`, 0, ['kend.conf any']],
  [
    'a conf that only assigns words and flags runs no relay, whatever its folders are called',
    'kend.conf',
    `${conf}SUBPORT=$((PORT + 1)) # kong\nLOG_DIR=$DATA_DIR/kong\nADDITIONAL="--rpcaddr 127.0.0.1"\n`,
    0,
    ['kend.conf loopback'],
  ],
  [
    'a client beside the node is asked about',
    'start.sh',
    start + other,
    3,
    ['start.sh loopback', 'start.sh: lighthouse ? unjudged-node lighthouse'],
  ],
  [
    'a client alone is asked about',
    'other.sh',
    `#!/bin/sh\n${other}`,
    3,
    ['other.sh: lighthouse ? unjudged-node lighthouse'],
  ],
  [
    'a program that starts a node is asked about',
    'run.py',
    "import os\nos.system('ken --rpc')\n",
    3,
    ['run.py ? unfollowed-start run.py'],
  ],
])('a file alone: %s', async (_, file, text, code, found) => {
  put({ [file]: text });
  const { targets, ...ran } = await lint([file]);
  const lines = targets.flatMap(({ name, interfaces, undetermined }) => [
    ...interfaces.filter(({ transport }) => transport === 'http').map(({ reach }) => `${name} ${reach}`),
    ...undetermined.flatMap((one) => ('subject' in one ? [`${name} ? ${one.rule} ${one.subject}`] : [])),
  ]);
  expect({ code: ran.code, lines, notes: ran.notes }).toEqual({ code, lines: found, notes: [] });
});

test('a client on loopback alone needs no answer, and is said', async () => {
  put({ 'other.sh': '#!/bin/sh\nlighthouse bn --http\n' });
  expect(await lint(['other.sh'])).toMatchObject({
    code: 0,
    targets: [],
    notes: ['other.sh:2: lighthouse runs here, on loopback only · not judged'],
  });
});

test('notes on many clients that nobody else reaches are one', async () => {
  const names = ['a', 'b', 'c', 'd'].map((name) => `x/${name}.sh`);
  for (const name of names) put({ [name]: '#!/bin/sh\nlighthouse bn --http\n' });
  const many = 'starts of other clients open nothing, or on loopback only: not judged (--verbose lists them)';
  expect((await lint(['x'])).notes).toContain(`4 ${many}`);
  expect((await lint(['x', '--verbose'])).notes).toEqual(
    expect.arrayContaining(
      names.map((name) => `${name}:2: lighthouse runs here, on loopback only · not judged`),
    ),
  );
});

test('a script whose name says what it starts is asked about, unless it is beside the file or in it', async () => {
  const service = '[Service]\nExecStart=/opt/run-besu.sh\n';
  put({ 'el.service': service });
  const found = async () => {
    const { code, targets } = await lint(['el.service']);
    return [code, ...targets.map(({ name }) => name)];
  };
  expect(await found()).toEqual([3, 'el.service: besu']);
  put({ 'run-besu.sh': '#!/bin/sh\nbesu\n' });
  expect(await found()).toEqual([2, 'el.service']);
  rmSync(join(folder, 'run-besu.sh'));
  put({ 'el.service': `${service}ExecStartPre=/bin/sh -c "curl -s https://x.example > /opt/run-besu.sh"\n` });
  expect(await found()).toEqual([2, 'el.service']);
});

test('--skip-foreign skips a named file that starts no node, unless its name is that of a conf', async () => {
  put({ 'notes.txt': 'hello\n', 'kend.conf': 'a: b\n' });
  expect(await lint(['--skip-foreign', 'notes.txt'])).toMatchObject({
    code: 0,
    targets: [],
    notes: ["skipped notes.txt: not a node's settings: no launcher reads any of its variables"],
  });
  expect((await lint(['notes.txt'])).code).toBe(2);
  expect(await lint(['--skip-foreign', 'kend.conf'])).toMatchObject({
    code: 2,
    targets: [{ name: 'kend.conf' }],
  });
});

test('an empty path is refused, and the others are read', async () => {
  put({ 'kend.conf': conf });
  const { code, targets, err } = await lint(['', 'kend.conf']);
  expect([code, targets.map(({ name }) => name)]).toEqual([2, ['kend.conf']]);
  expect(err).toBe('kaiactl: a path is empty\n  Name a file, or . for this folder.\n');
});

test('files of a folder that are not read are counted, and listed with --verbose', async () => {
  put({ 'a/kend.conf': conf, 'a/notes.txt': 'hello\n', 'a/more.txt': 'hello\n', 'a/old/kend.conf': conf });
  const counted = '2 other files: no node is read from them (--verbose lists them)';
  expect((await lint(['a'])).notes).toEqual([counted]);
  const { notes, targets } = await lint(['a', '-v', '--exclude', 'old']);
  expect(notes).toEqual([
    '2 other files: no node is read from them:',
    '  a/more.txt',
    '  a/notes.txt',
    '1 path excluded',
  ]);
  expect(targets.map(({ name }) => name)).toEqual(['a/kend.conf']);
});

test.each(['old', './old', './old/', '/old', '$PWD/a/old'])('--exclude %s', async (pattern) => {
  put({ 'a/kend.conf': conf, 'a/old/kend.conf': conf, 'a/b/old/kend.conf': conf });
  const { targets } = await lint(['a', '--exclude', pattern.replace('$PWD', folder)]);
  const below = pattern === 'old' ? [] : ['a/b/old/kend.conf'];
  expect(targets.map(({ name }) => name)).toEqual([...below, 'a/kend.conf']);
});

test('files of proxies that say who reaches a node are counted as such', async () => {
  put({
    'a/kend.conf': conf,
    'a/notes.txt': 'hello\n',
    'a/nginx.conf': 'http { include rpc.conf; }\n',
    'a/rpc.conf': 'server { listen 80; location / { proxy_pass http://127.0.0.1:8551; } }\n',
    'a/other.conf': 'server { listen {{ port }}; location / { proxy_pass http://127.0.0.1:8551; } }\n',
  });
  expect((await lint(['a'])).notes).toEqual([
    '2 files of proxies: read for who reaches a node (--verbose lists them)',
    '2 other files: no node is read from them (--verbose lists them)',
  ]);
  expect((await lint(['a', '-v'])).notes).toEqual([
    '2 files of proxies: read for who reaches a node:',
    '  a/nginx.conf',
    '  a/rpc.conf',
    '2 other files: no node is read from them:',
    '  a/notes.txt',
    '  a/other.conf',
  ]);
});

test('a folder with rules of a firewall says that they narrow nothing, and with --verbose which file', async () => {
  put({ 'a/kend.conf': conf, 'a/fw.sh': '#!/bin/sh\niptables -A INPUT -p tcp --dport "$PORT" -j DROP\n' });
  const said =
    'no firewall narrows who reaches a node: the rules in 1 file are not read; --assume-reach states what a firewall closes';
  expect((await lint(['a', '-v'])).notes).toEqual(expect.arrayContaining([`${said}:`, '  a/fw.sh']));
  expect((await lint(['a'])).notes).toContain(`${said} (--verbose lists them)`);
});

test('a folder without a node is refused by its name', async () => {
  put({ 'a/notes.txt': 'hello\n' });
  const { code, err } = await lint(['a']);
  expect(code).toBe(2);
  expect(err).toMatch(/^kaiactl: a holds no node's settings$/m);
  expect(err).not.toContain('recognised');
  expect((await lint(['a', '-v'])).err).toMatch(/^kaiactl: a holds no .*\n {2}A conf is recognised /m);
});

test('what calls the node in a file is said with its finding, also beside it in a folder', async () => {
  const call = `curl -d '{"method":"admin_peers"}' http://127.0.0.1:8551\n`;
  const shown = async (...words: string[]) =>
    JSON.stringify((await lint(words)).targets.find(({ name }) => name.endsWith('start.sh')));
  put({ 'start.sh': start + call, 'a/start.sh': start, 'a/call.sh': `#!/bin/sh\n${call}` });
  expect(await shown('start.sh')).toContain('start.sh:3');
  expect(await shown('a')).toContain('a/call.sh:2');
  put({ 'start.sh': start });
  expect(await shown('start.sh')).not.toContain('start.sh:3');
});

test('the release of a kaiactl.ini counts, but for an option on the command line', async () => {
  put({
    'kaiactl.ini': '[node]\nnode-version = v1.0.0\nnode-version[] = v1.9.0\n',
    'a/kend.conf': conf,
    'a/en.service': unit,
  });
  const releases = async (...words: string[]) =>
    (await lint(words)).targets.map(({ release }) => release?.value);
  expect(await releases('a/kend.conf')).toEqual(['klaytn/v1.9.0']);
  expect(await releases('a')).toEqual(['klaytn/v1.9.0', 'klaytn/v1.9.0']);
  expect(await releases('a/kend.conf', '--node-version', 'v1.8.0')).toEqual(['klaytn/v1.8.0']);
  put({ 'kaiactl.ini': '[node]\nnode-version = new\n' });
  expect(await lint(['a/kend.conf'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('kaiactl.ini:2 [node]: node-version new is not a version'),
  });
});

test('the release of a kaiactl.ini does not beat the tag of an image', async () => {
  const compose = (tag: string) =>
    `services:\n  n:\n    image: ethereum/client-go${tag}\n    command: --http\n`;
  put({
    'kaiactl.ini': '[node]\nnode-version = v1.16.0\n',
    'tagged/compose.yml': compose(':v1.13.14'),
    'latest/compose.yml': compose(''),
  });
  const releases = async (...words: string[]) =>
    (await lint(words)).targets.map(({ release }) => release?.value);
  expect(await releases('tagged')).toEqual(['geth/v1.13.14']);
  expect(await releases('latest')).toEqual(['geth/v1.16.0']);
  expect(await releases('tagged/compose.yml', '--node-version', 'v1.15.0')).toEqual(['geth/v1.15.0']);
});

test('what is excluded stays so where a file is named, and is said', async () => {
  put({
    'kaiactl.ini': '[node]\nexclude = old/\n',
    'old/deep/kend.conf': conf,
    'new/kend.conf': conf,
    'kend.conf': conf,
  });
  const judged = async (...words: string[]) => {
    const { targets, notes } = await lint(words);
    return [...targets.map(({ name }) => name), ...notes];
  };
  const old = 'old/deep/kend.conf is excluded';
  expect(await judged('old/deep/kend.conf', 'kend.conf')).toEqual(['kend.conf', old]);
  expect(await judged('new/kend.conf', 'kend.conf', '--exclude', 'new/')).toEqual([
    'kend.conf',
    'new/kend.conf is excluded',
  ]);
  expect((await lint(['old/deep/kend.conf', '--skip-foreign'])).code).toBe(0);
});

test('kaiactl.ini excludes paths below its folder, and --exclude below the folder asked for', async () => {
  put({
    'kaiactl.ini': '[node]\nexclude = a/old\n',
    'a/kend.conf': conf,
    'a/old/kend.conf': conf,
    'a/b/kend.conf': conf,
  });
  const names = async (...words: string[]) => (await lint(words)).targets.map(({ name }) => name);
  expect(await names('a')).toEqual(['a/b/kend.conf', 'a/kend.conf']);
  expect(await names('a', '--exclude', '/b')).toEqual(['a/kend.conf']);
  expect(await names('a', '--exclude', 'a/b')).toEqual(['a/b/kend.conf', 'a/kend.conf']);
});
