/** Deployments as people have them, in which a finding once claimed more than is true, or said nothing. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-believable-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;

async function lint(files: Files): Promise<Report['targets']> {
  const own = mkdtempSync(join(folder, 'case-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
  execFileSync('git', ['init', '-q'], { cwd: own });
  const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: own });
  return (JSON.parse(out) as Report).targets;
}

const graver = new Set(['critical', 'high', 'medium']);

/** The findings at medium and above, and the reasons of what was not seen. */
const told = (targets: Report['targets']) => ({
  found: [
    ...new Set(
      targets.flatMap(({ findings }) =>
        findings.flatMap(({ severity, rule, subject }) =>
          graver.has(severity) ? [`${severity} ${rule} ${subject}`] : [],
        ),
      ),
    ),
  ].sort(),
  kinds: [...new Set(targets.map(({ kind }) => kind))],
});

const role = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`roles/n/${name}`, text]));

const compose = (...rest: readonly string[]) =>
  ['services:', '  geth:', ...rest.map((line) => `    ${line}`), ''].join('\n');

test('a role’s file of TOML is read as that of the kind whose keys it has', async () => {
  const targets = await lint(
    role({
      'defaults/main.yml': 'home: /var/lib/geth\nextra:\n',
      'tasks/main.yml': [
        '- template: { src: geth.toml.j2, dest: "{{ home }}/config.toml" }',
        '- template: { src: geth.service.j2, dest: /etc/systemd/system/geth.service }',
        '',
      ].join('\n'),
      'templates/geth.toml.j2': '[Node]\nHTTPHost = "127.0.0.1"\nHTTPPort = {{ port | default(8545) }}\n',
      'templates/geth.service.j2':
        '[Service]\nExecStart=/usr/bin/geth --config {{ home }}/config.toml {{ extra }}\n',
    }),
  );
  expect(told(targets)).toEqual({ found: [], kinds: ['geth'] });
});

test('an undecided statement of a template leaves the folded command of a service whole', async () => {
  const targets = await lint(
    role({
      'defaults/main.yml': 'image: ethereum/client-go:v1.17.1\napi: eth,admin\naddress: 127.0.0.1\n',
      'tasks/main.yml': '- template: { src: compose.yml.j2, dest: /srv/docker-compose.yml }\n',
      'templates/compose.yml.j2': compose(
        "image: '{{ image }}'",
        "ports: ['{{ address }}:8545:8545']",
        'command: |\n{% if network_id is defined %}\n      --networkid={{ network_id }}\n{% endif %}\n      --http\n      --http.addr=0.0.0.0\n      --http.api={{ api }}',
      ),
    }),
  );
  expect(told(targets).found).toEqual(['medium privileged-module http admin']);
});

test('a sub-command behind unknown words starts no node', async () => {
  const targets = await lint({
    'compose.yml': compose(
      'image: ethereum/client-go:v1.15.0',
      'entrypoint: [sh, /run.sh, geth, --http, --maxpeers, "${PEERS}"]',
      'volumes: ["./run.sh:/run.sh"]',
    ),
    'run.sh':
      '#!/bin/sh\nif [ -f /prune ]; then exec "$@" $EXTRA snapshot prune-block; fi\nexec "$@" --nat none\n',
  });
  expect(targets.flatMap(({ findings }) => findings.map(({ rule }) => rule))).not.toContain('malformed-flag');
});

test('a call to the running node overrides no flag', async () => {
  const targets = await lint({
    'start.sh':
      '#!/bin/sh\ngeth --datadir d --rpc --rpcapi eth --unlock $WHO &\ngeth --exec "loadScript(\'unlock.js\')" attach d/geth.ipc\n',
    'unlock.js': 'personal.unlockAccount(eth.accounts[0], "", 0);\n',
  });
  expect(told(targets).found.filter((one) => one.includes('overriding-flag'))).toEqual([]);
});

test.each([
  ['eth,net', 'low'],
  ['net', 'medium'],
])('GraphQL that any address reaches beside %s is %s', async (api, severity) => {
  const flags = `--http --http.addr 0.0.0.0 --http.api ${api} --graphql --graphql.vhosts * --graphql.corsdomain *`;
  const targets = await lint({
    'compose.yml': compose('image: ethereum/client-go:v1.13.14', 'ports: ["8545:8545"]', `command: ${flags}`),
  });
  const found = targets.flatMap(({ findings }) => findings);
  expect(found.find(({ rule }) => rule === 'graphql-beside-list')?.severity).toBe(severity);
});

