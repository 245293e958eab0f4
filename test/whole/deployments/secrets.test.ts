/** Files of keys and tokens that starts of every kind name: their modes, and whether the repository or the public has them. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The secret of ethereum/hive: these 32 letters. */
const publicSecret = Buffer.from('secret'.repeat(6).slice(0, 32)).toString('hex');
const ownSecret = '5'.repeat(64);

function write(name: string, text: string, mode = 0o644): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** `severity rule subject` of the findings about secrets. */
async function findings(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await kaiactl(['node', 'lint', ...args, '--format', 'json'], { cwd: folder });
  expect(stdout).not.toContain(publicSecret);
  expect(stdout).not.toContain(ownSecret);
  const rules = ['secret-in-conf', 'loose-permissions', 'engine-reach'];
  return (JSON.parse(stdout) as Report).targets
    .flatMap((one) => one.findings)
    .filter(({ rule }) => rules.includes(rule))
    .map(({ severity, rule, subject }) => `${severity} ${rule} ${subject}`)
    .sort();
}

test('a secret of a compose file is told for the services that have it', async () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const image = '    image: ethereum/client-go:v1.15.0\n    command: --http --http.api eth\n';
  const own = (name: string, more: string) => `  ${name}:\n${image}${more}`;
  const services = [
    own('a', ''),
    own('b', '    secrets: [jwt]\n'),
    '  c: {extends: b}\n',
    own('d', '    volumes: [./keys/jwt.hex:/jwt.hex]\n'),
  ];
  write('compose.yaml', `services:\n${services.join('')}secrets:\n  jwt: {file: ./jwt.hex}\n`);
  write('jwt.hex', ownSecret);
  write('keys/jwt.hex', ownSecret);
  execFileSync('git', ['add', '.'], { cwd: folder });
  const { stdout } = await kaiactl(['node', 'lint', '--format', 'json', 'compose.yaml'], { cwd: folder });
  const found = (JSON.parse(stdout) as Report).targets.flatMap((one) => one.findings);
  const secrets = found.filter(({ rule }) => rule === 'secret-in-conf');
  expect(secrets.map(({ subject, targets }) => [subject, targets ?? 'one'])).toEqual([
    ['jwt.hex', ['compose.yaml: b', 'compose.yaml: c']],
    ['keys/jwt.hex', 'one'],
  ]);
});

/** A key, and a password that nobody has. */
const key = '7f3a91c2'.repeat(8);
const password = 'Tr0mbone-77q';
const geth = 'geth --http --http.addr 0.0.0.0';
const play = (task: string) =>
  `- hosts: nodes\n  tasks:\n${task}    - shell: ${geth} --unlock 0 --password /etc/geth/pw\n`;
const container = (args: string, more = '') =>
  `services:\n  geth:\n    image: ethereum/client-go:v1.13.15\n    entrypoint: ${args}\n${more}`;

