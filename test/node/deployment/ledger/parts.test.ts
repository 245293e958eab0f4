/** Files that a start includes, reads or edits: what else they start keeps its own account. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { run } from '../../../cli/run.js';

const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-parts-'));
afterAll(() => rmSync(scratch, { recursive: true }));

async function reportOf(files: Readonly<Record<string, string>>): Promise<Report> {
  const folder = mkdtempSync(join(scratch, 'x-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return JSON.parse((await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder })).out) as Report;
}

/** The targets of a folder, each with what is said of it, and the exit code. */
async function targetsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { targets, exitCode } = await reportOf(files);
  const lines = targets.map(({ name, findings, undetermined }) => {
    const private_ = findings.filter(({ rule }) => rule === 'privileged-module');
    const open = new Set(undetermined.map(({ rule, reason }) => /more conditions/.exec(reason)?.[0] ?? rule));
    return [name, ...private_.map(({ severity, subject }) => `${severity} ${subject}`), ...open].join(' · ');
  });
  return [...lines.sort(), `exit ${exitCode}`];
}

const pod = (containers: string) => `apiVersion: v1
kind: Pod
metadata: {name: eth}
spec:
  containers:
${containers}`;
const sound = '    - {name: geth, image: "ethereum/client-go:v1.13.14", args: [--http, --http.api=eth]}\n';
const beacon =
  '    - {name: beacon, image: "sigp/lighthouse:v5.1.3", args: [lighthouse, bn, --http, --http-address=0.0.0.0]}\n';
const admin =
  '    - {name: geth, image: "ethereum/client-go:v1.13.14", args: [--http, --http.addr=0.0.0.0, --http.api=admin]}\n';

const compose = (service: string) => `services:\n  ${service}\n`;
const geth = 'geth: {image: "ethereum/client-go:v1.13.14", command: [--http, --http.api=eth]}';
const opNode = 'node: {image: "op-node:v1", command: [op-node, --rpc.enable-admin, --rpc.addr=0.0.0.0]}';

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'a resource of a kustomization',
    { 'kustomization.yaml': 'resources: [pod.yaml]\n', 'pod.yaml': pod(`${sound}${beacon}`) },
    ['kustomization.yaml: Pod/eth/geth', 'pod.yaml: lighthouse · unjudged-node', 'exit 3'],
  ],
  [
    'an included compose file',
    {
      'compose.yaml': `include: [more.yaml]\n${compose(geth)}`,
      'more.yaml': `${compose(opNode)}`,
    },
    ['compose.yaml: geth', 'more.yaml: op-node · unjudged-node', 'exit 3'],
  ],
  [
    'a file that an extended service stands in',
    {
      'compose.yaml': 'services:\n  geth: {extends: {file: base.yaml, service: geth}}\n',
      'base.yaml': `services:\n  ${geth}\n  ${opNode}\n`,
    },
    ['base.yaml: op-node · unjudged-node', 'compose.yaml: geth', 'exit 3'],
  ],
])('a client in %s is named', async (_, files, expected) => {
  expect(await targetsOf(files)).toEqual(expected);
});

test('a manifest that a script edits with sed is judged as the script leaves it', async () => {
  const files = {
    'deploy.sh': '#!/bin/bash\nsed -i "s/name: eth/name: $1/" pod.yaml\ngeth --datadir d console\n',
    'pod.yaml': pod(admin),
  };
  expect(await targetsOf(files)).toEqual(['deploy.sh', 'deploy.sh: Pod/… · high http admin', 'exit 1']);
});

test('a compose file that a script copies and starts is judged once', async () => {
  const files = {
    'up.sh': '#!/bin/bash\ncp compose.yaml /opt/compose.yaml\ndocker compose -f /opt/compose.yaml up -d\n',
    'compose.yaml': compose(
      'geth: {image: "ethereum/client-go:v1.13.14", command: [--http, --http.api=admin]}',
    ),
  };
  const targets = await targetsOf(files);
  expect(targets.filter((one) => one.includes('admin'))).toHaveLength(1);
});

test('conditions of a script that are not tried leave the container that it runs open', async () => {
  const tests = Array.from({ length: 14 }, (_, index) => `if [ -e /x/${index} ]; then A=${index}; fi`);
  const script = [
    '#!/bin/bash',
    ...tests,
    'if [ -e /x/config.toml ]; then C="--config /x/config.toml"; fi',
    'docker run -v /x:/x ethereum/client-go:v1.13.14 --http $C',
  ];
  const [run = ''] = await targetsOf({ 'run.sh': script.join('\n') });
  expect(run).toContain('more conditions');
});

const toml = '[Eth]\nNetworkId = 7\n[Node]\nHTTPHost = "0.0.0.0"\nHTTPModules = ["eth", "admin"]\n';

test('a TOML file of a node that no start names is a target, and one that a start names is its part', async () => {
  expect(await targetsOf({ 'node/config.toml': toml })).toEqual([
    'node/config.toml · critical http admin',
    'exit 1',
  ]);
  const started = { 'node/config.toml': toml, 'run.sh': '#!/bin/bash\ngeth --config node/config.toml\n' };
  expect(await targetsOf(started)).toEqual(['run.sh · critical http admin', 'exit 1']);
  expect(await targetsOf({ 'app.toml': '[Node]\nname = "x"\n[http]\nHTTPHost = "0.0.0.0"\n' })).toEqual([
    'exit 2',
  ]);
});

test('docker publishes no port of a service whose networks are all internal', async () => {
  const of = (networks: string) =>
    targetsOf({
      'compose.yaml': `services:
  geth:
    image: ethereum/client-go:v1.13.14
    command: --http --http.addr 0.0.0.0 --http.api admin
    ports: ["8545:8545"]
    networks: ${networks}
networks: {back: {internal: true}, front: {}}
`,
    });
  expect(await of('[back]')).toEqual(['compose.yaml: geth · high http admin', 'exit 1']);
  expect(await of('[back, front]')).toEqual(['compose.yaml: geth · critical http admin', 'exit 1']);
});

test('one flag of a node in an unknown image is an open question, two flags are a node', async () => {
  const of = (command: string) =>
    targetsOf({ 'compose.yaml': compose(`n: {image: "\${NODE_IMAGE}", command: ${command}}`) });
  expect(await of('"--http.addr 0.0.0.0"')).toEqual(['compose.yaml: n · unfollowed-start', 'exit 3']);
  const [node = ''] = await of('"--http.addr 0.0.0.0 --http --http.api admin"');
  expect(node).toContain('high http admin');
});

test('the words of a start in the source of a program are an open question, saved help is none', async () => {
  const words = 'const args = `--conf /app/node.yaml --rpc --rpcapi debug,admin`\n';
  const program = { 'types.go': `package node\n\n${words}` };
  expect(await targetsOf(program)).toEqual(['types.go · unfollowed-start', 'exit 3']);
  const help =
    'NAME:\n   geth - a node\n\n   Copyright 2013\n\nUSAGE:\n   geth [options]\n\n   --http.addr value  address\n';
  expect(await targetsOf({ 'help/geth': `${help}   --http.api value  modules\n` })).toEqual(['exit 2']);
});

test('a target that is an open question has the file that it is in', async () => {
  const { targets } = await reportOf({ 'compose.yaml': compose(opNode) });
  expect(targets.map(({ files }) => files)).toEqual([['compose.yaml']]);
});
