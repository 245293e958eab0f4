/** The release of a node by what a folder says of its download, package, checkout, build or image. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { run } from '../cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-release-evidence-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function releaseOf(files: Readonly<Record<string, string>>) {
  const own = mkdtempSync(join(folder, 'case-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
  const { targets } = JSON.parse((await run(['node', 'lint', own, '--format', 'json'])).out) as Report;
  expect(targets.length).toBe(1);
  const { kind, release, findings } = targets[0] ?? {};
  return { kind, release, subjects: findings?.map(({ rule, subject }) => `${rule} ${subject}`) ?? [] };
}

const words = '--rpc --rpcaddr 0.0.0.0 --rpcapi eth,personal';
const script = (...lines: string[]) => ({ 'run.sh': ['#!/bin/bash', ...lines, ''].join('\n') });
const builds = 'https://gethstore.blob.core.windows.net/builds';
const dockerfile = (...lines: string[]) => ({ Dockerfile: [...lines, ''].join('\n') });
const built = [
  'FROM alpine',
  'COPY --from=builder /geth /usr/local/bin/',
  'ENTRYPOINT ["geth"]',
  'CMD ["--rpc"]',
];
const image = ['ARG GETH_VERSION=stable', 'FROM ethereum/client-go:$GETH_VERSION'];
const service = (text: string, command = words) =>
  `services:\n  geth:\n    ${text}\n    network_mode: host\n    command: ${command}\n`;
/** A role with these tasks, whose defaults have the version, and further files. */
const role = (tasks: readonly string[], more: Readonly<Record<string, string>> = {}) => ({
  'site.yml': '- hosts: all\n  roles: [geth]\n',
  'roles/geth/defaults/main.yml': 'geth_version: 1.9.25\ngeth_commit: e7872729\n',
  'roles/geth/tasks/main.yml': `${tasks.join('\n')}\n`,
  'roles/geth/templates/geth.service': `[Service]\nExecStart=/usr/bin/geth ${words}\n`,
  ...more,
});
const unit = [
  '- template: { src: geth.service, dest: /etc/systemd/system/geth.service }',
  '- systemd: { name: geth, state: started }',
];
const archive = `${builds}/geth-linux-amd64-{{ geth_version }}-{{ geth_commit }}.tar.gz`;

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'a variable of a role in the image',
    role(
      [
        '- docker_container:',
        '    name: geth',
        '    image: "ethereum/client-go:v{{ geth_version }}"',
        `    command: ${words}`,
        '    network_mode: host',
      ],
      { 'roles/geth/templates/geth.service': '# unused\n' },
    ),
    'geth/v1.9.25',
  ],
  [
    'a variable of a role in a download',
    role([`- get_url: { url: "${archive}", dest: /tmp/geth.tgz }`, ...unit]),
    'geth/v1.9.25',
  ],
  [
    'variables of a group over defaults, in an archive',
    role([`- unarchive: { src: "${archive}", dest: /usr/bin, remote_src: true }`, ...unit], {
      'group_vars/all.yml': 'geth_version: 1.8.27\ngeth_commit: 4bcc0a37\n',
    }),
    'geth/v1.8.27',
  ],
  [
    'variables of a role in a checkout',
    role(
      [
        '- git: { repo: "https://github.com/ethereum/go-ethereum.git", dest: /src, version: "{{ geth_tag }}" }',
        ...unit,
      ],
      { 'roles/geth/vars/main.yml': 'geth_tag: v1.10.8\n' },
    ),
    'geth/v1.10.8',
  ],
  ['variables of a role in a command', role([`- shell: curl -LO ${archive}`, ...unit]), 'geth/v1.9.25'],
  [
    'a download of a script that writes a unit',
    script(
      `wget ${builds}/geth-linux-amd64-1.9.25-e7872729.tar.gz`,
      'cat > /etc/systemd/system/geth.service <<EOF',
      '[Service]',
      `ExecStart=/usr/bin/geth ${words}`,
      'EOF',
      'systemctl start geth',
    ),
    'geth/v1.9.25',
  ],
  [
    'an ARG before FROM',
    dockerfile(...image.map((line) => line.replace('stable', 'v1.9.25')), 'CMD ["--rpc"]'),
    'geth/v1.9.25',
  ],
  [
    'a download in RUN, by an ARG',
    dockerfile(
      'FROM ubuntu:18.04',
      'ARG V=1.9.25-e7872729',
      `RUN curl -LO ${builds}/geth-linux-amd64-\${V}.tar.gz`,
      `CMD geth ${words}`,
    ),
    'geth/v1.9.25',
  ],
  [
    'a branch that another stage clones',
    dockerfile(
      'FROM golang:1.16 AS builder',
      'RUN git clone -b v1.10.8 https://github.com/ethereum/go-ethereum && make geth',
      ...built,
    ),
    'geth/v1.10.8',
  ],
  [
    'a checkout of another stage, by an ARG',
    dockerfile(
      'FROM golang:1.16 AS builder',
      'ARG V=v1.8.27',
      'RUN git clone https://github.com/ethereum/go-ethereum',
      'RUN git checkout ${V} && make geth',
      ...built,
    ),
    'geth/v1.8.27',
  ],
  [
    'an image that a stage copies from',
    dockerfile(...built.map((line) => line.replace('builder', 'ethereum/client-go:v1.9.10'))),
    'geth/v1.9.10',
  ],
  [
    'a build argument of a service',
    {
      'compose.yaml': service('build: { context: ., args: { GETH_VERSION: v1.8.27 } }'),
      ...dockerfile(...image),
    },
    'geth/v1.8.27',
  ],
  [
    '--build-arg',
    {
      ...script(
        'docker build --build-arg GETH_VERSION=v1.8.27 -t mygeth .',
        `docker run --network host mygeth ${words}`,
      ),
      ...dockerfile(...image),
    },
    'geth/v1.8.27',
  ],
  [
    'a variable of .env in the tag',
    { 'compose.yaml': service('image: ethereum/client-go:${TAG}'), '.env': 'TAG=v1.8.27\n' },
    'geth/v1.8.27',
  ],
  [
    'a download',
    script(`wget ${builds}/geth-alltools-linux-arm7-1.8.27-4bcc0a37.tar.gz`, `geth ${words}`),
    'geth/v1.8.27',
  ],
  [
    'a download by a variable',
    script('V=1.9.25-e7872729', `wget ${builds}/geth-linux-amd64-$V.tar.gz`, `geth ${words}`),
    'geth/v1.9.25',
  ],
  [
    'a checkout',
    script(
      'git clone https://github.com/ethereum/go-ethereum && cd go-ethereum',
      'git checkout v1.8.27 && make geth',
      `./build/bin/geth ${words}`,
    ),
    'geth/v1.8.27',
  ],
  [
    'go install',
    script('go install github.com/ethereum/go-ethereum/cmd/geth@v1.10.8', `geth ${words}`),
    'geth/v1.10.8',
  ],
  [
    'a pinned package',
    script('apt-get install -y ethereum=1.9.25+build26351+bionic', `geth ${words}`),
    'geth/v1.9.25',
  ],
  [
    'a release of bsc',
    script(
      'wget https://github.com/bnb-chain/bsc/releases/download/v1.2.3/geth_linux',
      './geth_linux --http --http.addr 0.0.0.0 --http.api eth,personal',
    ),
    'bsc/v1.2.3',
  ],
  [
    'a release of bsc with the old names',
    script(
      'wget https://github.com/binance-chain/bsc/releases/download/v1.0.7/geth_linux',
      `./geth_linux ${words}`,
    ),
    'bsc/v1.0.7',
  ],
])('%s gives the release', async (_, files, value) => {
  const { kind, release } = await releaseOf(files);
  expect(release?.value).toBe(value);
  expect(kind).toBe(value.split('/')[0]);
});