/** A start's file, the files beside it, and where the secret is told. */
const told: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'an argument echoes it',
    { 'compose.yaml': container(`sh -c "echo ${password} > /pw && ${geth} --password /pw"`) },
    'compose.yaml:4',
  ],
  [
    'printf pipes it',
    { 'run.sh': `printf '%s' ${password} | tee /etc/auth\n${geth} --unlock 0 --password /etc/auth\n` },
    'run.sh:1',
  ],
  [
    'a process substitution prints it',
    { 'run.sh': `${geth} --unlock 0 --password <(echo ${password})\n` },
    'run.sh:1',
  ],
  [
    'echo answers the prompt of a new account',
    { 'run.sh': `echo "${password}" | geth account new\n${geth}\n` },
    'run.sh:1',
  ],
  [
    'a here-document writes it',
    { 'run.sh': `cat > /tmp/pw <<EOF\n${password}\nEOF\n${geth} --unlock 0 --password /tmp/pw\n` },
    'run.sh:2',
  ],
  [
    'a file of an image is written in place',
    {
      Dockerfile: `FROM ethereum/client-go:v1.10.0\nCOPY <<EOF /jwt.hex\n${key}\nEOF\nENTRYPOINT ["geth", "--authrpc.jwtsecret", "/jwt.hex"]\n`,
    },
    'Dockerfile:3',
  ],
  [
    'a task writes it',
    { 'site.yml': play(`    - copy:\n        content: '${password}'\n        dest: /etc/geth/pw\n`) },
    'site.yml:4',
  ],
  [
    'a task copies it',
    {
      'site.yml': play('    - copy: src=account.secret dest=/etc/geth/pw\n'),
      'files/account.secret': password,
    },
    'files/account.secret',
  ],
  [
    'variables of a group hold it',
    { 'site.yml': play(''), 'group_vars/all.yml': `node_key: "${key}"\n` },
    'group_vars/all.yml',
  ],
  [
    'an inventory holds it',
    { 'site.yml': play(''), 'hosts.ini': `[nodes]\nn1 nodekeyhex=${key}\n` },
    'hosts.ini',
  ],
  [
    'a mounted key has any name',
    {
      'compose.yaml': container(`${geth} --nodekey /data/id`, '    volumes: [./node1:/data]\n'),
      'node1/id': key,
    },
    'node1/id',
  ],
  [
    'a mounted password has any name',
    {
      'compose.yaml': container(
        `${geth} --unlock 0 --password /x/pw`,
        '    volumes: ["./cfg/unlock-me:/x/pw:ro"]\n',
      ),
      'cfg/unlock-me': password,
    },
    'cfg/unlock-me',
  ],
  [
    'a variable of a container holds it',
    {
      'k8s.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: geth\n      image: ethereum/client-go:v1.13.15\n      args: [--http]\n      env:\n        - name: ETH_PASSWORD\n          value: ${password}\n`,
    },
    'k8s.yaml:11',
  ],
  [
    'a call imports it',
    { 'run.sh': `${geth}\ngeth attach --exec 'personal.importRawKey("${key}", "${password}")'\n` },
    'run.sh:2',
  ],
];

test.each(told)('a secret is told where %s', async (_, files, place) => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  for (const [name, text] of Object.entries(files)) write(name, text);
  execFileSync('git', ['add', '.'], { cwd: folder });
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  const found = (JSON.parse(stdout) as Report).targets.flatMap((one) => one.findings);
  const places = found
    .filter(({ rule }) => rule === 'secret-in-conf')
    .map(({ at, subject }) => (subject === 'line' && 'line' in at ? `${at.file}:${at.line}` : subject));
  expect(places.map((at) => at.replace(/^line /, '')).join(' ')).toContain(place);
  expect(stdout).not.toContain(password);
  expect(stdout).not.toContain(key);
});

test.each([
  ['a placeholder', 'PRIVATE_KEY=your-private-key', ''],
  ['zeros', `PRIVATE_KEY=0x${'0'.repeat(64)}`, ''],
  ['digits in a row', `PRIVATE_KEY=${'1234567890abcdef'.repeat(4)}`, ''],
  ['an encrypted value', 'NODE_PASSWORD=ENC[AES256_GCM,data:aaaa,iv:bbbb]', ''],
  ['a path', 'KEYSTORE_PASSWORD=/run/secrets/pw', ''],
  ['an address', `SIGNER_KEY=0x${'7f3a91c2'.repeat(5)}`, ''],
  ['a variable', 'WALLET_PASS=$WALLET', ''],
  [
    'the key of a public development network',
    'PRIVATE_KEY=2e0834786285daccd064ca17f1654f67b4aef298acbb82cef9ec422fb4975622',
    '',
  ],
  ['a line of a file of users', 'A=1', "echo 'geth:x:30303:30303:daemon:/opt:/bin/false' > /tmp/passwd\n"],
  ['a flag that no value follows', 'A=1', 'cmd="$cmd \\\n  --reuse-password"\nfi\n'],
])('%s is no secret', async (_, line, behind) => {
  write('run.sh', `export ${line}\n${behind}${geth}\n`);
  expect((await findings('run.sh')).filter((one) => one.includes('secret-in-conf'))).toEqual([]);
});