test('the secret of another service of a compose file is low', async () => {
  const targets = await lint({
    'compose.yml': `${compose('image: ethereum/client-go:v1.15.0')}  stats:\n    image: acme/netstats\n    environment: [WS_SECRET=hunter2xyz]\n`,
  });
  expect(told(targets).found).toEqual([]);
});

test('an Ingress that names a Service of another namespace is an open question', async () => {
  const of = (kind: string, name: string, namespace: string, spec: string) =>
    `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: ${spec}\n`;
  const container = '{ name: g, image: "ethereum/client-go:v1.10.26", args: [--http, --http.addr=0.0.0.0] }';
  const pod = `{ selector: { matchLabels: { a: g } }, template: { metadata: { labels: { a: g } }, spec: { containers: [${container}] } } }`;
  const path = '{ path: /, backend: { service: { name: rpc, port: { number: 8545 } } } }';
  const targets = await lint({
    'k.yaml': [
      of('StatefulSet', 'g', 'one', pod),
      of('Service', 'rpc', 'one', '{ selector: { a: g }, ports: [{ port: 8545 }] }'),
      of('Ingress', 'way', 'other', `{ rules: [{ http: { paths: [${path}] } }] }`),
    ].join('---\n'),
  });
  const reasons = targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));
  expect(reasons.join()).toContain('Ingress way leads to Service rpc of the namespace other, which is not');
});

test('a fix that cuts clients off or stops sealing says so', async () => {
  const unlock = '--mine --unlock 0x71562b71999873db5b286df957af199ec94617f7 --allow-insecure-unlock';
  const targets = await lint({
    'run.sh': `#!/bin/sh\ngeth --http --http.addr 0.0.0.0 --http.api eth ${unlock}\n`,
    'k.yaml': [
      'apiVersion: v1\nkind: Pod\nmetadata: { name: g, labels: { a: g } }',
      'spec: { containers: [{ name: g, image: "ethereum/client-go:v1.15.0", args: [--http, --http.addr=0.0.0.0] }] }\n---',
      'apiVersion: v1\nkind: Service\nmetadata: { name: g }',
      'spec: { type: LoadBalancer, selector: { a: g }, ports: [{ port: 8545 }] }\n',
    ].join('\n'),
  });
  const fixes = targets.flatMap(({ findings }) => findings.map(({ rule, fix }) => `${rule}: ${fix}`));
  expect(fixes.join('\n')).toMatch(/unlocked-account: .*seals no blocks/);
  expect(fixes.join('\n')).toMatch(/public-bind: .*clients outside the cluster lose their access/);
});

test('a key of a file that later releases do not know leaves the releases that read it', async () => {
  const targets = await lint({
    'run.sh': '#!/bin/sh\ngeth --config config.toml --rpc --rpcapi personal,eth\n',
    'config.toml': '[Node]\nomitempty = ""\nHTTPHost = "0.0.0.0"\n',
  });
  expect(told(targets).found).toContain('critical privileged-module http personal');
  expect(targets.flatMap(({ findings }) => findings.map(({ rule }) => rule))).not.toContain('malformed-flag');
  expect(targets[0]?.release).toMatchObject({ until: 'geth/v1.9.14', refused: ['Node.omitempty'] });
});

test('a client whose image is the default of a variable is named', async () => {
  const image = '${NODE_IMAGE:-us-docker.pkg.dev/oplabs-tools-artifacts/images/op-node:v1.13.3}';
  const admin = 'environment: [OP_NODE_RPC_ADDR=0.0.0.0, OP_NODE_RPC_ENABLE_ADMIN=true]';
  const targets = await lint({
    'compose.yml': `services:\n  node:\n    image: ${image}\n    ports: ["9545:9545"]\n    ${admin}\n`,
  });
  const named = targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));
  expect(named.join()).toMatch(/op-node · rpc on 0\.0\.0\.0.*admin API enabled/);
});

