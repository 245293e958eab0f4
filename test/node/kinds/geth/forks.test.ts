/** Variables of l2geth, which set its flags: geth of that time reads none. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { run } from '../../offline.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-forks-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function lint(files: Readonly<Record<string, string>>) {
  const own = mkdtempSync(join(folder, 'case-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
  const { code, out } = await run(['node', 'lint', own, '--format', 'json']);
  const { targets } = JSON.parse(out) as Report;
  expect(targets.length).toBe(1);
  const target = targets[0] as Report['targets'][number];
  return {
    code,
    target,
    found: target.findings.map(({ rule, subject }) => `${rule} ${subject}`),
  };
}

const variables = { RPC_ENABLE: 'true', RPC_ADDR: '0.0.0.0', RPC_API: 'eth,personal' };
const image = 'ethereumoptimism/l2geth:0.5.31';
const entries = (all: Readonly<Record<string, string>>) => JSON.stringify(all);
const service = (rest: string, environment: Readonly<Record<string, string>> = variables) => ({
  'compose.yaml': `services:\n  l2geth:\n    ports: ["8545:8545"]\n    environment: ${entries(environment)}\n    ${rest}\n`,
});
const pod = (name: string, env: string) =>
  [
    'apiVersion: v1',
    'kind: Pod',
    'metadata: { name: l2geth }',
    'spec:',
    '  hostNetwork: true',
    '  containers:',
    '    - name: l2geth',
    `      image: ${name}`,
    '      args: [--datadir=/geth]',
    env,
    '',
  ].join('\n');
const listed = Object.entries(variables).map(([name, value]) => `{ name: ${name}, value: "${value}" }`);

test.each<[string, Readonly<Record<string, string>>]>([
  ['a service', service(`image: ${image}\n    entrypoint: geth --datadir=/geth`)],
  ['the entrypoint of the image', service(`image: ${image}`)],
  ['an image of another registry', service('image: docker.io/metisdao/l2geth:20230705')],
  ['an image with a prefix', service('image: my/boba-l2geth\n    command: geth')],
  [
    'a file of variables',
    {
      'compose.yaml': `services:\n  l2geth: { image: "${image}", env_file: geth.env, ports: ["8545:8545"] }\n`,
      'geth.env': Object.entries(variables)
        .map((one) => `${one.join('=')}\n`)
        .join(''),
    },
  ],
  ['a pod', { 'pod.yaml': pod(image, `      env: [${listed.join(', ')}]`) }],
  [
    'an image that is built from it',
    {
      Dockerfile: `FROM ${image}\nENV RPC_ENABLE=true RPC_ADDR=0.0.0.0 RPC_API=eth,personal\nCMD ["--datadir=/g"]\n`,
    },
  ],
  [
    'a chart',
    {
      'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 0.1.0\n',
      'values.yaml': `env: ${entries(variables)}\n`,
      'templates/pod.yaml': pod(
        image,
        '      env:\n      {{- range $name, $value := .Values.env }}\n        - { name: {{ $name }}, value: {{ $value | quote }} }\n      {{- end }}',
      ),
    },
  ],
])('variables of l2geth set its flags in %s', async (_, files) => {
  const { code, target, found } = await lint(files);
  expect([code, target.release?.fork]).toEqual([1, 'l2geth']);
  expect(found).toContain('privileged-module http personal');
});

test.each([
  ['true', 'on'],
  ['1', 'on'],
  ['T', 'on'],
  ['false', 'off'],
  ['0', 'off'],
  ['', 'off'],
])('RPC_ENABLE=%s switches http %s', async (value, state) => {
  const files = service(`image: ${image}`, { ...variables, RPC_ENABLE: value });
  const { found } = await lint(files);
  expect(found.includes('privileged-module http personal')).toBe(state === 'on');
});

test('l2geth refuses a switch that is neither true nor false', async () => {
  const { found } = await lint(service(`image: ${image}`, { ...variables, RPC_ENABLE: 'yes' }));
  expect(found.join()).toContain('malformed-flag RPC_ENABLE');
});

test('a flag of l2geth overrides its variable', async () => {
  const files = service(`image: ${image}\n    command: --rpcapi eth,debug`);
  const { found } = await lint(files);
  expect(found.filter((one) => one.startsWith('privileged-module'))).toEqual([
    'privileged-module http debug',
  ]);
});

test('l2geth ignores the variables of newer releases of geth, not its own', async () => {
  const files = service(`image: ${image}`, { ...variables, GETH_SYNCMODE: 'full' });
  const { found } = await lint(files);
  expect(found.filter((one) => one.startsWith('ignored-variable'))).toEqual([
    'ignored-variable GETH_SYNCMODE',
  ]);
});

const quorum = (command: string) => ({
  'compose.yaml': `services:\n  quorum:\n    image: quorumengineering/quorum:2.6.0\n    ports: ["22000:8545"]\n    entrypoint: geth\n    command: --rpc --rpcaddr 0.0.0.0 ${command}\n`,
});
const ofModules = (found: readonly string[]) => found.filter((one) => /module|unknown/.test(one));

test.each<[string, readonly string[]]>([
  ['--raft --raftport 50401 --rpcapi eth,raft', ['privileged-module http raft']],
  ['--rpcapi eth,quorum', ['unknown-module http quorum']],
  ['--rpcapi eth,istanbul --istanbul.blockperiod 1', ['privileged-module http istanbul']],
  ['--permissioned --rpcapi eth,quorumPermission', ['privileged-module http quorumPermission']],
  ['--raft --rpcapi eth,istanbul', []],
  ['--raftblocktime 50 --rpcapi eth,quorumExtension', ['privileged-module http quorumExtension']],
])('quorum %s: %j', async (command, expected) => {
  const { found, target } = await lint(quorum(command));
  expect(ofModules(found)).toEqual(expected);
  expect(target.release).toMatchObject({ fork: 'quorum', since: 'geth/v1.9.7', until: 'geth/v1.9.7' });
});

test('celo-blockchain has flags and modules of its own, and may have further flags', async () => {
  const files = {
    'compose.yaml':
      'services:\n  celo:\n    image: us.gcr.io/celo-org/geth:1.8.9\n    ports: ["8545:8545"]\n    entrypoint: geth\n    command: --alfajores --tx-fee-recipient 0x0 --http --http.addr 0.0.0.0 --http.api eth,istanbul --nosuch\n',
  };
  expect(ofModules((await lint(files)).found)).toEqual([
    'privileged-module http istanbul',
    'unknown-flag nosuch',
  ]);
});

test.each([
  ['my/chain', 'Eth.ApplySuperchainUpgrades', 'low'],
  ['my/chain', 'Eth.SyncMod', 'medium'],
  ['ethereum/client-go:v1.13.15', 'Eth.ApplySuperchainUpgrades', 'medium'],
])('%s with the unknown key %s of the file of --config: %s', async (name, key, severity) => {
  const [section, field] = key.split('.');
  const { target } = await lint({
    'compose.yaml': `services:\n  geth:\n    image: ${name}\n    entrypoint: geth\n    command: --config /g.toml\n    volumes: ["./g.toml:/g.toml"]\n`,
    'g.toml': `[${section}]\n${field} = true\n`,
  });
  expect(target.findings.map((one) => [one.rule, one.subject, one.severity])).toEqual([
    ['malformed-flag', key, severity],
  ]);
});

test('flags of different releases in branches of a template are no finding, and hide none', async () => {
  const branch = (name: string, ...flags: string[]) =>
    `{% if ${name} %}\n${flags.map((flag) => `      ${flag}\n`).join('')}{% endif %}\n`;
  const found = async (old: string) =>
    (
      await lint({
        'compose.yml.j2': `services:\n  geth:\n    image: "{{ image }}"\n    ports: ["8545:8545"]\n    entrypoint: geth\n    command: |\n${old}${branch('engine', '--authrpc.addr=0.0.0.0')}${branch('rpc', '--http', '--http.addr=0.0.0.0', '--http.api=personal')}`,
      })
    ).found.filter((one) => /flag|personal/.test(one));
  expect(await found(branch('whisper', '--shh', '--shh.pow=1'))).toEqual(['privileged-module http personal']);
  expect(await found(branch('whisper', '--brand-new'))).toEqual([
    'privileged-module http personal',
    'unknown-flag brand-new',
  ]);
});

test.each([
  ['two flags of later releases', '--http --http.addr 0.0.0.0 --http.api eth,debug', undefined, 'l2geth'],
  ['flags of its time', '--rpc --rpcaddr 0.0.0.0 --rpcapi eth,debug', 'l2geth', undefined],
])('an image named l2geth with %s', async (_, flags, fork, unlike) => {
  const { target, found } = await lint(service(`image: acme/l2geth:v5\n    command: ${flags}`, {}));
  expect([target.release?.fork, target.release?.unlike]).toEqual([fork, unlike]);
  expect(found).toContain('privileged-module http debug');
});

test('flags of another kind than the image names are named with the place of the image', async () => {
  const flags = '--http --authrpc.jwtsecret=/j --rollup.disabletxpoolgossip=true';
  const { target } = await lint(service(`image: acme/l2geth:v5\n    entrypoint: geth ${flags}`, {}));
  expect(target.release?.since).toMatch(/^op-geth/);
  expect(target.release?.unlike).toMatch(/^acme\/l2geth:v5 \(.*compose\.yaml:5\)$/);
});