const compose = `services:
  geth:
    image: ethereum/client-go:v1.15.0
    command: --authrpc.addr 0.0.0.0 --authrpc.jwtsecret /jwt/jwt.hex --nodekey /jwt/nodekey --keystore /jwt/keystore
    ports: ["8551:8551"]
    volumes: ["./secrets:/jwt:ro"]
`;
const script = '#!/bin/sh\ngeth --authrpc.addr 10.0.0.1 --authrpc.jwtsecret secrets/jwt.hex\n';
const unit = '[Service]\nExecStart=/usr/bin/geth --authrpc.jwtsecret FOLDER/secrets/jwt.hex\n';
const dockerfile =
  'FROM ethereum/client-go:v1.15.0\nCOPY secrets /etc/secrets\nENTRYPOINT ["geth", "--nodekey", "/etc/secrets/nodekey"]\n';
const run = '#!/bin/sh\ndocker run -v ./secrets:/s ethereum/client-go:v1.15.0 --nodekey /s/nodekey\n';

test.each([
  ['compose.yaml', compose, ['high engine-reach authrpc 0.0.0.0', 'jwt.hex', 'keystore/UTC--1', 'nodekey']],
  ['start.sh', script, ['medium engine-reach authrpc 10.0.0.1', 'jwt.hex', './nodekey']],
  ['geth.service', unit, ['jwt.hex', './nodekey']],
  ['Dockerfile', dockerfile, ['jwt.hex', 'nodekey']],
  ['run.sh', run, ['jwt.hex', 'nodekey']],
])('files of secrets that %s names in a checkout are no secrets', async (name, text, expected) => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  write(name, text.replace('FOLDER', folder));
  write('secrets/jwt.hex', ownSecret);
  write('secrets/nodekey', ownSecret, 0o600);
  write('secrets/keystore/UTC--1', '{}');
  write('secrets/keystore/.gitkeep', '');
  const shown = name === 'geth.service' ? `${folder}/secrets` : 'secrets';
  const named = expected.map((one) =>
    / /.test(one)
      ? one
      : `high secret-in-conf ${one.startsWith('./') ? `secrets${one.slice(1)}` : `${shown}/${one}`}`,
  );
  expect(await findings(name)).toEqual(named.sort());
  write('.gitignore', 'secrets/\n');
  chmodSync(join(folder, 'secrets/jwt.hex'), 0o600);
  chmodSync(join(folder, 'secrets/keystore'), 0o700);
  chmodSync(join(folder, 'secrets/keystore/UTC--1'), 0o640);
  const unseen = expected.filter((one) => / /.test(one)).map((one) => one.replace(/^\w+/, 'medium'));
  expect(await findings(name)).toEqual(name === 'start.sh' ? ['low engine-reach authrpc 10.0.0.1'] : unseen);
});

test.each([
  ['compose.yaml', compose.replace(/ --nodekey.*/, '')],
  ['start.sh', script],
  ['geth.service', unit],
])('modes of files that %s names are checked outside of a checkout', async (name, text) => {
  write(name, text.replace('FOLDER', folder), 0o640);
  write('secrets/jwt.hex', ownSecret, 0o646);
  const shown = name === 'geth.service' ? `${folder}/secrets` : 'secrets';
  expect(await findings(name)).toContain(`high loose-permissions ${shown}/jwt.hex`);
});

test('a file of a command line is found in the folder of the run', async () => {
  write('jwt.hex', ownSecret);
  const words = ['--command-line', 'geth --authrpc.jwtsecret ./jwt.hex'];
  expect(await findings(...words)).toEqual(['medium loose-permissions jwt.hex']);
});

test.each([
  ['compose.yaml', compose, `0x${publicSecret.toUpperCase()}\n`, 'critical'],
  ['start.sh', script, publicSecret, 'high'],
  ['start.sh', script.replace('10.0.0.1', '127.0.0.1'), publicSecret, null],
])('severity of a public secret follows from who reaches the engine API of %s', async (...row) => {
  const [name, text, secret, severity] = row;
  write(name, text);
  write('secrets/jwt.hex', secret, 0o600);
  const found = (await findings(name)).filter((one) => one.includes('engine-reach'));
  expect(found.map((one) => one.split(' ')[0])).toEqual(severity === null ? [] : [severity]);
});