test('a script that names two releases gives none', async () => {
  const both = [
    `wget ${builds}/geth-linux-amd64-1.8.27-4bcc0a37.tgz`,
    `wget ${builds}/geth-linux-amd64-1.9.25-e7872729.tgz`,
  ];
  expect((await releaseOf(script(...both, `geth ${words}`))).release?.value).toBeNull();
});

const newer = '--http --http.addr 0.0.0.0 --http.api eth,personal';
test.each([
  ['ethereumoptimism/l2geth:0.5.31', `geth ${words}`, 'l2geth', 'geth/v1.9.10', 'geth/v1.9.10'],
  ['us.gcr.io/celo-org/geth:1.8.9', newer, 'celo-blockchain', 'geth/v1.10.9', 'geth/v1.10.9'],
  ['us.gcr.io/celo-org/geth:1.2.0', `geth ${words}`, 'celo-blockchain', 'geth/v1.9.10', 'geth/v1.9.19'],
  ['quorumengineering/quorum:21.4.2', `geth ${newer}`, 'quorum', 'geth/v1.9.20', 'geth/v1.9.20'],
  ['quorumengineering/quorum:2.6.0', `geth ${words}`, 'quorum', 'geth/v1.9.7', 'geth/v1.9.7'],
  ['mantlenetworkio/op-geth:v1.1.1', newer, 'Mantle’s op-geth', 'op-geth/v1.101106.0', 'op-geth/v1.101702.3'],
  [
    'ghcr.io/bnb-chain/op-geth:v0.4.4',
    `--opBNBMainnet ${newer}`,
    'op-bnb',
    'op-geth/v1.101106.0',
    'op-geth/v1.101702.3',
  ],
])(
  'the image %s is judged as the release that the fork descends from',
  async (name, command, fork, since, until) => {
    const { release, subjects } = await releaseOf({ 'compose.yaml': service(`image: ${name}`, command) });
    expect(release).toMatchObject({ value: null, fork, since, until });
    expect(subjects).toContain('privileged-module http personal');
    expect(subjects.filter((one) => /^(?:removed|unknown)-flag/.test(one))).toEqual([]);
  },
);