const key = '8a1f9a8f95be41cd7ccb6168179afb4504aefe388d1e14474d32c45c72ce7b7b';
const keystore = { 'chain/keystore/UTC--a': `{"crypto":{"ciphertext":"${key}"}}` };

test('a command of an image that only prepares a folder is no start', async () => {
  const init = 'docker run -v $PWD:/d ethereum/client-go:v1.10.1 --datadir /d init /d/genesis.json';
  const targets = await lint({
    'setup.sh': `#!/bin/bash\n${init}\ngeth --rpc init genesis.json\n`,
    'compose.yml': compose(
      'image: ethereum/client-go:v1.10.1',
      'command: --datadir /d init /g.json',
      'volumes: ["./d:/d"]',
    ),
  });
  expect(targets).toEqual([]);
});

test('the password of an account is high only beside its key', async () => {
  const start = '#!/bin/sh\ngeth --datadir chain --unlock 0 --password pw.txt\n';
  const password = { 'start.sh': start, 'pw.txt': 'hunter2\n' };
  const severities = async (files: Files) =>
    (await lint(files)).flatMap(({ findings }) =>
      findings.map(({ severity, subject }) => `${severity} ${subject}`),
    );
  expect(await severities(password)).toContain('medium pw.txt');
  expect(await severities({ ...password, ...keystore })).toContain('high pw.txt');
});

test('an image that copies the whole folder has the keys in it', async () => {
  const targets = await lint({
    Dockerfile:
      'FROM ethereum/client-go:v1.10.1\nADD . /node\nENTRYPOINT ["geth", "--datadir", "/node/chain"]\n',
    ...keystore,
  });
  expect(told(targets).found).toEqual(['high secret-in-conf chain/keystore/UTC--a']);
});

test('secrets in the file of a client that is only named are told', async () => {
  const service = (name: string, image: string, words: string) =>
    `  ${name}: { image: ${image}, command: [${words}] }\n`;
  const besu = service(
    'b',
    'hyperledger/besu:24.1.0',
    `--rpc-http-enabled, --rpc-http-host=0.0.0.0, --node-private-key=${key}`,
  );
  const targets = await lint({ 'compose.yaml': `services:\n${besu}` });
  expect(told(targets).found).toEqual(['high secret-in-conf line']);
  const node = service('n', 'ethereum/client-go:v1.13.14', '--http');
  const both = await lint({ 'compose.yaml': `services:\n${besu}${node}` });
  expect(
    both.flatMap(({ findings }) => findings.filter(({ rule }) => rule === 'secret-in-conf')),
  ).toHaveLength(1);
});

test('the secret of ethstats is a secret of the file', async () => {
  const targets = await lint({ 'run.sh': '#!/bin/sh\ngeth --ethstats node:hunter2@stats.example:3000\n' });
  expect(targets[0]?.findings).toMatchObject([{ severity: 'low', rule: 'secret-in-conf', subject: 'line' }]);
});

test('the token of a Secret that no pod names is a secret of the checkout', async () => {
  const pod = '{ containers: [{ name: g, image: "ethereum/client-go:v1.13.14", args: [--http] }] }';
  const targets = await lint({
    'pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: g }\nspec: ${pod}\n`,
    'secret.yaml': `apiVersion: v1\nkind: Secret\nmetadata: { name: s }\ndata:\n  jwt: ${btoa(key)}\n`,
  });
  expect(told(targets).found).toEqual(['high secret-in-conf secret.yaml: Secret/s jwt']);
});

test.each(['--raft --raftport 50400', '--istanbul.blockperiod 5'])('geth %s is quorum', async (flags) => {
  const targets = await lint({ 'run.sh': `#!/bin/sh\ngeth ${flags} --rpc --rpcaddr 0.0.0.0 --rpcapi eth\n` });
  expect(targets[0]?.release).toMatchObject({ fork: 'quorum', by: 'settings' });
  expect(targets[0]?.findings.map(({ rule }) => rule)).not.toContain('unknown-flag');
});

test('the image of quorum starts it with flags alone', async () => {
  const targets = await lint({
    'compose.yml': compose(
      'image: quorumengineering/quorum:2.6.0',
      'ports: ["8545:8545"]',
      'command: --raft --rpc --rpcaddr 0.0.0.0 --rpcapi eth,raft',
    ),
  });
  expect(told(targets).found).toContain('high privileged-module http raft');
});