test('a public secret in the environment, or that a script writes, is recognised', async () => {
  const written = `#!/bin/sh\necho ${publicSecret} > /tmp/jwt\ngeth --authrpc.addr 0.0.0.0 --authrpc.jwtsecret /tmp/jwt\n`;
  write('start.sh', written);
  expect(await findings('start.sh')).toContain('critical engine-reach authrpc 0.0.0.0');
  const variable = `    environment: { OP_NODE_L2_ENGINE_AUTH_RAW: "${publicSecret}" }\n`;
  write('compose.yaml', compose + variable);
  expect(await findings('compose.yaml')).toContain('critical engine-reach authrpc 0.0.0.0');
  write('compose.yaml', compose + variable.replace(publicSecret, ownSecret));
  expect(await findings('compose.yaml')).toContain('medium engine-reach authrpc 0.0.0.0');
});

test('files of a checkout that a group can write are no finding', async () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const conf = 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n';
  write('kend.conf', conf, 0o664);
  write('compose.yaml', compose, 0o666);
  expect(await findings('.')).toEqual(['medium engine-reach authrpc 0.0.0.0']);
});

const beside = `services:
  geth: { image: "ethereum/client-go:v1.15.0" }
  op-node:
    image: op-node:v1.9.0
    command: op-node --l2.jwt-secret=/jwt.txt --signer.password /run/pass
    volumes: ["./shared/jwt.txt:/jwt.txt", "\${PWD}/other:/run", "./data:/data"]
`;

test('secrets of a checkout that a client beside the node mounts are no secrets', async () => {
  mkdirSync(join(folder, '.github'));
  write('compose.yaml', beside);
  write('shared/jwt.txt', `0x${ownSecret.replace('5', '6')}\n`);
  write('other/pass', 'correct horse\n');
  write('other/password.example', 'correct horse\n');
  write('other/wallet-password', '<your password>\n');
  write('other/secret.txt', 'how to set the secret\nsee above\n');
  write('other/nodekey', '0'.repeat(64));
  write('other/UTC--2024', '{"crypto":{"cipher":"aes-128-ctr","ciphertext":"1a2b"}}');
  write('other/jwt.hex', '');
  const found = ['other/UTC--2024', 'shared/jwt.txt'];
  const { stdout } = await kaiactl(['node', 'lint', 'compose.yaml', '--format', 'json'], { cwd: folder });
  expect(stdout).toContain('can use it (with 1 more file)');
  expect(await findings('compose.yaml')).toEqual(found.map((one) => `high secret-in-conf ${one}`));
  write('.gitignore', 'shared\nother/\n');
  expect(await findings('compose.yaml')).toEqual([]);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['data', `data: { jwt.hex: ${base64(ownSecret)} }`, ['jwt.hex']],
  ['stringData', `stringData: { password: hunter2, nodekey: "${ownSecret}" }`, ['line', 'password']],
  ['no value', 'data: { jwt.hex: "" }\nstringData: { password: "<password>" }', []],
  ['a value of a template', 'stringData: { password: "{{ .Values.password }}", jwt.hex: "${JWT}" }', []],
])('a Secret of a checkout that a node mounts holds no secret in its %s', async (_, data, keys) => {
  mkdirSync(join(folder, '.github'));
  write('secret.yaml', `apiVersion: v1\nkind: Secret\nmetadata: { name: keys }\n${data}\n`);
  write(
    'geth.yaml',
    `apiVersion: v1
kind: Pod
metadata: { name: geth }
spec:
  containers:
    - name: geth
      image: ethereum/client-go:v1.15.0
      volumeMounts: [{ name: keys, mountPath: /keys }]
  volumes: [{ name: keys, secret: { secretName: keys } }]
`,
  );
  const expected = keys.map(
    (key) =>
      `${key === 'password' ? 'medium' : 'high'} secret-in-conf ${key === 'line' ? key : `secret.yaml: Secret/keys ${key}`}`,
  );
  expect(await findings('.')).toEqual(expected);
});