test('the number of another op-geth is not one of its releases', async () => {
  const files = { 'compose.yaml': service('image: example/op-geth:v0.3.2', newer) };
  expect((await releaseOf(files)).release).toMatchObject({ value: null, by: 'none' });
});

test('a flag that the base of a fork lacks may be the fork’s own', async () => {
  const { subjects } = await releaseOf({
    'compose.yaml': service('image: ethereumoptimism/l2geth:0.5.31', 'geth --rpc --http'),
  });
  expect(subjects).toContain('unknown-flag http');
});

test('the release that a fork descends from is marked as a guess', async () => {
  const own = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(own, 'compose.yaml'), service('image: ethereumoptimism/l2geth', `geth ${words}`));
  const { out } = await run(['node', 'lint', join(own, 'compose.yaml')], { columns: 200 });
  expect(out.replace(/\s+/g, ' ')).toContain('judged as geth v1.9.10, from which l2geth descends');
});

const variables =
  'environment: { GETH_HTTP: "true", GETH_HTTP_ADDR: 0.0.0.0, GETH_HTTP_API: admin, GETH_TAG: x }';
const ignored = 'ignored-variable GETH_HTTP,GETH_HTTP_ADDR,GETH_HTTP_API';
test.each([
  [':v1.10.26', true, false],
  [':v1.13.0', true, false],
  [':v1.13.1', false, true],
  ['', true, true],
])('variables of ethereum/client-go%s are ignored: %s, and open http: %s', async (tag, isIgnored, opens) => {
  const text = service(`image: ethereum/client-go${tag}\n    ${variables}`, '--syncmode full');
  const { subjects } = await releaseOf({ 'compose.yaml': text });
  expect(subjects.filter((one) => one === ignored).length).toBe(isIgnored ? 1 : 0);
  expect(subjects.includes('privileged-module http admin')).toBe(opens);
});

const calls = (start: string) =>
  script(`nohup geth ${start} &`, 'geth attach --exec \'personal.unlockAccount(eth.accounts[0], "", 0)\'');
test.each([
  ['v1.8.27', '--rpc --rpcaddr 0.0.0.0', true],
  // The guard refuses the call, and the node goes on.
  ['v1.9.25', '--rpc --rpcaddr 0.0.0.0', false],
  ['v1.9.25', '--allow-insecure-unlock --rpc --rpcaddr 0.0.0.0', true],
  ['v1.13.15', '--http --http.addr 0.0.0.0', false],
  ['v1.17.8', '--http --http.addr 0.0.0.0', false],
])('at %s with %s, a call to the running node unlocks an account: %s', async (tag, start, isUnlocked) => {
  const own = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(own, 'run.sh'), calls(start)['run.sh']);
  const argv = ['node', 'lint', join(own, 'run.sh'), '--node-version', tag, '--format', 'json'];
  const { targets } = JSON.parse((await run(argv)).out) as Report;
  const subjects = targets.flatMap(({ findings }) =>
    findings.map(({ rule, subject }) => `${rule} ${subject}`),
  );
  expect(subjects.includes('unlocked-account --unlock')).toBe(isUnlocked);
  expect(subjects).not.toContain('conflicting-flags unlock');
  expect(subjects.filter((one) => one.startsWith('removed-flag'))).toEqual([]);
});

test('the releases in which a call unlocks an account are named', async () => {
  const own = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(own, 'run.sh'), calls('--rpc --rpcaddr 0.0.0.0')['run.sh']);
  const { out } = await run(['node', 'lint', join(own, 'run.sh'), '--format', 'json']);
  expect(out).toContain('In releases up to geth v1.8.27, when personal.unlockAccount: ');
});