test('keys of nodes that no start names are told once, beside a node or in a folder of its data', async () => {
  const start = { 'run.sh': '#!/bin/sh\ngeth --datadir /var/lib/geth\n' };
  const loose = { 'a/keystore/UTC--1': keystore['chain/keystore/UTC--a'], 'b/nodekey': key };
  const said = async (files: Files) =>
    (await lint(files)).flatMap(({ findings }) =>
      findings.map(({ subject, message }) => `${subject}: ${message}`),
    );
  expect(await said({ ...start, ...loose })).toEqual([
    expect.stringMatching(/^a\/keystore.*\(with 1 more file\)\.$/),
  ]);
  expect(await said(loose)).toEqual([]);
  expect(await said({ ...loose, 'n/geth/transactions.rlp': '' })).toHaveLength(1);
  expect(await said({ ...start, 'test/keystore/UTC--1': loose['a/keystore/UTC--1'] })).toEqual([]);
  const password = { 'a/password.txt': 'hunter2' };
  expect(await said({ ...start, ...password })).toEqual([]);
  expect(await said({ ...start, ...loose, ...password })).toEqual([
    expect.stringContaining('(with 2 more files)'),
  ]);
});

test('a flag that geth dropped is none of a fork', async () => {
  const targets = await lint({ 'run.sh': '#!/bin/sh\ngeth --rpc --rpcaddr 0.0.0.0 --etherbase 0x01\n' });
  expect(targets[0]?.release?.fork).toBeUndefined();
});

test('keys that compose mounts are found by the names of besu, of other files and below $(pwd)', async () => {
  const targets = await lint({
    'compose.yml':
      'services:\n  besu:\n    image: hyperledger/besu:24.1.0\n    command: --rpc-http-enabled --rpc-http-host 0.0.0.0\n    volumes: ["./n/key:/opt/key"]\n',
    'n/key': `0x${key}\n`,
    'run.sh': '#!/bin/sh\ndocker run -v $(pwd)/keys:/keys ethereum/client-go:v1.10.1 --datadir /data\n',
    'keys/faucet-priv.txt': key,
    'tls/server.pem': '-----BEGIN PRIVATE KEY-----\n',
  });
  const found = targets.flatMap(({ findings }) => findings.map(({ subject }) => subject));
  expect(found).toEqual(expect.arrayContaining(['n/key', 'keys/faucet-priv.txt']));
  expect(found).not.toContain('tls/server.pem');
});

test('lines that a template may leave out are one low finding', async () => {
  const conf = '{% if x %}\nRPC_ENABLE=1\nRPC_API="klay"\n{% endif %}\n';
  const targets = await lint({ 'templates/kend.conf.j2': conf });
  const found = targets.flatMap(({ findings }) => findings).filter(({ rule }) => rule === 'opaque-value');
  expect(found.map(({ severity }) => severity)).toEqual(['low']);
});

test.each([
  ['ubuntu-latest', 'docker', 0],
  ['self-hosted', 'docker', 1],
  ['ubuntu-latest', 'ssh host docker', 1],
])('a job on %s that runs %s has %i nodes', async (machine, docker, count) => {
  const run = `${docker} run -d -p 8545:8545 ethereum/client-go --dev --http --http.addr 0.0.0.0 --http.api admin`;
  const targets = await lint({
    '.github/workflows/test.yml': `on: push\njobs:\n  a:\n    runs-on: ${machine}\n    steps:\n      - run: ${run}\n`,
  });
  expect(targets).toHaveLength(count);
});

test('a job on a machine of GitHub gives its variables to the project that it starts', async () => {
  const targets = await lint({
    'compose.yml':
      'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n    ports: ["8545:8545"]\n',
    '.github/workflows/up.yml':
      'on: push\njobs:\n  up:\n    runs-on: ubuntu-latest\n    env: { API: "eth,admin" }\n    steps:\n      - run: docker compose up -d\n',
  });
  expect(targets.flatMap(({ findings }) => findings).some(({ severity }) => severity === 'critical')).toBe(
    true,
  );
});