const pod = (container: string, volumes = '[]') => `apiVersion: v1
kind: Pod
metadata: { name: geth }
spec:
  containers:
    - { name: geth, image: "ethereum/client-go:v1.15.0", ${container} }
  volumes: ${volumes}
`;
const keyRef = (kind: string) => `{ ${kind}KeyRef: { name: keys, key: node } }`;
const object = (kind: string, data: string) =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: { name: keys }\n${data}\n`;

test.each([
  [
    'a variable from a Secret',
    pod(`args: [--nodekeyhex, $(NODEKEY)], env: [{ name: NODEKEY, valueFrom: ${keyRef('secret')} }]`),
    object('Secret', `data: { node: ${base64(ownSecret)}, jwt.hex: ${base64(ownSecret)} }`),
    ['high keys.yaml: Secret/keys jwt.hex', 'high keys.yaml: Secret/keys node'],
  ],
  [
    'all variables of a Secret',
    pod('envFrom: [{ secretRef: { name: keys } }]'),
    object('Secret', `data: { GETH_NODEKEYHEX: ${base64(ownSecret)}, PASSWORD: ${base64('/run/pw')} }`),
    ['high keys.yaml: Secret/keys GETH_NODEKEYHEX'],
  ],
  [
    'a ConfigMap as a volume',
    pod('volumeMounts: [{ name: k, mountPath: /k }]', '[{ name: k, configMap: { name: keys } }]'),
    object('ConfigMap', `data: { nodekey: "${ownSecret}", password: hunter2, passwords.sh: hunter2 }`),
    ['high line', 'medium keys.yaml: ConfigMap/keys password'],
  ],
  [
    'a Secret that no variable reads',
    pod(`env: [{ name: NODEKEY, valueFrom: ${keyRef('configMap')} }]`),
    object('Secret', `data: { node: ${base64(ownSecret)} }`),
    [],
  ],
])('the key in %s is no secret in a checkout', async (_, workload, keys, expected) => {
  mkdirSync(join(folder, '.github'));
  write('pod.yaml', workload);
  write('keys.yaml', keys);
  expect(await findings('.')).toEqual(expected.map((one) => one.replace(' ', ' secret-in-conf ')));
});

const lighthouse = (line: string) => `services:
  beacon:
    image: sigp/lighthouse:v5.0.0
${line}    command: lighthouse bn --execution-jwt keys/jwt.hex
`;

test.each([
  [
    'compose.yaml',
    'services: { el: { image: "ghcr.io/paradigmxyz/reth:v1.3.0", command: "node --authrpc.jwtsecret keys/jwt.hex" } }',
  ],
  ['start.sh', '#!/bin/sh\nreth node --http --http.addr 0.0.0.0 --authrpc.jwtsecret keys/jwt.hex\n'],
  ['compose.yaml', lighthouse('')],
])('the key in a checkout of a client that is not judged is no secret: %s', async (name, text) => {
  mkdirSync(join(folder, '.github'));
  write(name, text);
  write('keys/jwt.hex', ownSecret);
  expect(await findings('.')).toEqual(['high secret-in-conf keys/jwt.hex']);
  expect(await findings(name)).toEqual(['high secret-in-conf keys/jwt.hex']);
  write('.gitignore', 'keys\n');
  const { code, stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  expect([0, 3]).toContain(code);
  expect(stdout).not.toContain('secret-in-conf high');
});

test('a comment suppresses the key of a client that is not judged', async () => {
  mkdirSync(join(folder, '.github'));
  write('keys/jwt.hex', ownSecret);
  write('compose.yaml', lighthouse('    # kaiactl-ignore secret-in-conf(keys/jwt.hex) reason="a devnet"\n'));
  const { code, stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Report).summary.suppressed).toBe(1);
});

test.each(['files/password', '../files/password'])(
  'the password that a task copies is found in %s',
  async (at) => {
    mkdirSync(join(folder, '.github'));
    const isRole = at.startsWith('..');
    const tasks =
      '- copy: { src: password, dest: /etc/geth/password }\n- shell: geth --http --password /etc/geth/password\n';
    if (isRole) write('roles/geth/tasks/main.yml', tasks);
    write(
      'play.yml',
      isRole
        ? '- hosts: all\n  roles: [geth]\n'
        : `- hosts: all\n  tasks:\n${tasks.replace(/^/gm, '    ').trimEnd()}\n`,
    );
    const path = isRole ? 'roles/geth/files/password' : 'files/password';
    write(path, 'correct horse\n');
    expect(await findings('.')).toEqual([`medium secret-in-conf ${path}`]);
  },
);
