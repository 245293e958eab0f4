/** Sentences and programs that public projects showed to be judged wrongly. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../offline.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-believable-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function lint(files: Readonly<Record<string, string>>): Promise<Report['targets']> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { out } = await run(['node', 'lint', folder, '--format', 'json']);
  return out === '' ? [] : (JSON.parse(out) as Report).targets;
}

const kindsOf = async (files: Readonly<Record<string, string>>) =>
  (await lint(files)).map(({ kind }) => kind);

test('flags that one kind alone has outvote the name of an image', async () => {
  const compose = (words: string) =>
    `services:\n  geth:\n    image: acme/l2geth:local\n    command: geth ${words}\n    ports: ["8545:8545"]\n`;
  expect(await kindsOf({ 'compose.yml': compose('--rpc --rpcapi eth') })).toEqual(['geth']);
  expect(await kindsOf({ 'compose.yml': compose('--http --rollup.disabletxpoolgossip=true') })).toEqual([
    'op-geth',
  ]);
});

test('pages are kept out unless every Host name is accepted', async () => {
  const worst = async (release: string, words: string) => {
    const command = `geth --rpc --rpcapi eth,admin,debug ${words}`;
    const asked = ['node', 'lint', '--format', 'json', '--node-version', release, '--command-line', command];
    const [target] = (JSON.parse((await run(asked)).out) as Report).targets;
    const [first] = target?.findings ?? [];
    return [first?.severity, target?.interfaces.find(({ transport }) => transport === 'http')?.browsers];
  };
  expect(await worst('v1.8.0', '')).toEqual(['medium', 'none']);
  expect(await worst('v1.8.0', '--rpcvhosts "*"')).toEqual(['critical', 'any page']);
});

test.each([
  'ken –rpc --rpcapi klay,personal --datadir data\n',
  'geth --http --http.api “eth,net” --datadir data\n',
])('a start with a typographic mark is judged as it is meant, and is a question: %s', async (text) => {
  const [target] = await lint({ 'start.sh': text });
  expect(target?.verdict).toBe('undetermined');
  expect(target?.undetermined).toMatchObject([
    { rule: 'malformed-flag', reason: expect.stringContaining('is not known') },
  ]);
  expect(target?.interfaces.find(({ transport }) => transport === 'http')?.state).not.toBe('closed');
});

test('a program is that of the project it is built from', async () => {
  const unit = (path: string) => `[Service]\nExecStart=${path} --datadir node --http\n`;
  expect(await kindsOf({ 'geth.service': unit('/opt/bsc/build/bin/geth') })).toEqual(['bsc']);
  expect(await kindsOf({ 'geth.service': unit('/opt/go-ethereum/build/bin/geth') })).toEqual(['geth']);
});

test('quotes around the value of another client are no part of it', async () => {
  const command =
    '      --rpc-http-enabled\n      --rpc-http-host="0.0.0.0"\n      --rpc-http-apis="ETH,NET"\n';
  const [target] = await lint({
    'compose.yml': `services:\n  besu:\n    image: hyperledger/besu:24.1.0\n    network_mode: host\n    command: >\n${command}`,
  });
  expect(target?.undetermined.map(({ reason }) => reason).join()).toContain(
    'http on 0.0.0.0:8545, modules ETH,NET',
  );
});

test.each([
  ['summary: "geth runs with --http.api admin; restart it"'],
  ['description: |\n    Start geth --http --http.api admin,debug\n    on this machine.'],
])('what a key says to people starts nothing: %s', async (text) => {
  expect(await lint({ 'alerts.yml': `annotations:\n  ${text}\n` })).toEqual([]);
});

test('the test of a role finds the role that it is in', async () => {
  const targets = await lint({
    'roles/erigon/tasks/main.yml': '- command: erigon --datadir /d\n',
    'roles/erigon/tests/test.yml': '- hosts: localhost\n  roles:\n    - erigon\n',
  });
  const open = targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));
  expect(open.filter((reason) => reason.includes('not among the files'))).toEqual([]);
});

test('an address in a list of Host names matches no caller', async () => {
  const words = '--authrpc.vhosts 0.0.0.0 --http --http.vhosts 0.0.0.0,10.0.0.1,localhost';
  const [target] = await lint({ 'run.sh': `#!/bin/sh\ngeth ${words}\n` });
  const dead = target?.findings.filter(({ rule }) => rule === 'unmatchable-entry') ?? [];
  expect(dead.map(({ subject }) => subject).sort()).toEqual(['--authrpc.vhosts', '--http.vhosts']);
});

test.each(['"', "'"])('a list in the quotes %s of a word gets an edit', async (quote) => {
  const start = (list: string) =>
    `#!/bin/sh\ngeth --http --http.addr 127.0.0.1 --http.corsdomain=x --http.api=${quote}${list}${quote}\n`;
  await lint({ 'run.sh': start('admin,debug,eth') });
  await run(['node', 'lint', join(folder, 'run.sh'), '--fix', '--unsafe-fixes']);
  expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toContain(`--http.api=${quote}eth${quote}`);
});

const levelsOf = (targets: Report['targets'], rule: string) =>
  targets.flatMap(({ findings }) =>
    findings.filter((one) => one.rule === rule).map(({ severity, subject }) => [severity, subject]),
  );

test('of the modules of a list, the first is named by the others, which keep their severity', async () => {
  const targets = await lint({
    'compose.yml':
      'services:\n  reth:\n    image: ghcr.io/paradigmxyz/reth:v1.9.4\n    command: node --http --http.addr 0.0.0.0 --http.api eth,txpool,debug,trace\n    ports: ["8545:8545"]\n',
  });
  expect(levelsOf(targets, 'privileged-module')).toEqual([
    ['medium', 'http txpool'],
    ['medium', 'http debug'],
    ['medium', 'http trace'],
  ]);
  const [first, ...others] = targets[0]?.findings.filter(({ rule }) => rule === 'privileged-module') ?? [];
  expect(others.map(({ saidBy }) => saidBy)).toEqual([first?.fingerprint, first?.fingerprint]);
});

test('a module that few releases offer does not stand for one that all do', async () => {
  const targets = await lint({
    'run.sh': '#!/bin/sh\ngeth --http --http.api eth,engine,admin --authrpc.vhosts=x\n',
  });
  expect(levelsOf(targets, 'privileged-module')).toContainEqual(['medium', 'http admin']);
});

test('http and ws at one port are published once', async () => {
  const list = 'eth,net,txpool';
  const targets = await lint({
    'compose.yml': `services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${list} --ws --ws.addr 0.0.0.0 --ws.port 8545 --ws.api eth\n    ports: ["8545:8545"]\n`,
  });
  expect(levelsOf(targets, 'public-bind').map(([severity]) => severity)).toEqual(['medium']);
  expect(levelsOf(targets, 'privileged-module')).toEqual([['medium', 'http txpool']]);
});

test('the tag of an image of one’s own is no release of geth', async () => {
  const run = 'docker run -p 8545:8545 acme/client-go:v0.0.1 --nousb --rpc --rpcaddr 0.0.0.0\n';
  const targets = await lint({ 'run.sh': `#!/bin/sh\n${run}` });
  expect(levelsOf(targets, 'removed-flag')).toEqual([]);
  expect(targets[0]?.findings.map(({ message }) => message).join()).not.toContain('v0.0.1');
});

test('a value that a template fills in is not known, and refuses no start', async () => {
  const [target] = await lint({
    'run.sh': "#!/bin/sh\ngeth --networkid '{{ id }}' --http --http.api eth,debug --http.addr 0.0.0.0\n",
  });
  expect(target?.findings.map(({ rule }) => rule)).not.toContain('malformed-flag');
  expect(target?.findings.map(({ severity }) => severity)).toContain('critical');
});

test('a module list that the script requires is set elsewhere', async () => {
  const start = 'geth --http --http.addr 0.0.0.0 --http.api "$APIS"\n';
  const rules = async (check: string) =>
    (await lint({ 'run.sh': `#!/bin/bash\n${check}${start}` })).flatMap(({ findings }) =>
      findings.map(({ rule }) => rule),
    );
  expect(await rules('')).toContain('everything-offered');
  expect(await rules('if [ -z "$APIS" ]; then\n  exit 1\nfi\n')).not.toContain('everything-offered');
  const loop =
    'vars=(\n  "APIS"\n)\nfor v in "${vars[@]}"; do\n  if [[ -z "${!v}" ]]; then\n    exit 1\n  fi\ndone\n';
  expect(await rules(loop)).not.toContain('everything-offered');
  expect(await rules(loop.replace('"APIS"', '"OTHER"'))).toContain('everything-offered');
});

test('a command that prints a compose project starts none', async () => {
  const compose =
    'services:\n  geth:\n    image: ethereum/client-go:${TAG}\n    command: --http\n    ports: ["8545:8545"]\n';
  const names = async (verb: string) =>
    (
      await lint({
        'compose.yml': compose,
        'other.env': 'TAG=v1.13.0\n',
        'check.sh': `#!/bin/sh\ndocker compose --env-file other.env ${verb}\n`,
      })
    ).map(({ name }) => name.replace(/.*\//, ''));
  expect(await names('config --quiet')).toEqual(['compose.yml: geth']);
  expect(await names('up -d')).toHaveLength(2);
});

test('an unknown word gives an interface no address that is not written', async () => {
  const levels = async (words: string) =>
    (await lint({ 'run.sh': `#!/bin/sh\ngeth ${words}\n` })).flatMap(({ findings }) =>
      findings.map(({ rule, severity }) => [rule, severity]),
    );
  const list = '--syncmode full --http --http.api eth,admin';
  expect(await levels(`$MORE ${list} --pprof`)).toEqual([
    ['privileged-module', 'medium'],
    ['open-profiler', 'low'],
  ]);
  expect(await levels(`$MORE ${list} --http.addr 0.0.0.0`)).toContainEqual(['privileged-module', 'critical']);
  expect(await levels(`${list} --http.addr $ADDRESS`)).toContainEqual(['privileged-module', 'critical']);
});

test('what a command prints is no secret of its file', async () => {
  const targets = await lint({
    'run.sh': '#!/bin/sh\nPRIVATE_KEY="`echo "$line" | cut -d, -f4`"\ngeth --http\n',
  });
  expect(levelsOf(targets, 'secret-in-conf')).toEqual([]);
});

const ansible = {
  'play.yml': '- hosts: all\n  roles:\n    - node\n',
  'roles/node/defaults/main.yml': 'port: 8545\npeers: 0\naddress: 0.0.0.0\n',
  'roles/node/tasks/main.yml':
    '- template:\n    src: geth.service.j2\n    dest: /etc/systemd/system/geth.service\n- systemd:\n    name: geth\n    state: started\n',
};
test.each(['peers > 0', 'other_role_says', 'peers | default(0) | int > 0'])(
  'lines that a template prints where %s continue the command of a unit',
  async (condition) => {
    const [target] = await lint({
      ...ansible,
      'roles/node/templates/geth.service.j2': `[Service]\nExecStart=/usr/bin/geth --datadir /d \\\n{% if ${condition} %}\n  --maxpeers={{ peers }} \\\n{% endif %}\n  --http --http.addr={{ address }} --http.api=eth,debug\n`,
    });
    expect(target?.findings.map(({ rule }) => rule)).not.toContain('malformed-flag');
    expect(target?.findings.map(({ severity }) => severity)).toContain('critical');
  },
);

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  [
    'an option of a library',
    { 'index.js': 'const options = {\n  rpc: true,\n  rpcapi: "admin,eth,personal",\n};\n' },
    'unfollowed-start',
    'index.js:3',
  ],
  [
    'a flag in a text of several lines',
    { 'up.ts': 'const file = `\n  geth\n    --http.addr "0.0.0.0"\n    --http.api "admin,eth"\n`;\n' },
    'unfollowed-start',
    'up.ts:4',
  ],
  [
    'ganache as a library',
    { 'chain.js': "const ganache = require('ganache');\nganache.server({}).listen(8545, '0.0.0.0');\n" },
    'unjudged-node',
    'chain.js:1',
  ],
  [
    'testrpc in a container',
    { 'compose.yml': 'services:\n  rpc:\n    image: desmart/testrpc:latest\n    ports: ["8545:8545"]\n' },
    'unjudged-node',
    'compose.yml:3',
  ],
])('a start in a program is named: %s', async (_, files, rule, place) => {
  const open = (await lint(files)).flatMap(({ undetermined }) => undetermined);
  expect(open.map((one) => [one.rule, `${one.at?.file.replace(/.*\//, '')}:${one.at?.line}`])).toContainEqual(
    [rule, place],
  );
});

test.each([
  "const ganache = require('ganache');\nganache.server({}).listen(8545, '127.0.0.1');\n",
  "const ganache = require('ganache');\nconst provider = ganache.provider();\n",
  'const options = { rpcapi: "eth,net" };\n',
])('a program that opens nothing private to others is not: %s', async (text) => {
  expect(await lint({ 'index.js': text })).toEqual([]);
});

test('keys below the data folder that a start mounts are read as far as a node keeps them', async () => {
  const key = '0123456789abcdef'.repeat(4);
  const account = `{"address":"ab","crypto":{"ciphertext":"${key}"}}`;
  const start = 'geth --http --http.addr 0.0.0.0 --http.api eth';
  const files = {
    'compose.yml': `services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    command: ${start}\n    volumes: ["./chain:/root/.ethereum"]\n`,
    'chain/geth/nodekey': key,
    [`chain/keystore/0x${'ab'.repeat(20)}.json`]: account,
    'chain/keystore/sk.json': account,
    'chain/other/deep/nodekey': key,
  };
  execFileSync('git', ['init', '-q', folder]);
  await lint(files);
  execFileSync('git', ['add', '-A'], { cwd: folder });
  const [target] = await lint(files);
  const said = target?.findings.map(({ message }) => message).filter((one) => one.includes('chain/')) ?? [];
  expect(said.map((one) => one.replace(/^.*: /, ''))).toEqual([
    expect.stringMatching(/^chain\/geth\/nodekey contains a private key.*\(with 2 more files\)/),
  ]);
});

test('no line of a report is longer than 300 columns, that of a fix included', async () => {
  const origins = Array.from({ length: 30 }, (_, at) => `--bootnodes enode://${at}`).join(' ');
  await lint({ 'run.sh': `#!/bin/sh\ngeth ${origins} --http --http.addr 0.0.0.0 --http.api eth,debug\n` });
  const { out } = await run(['node', 'lint', folder]);
  const fix = out.slice(out.indexOf('List only'));
  expect(fix).toMatch(/^ +geth --bootnodes/m);
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(300);
});

test('a limit of requests is no secret, and a password of three digits is one', async () => {
  const start = 'geth --http --http.addr 0.0.0.0 --http.api eth';
  const [target] = await lint({
    'compose.yml': `services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    command: ${start}\n    environment:\n      LIMIT_WITH_TOKEN: 5\n      API_PASSWORD: 123\n`,
  });
  const said = target?.findings.filter(({ rule }) => rule === 'secret-in-conf').map(({ message }) => message);
  expect(said).toEqual([expect.stringContaining('API_PASSWORD')]);
});
