/** The engine API whose token lies in the repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../offline.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-engine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const git = (...words: string[]) => execFileSync('git', words, { cwd: folder });
const compose = `services:
  geth:
    image: ethereum/client-go:v1.13.14
    command: --authrpc.addr 0.0.0.0 --authrpc.jwtsecret /secrets/jwt.hex
    volumes: ["./secrets:/secrets"]
    ports: ["8551:8551"]
`;
const docker = `FROM ethereum/client-go:v1.13.14
COPY secrets/jwt.hex /etc/jwt.hex
ENTRYPOINT ["geth","--authrpc.addr","0.0.0.0","--authrpc.jwtsecret","/etc/jwt.hex"]
`;
const script = `#!/bin/sh
cp secrets/jwt.hex /etc/geth/jwt.hex
geth --authrpc.addr 0.0.0.0 --authrpc.jwtsecret /etc/geth/jwt.hex
`;

/** The severities of engine-reach, and whether the token is told of. */
async function told(): Promise<string> {
  const { out } = await run(['node', 'lint', folder, '--format', 'json']);
  const findings = (JSON.parse(out) as Report).targets.flatMap((target) => target.findings);
  const reach = findings.find(({ rule }) => rule === 'engine-reach')?.severity;
  const secret = findings.filter(({ rule }) => rule === 'secret-in-conf');
  const says = secret.map(({ severity, message }) => `${severity} ${message.replace(/:.*/, '')}`);
  return [reach, ...says].join(', ');
}

test.each([
  ['compose.yml', compose],
  ['Dockerfile', docker],
  ['run.sh', script],
])('an engine that others reach is as open as its token: %s', async (name, text) => {
  write(name, text);
  write('secrets/jwt.hex', `${'a7'.repeat(32)}\n`);
  expect(await told()).toBe('medium');
  git('init', '-q');
  expect(await told()).toBe('high, high the token is in this repository');
  git('remote', 'add', 'origin', 'git@github.com:owner/name.git');
  expect(await told()).toBe('critical, high the token is in this repository');
  write('.gitignore', 'jwt.hex\n');
  expect(await told()).toBe('medium');
});

test('a checkout with a licence for everybody is public', async () => {
  write('compose.yml', compose);
  write('secrets/jwt.hex', 'a7'.repeat(32));
  write('.gitattributes', '');
  expect(await told()).toBe('high, high the token is in this repository');
  write('LICENSE', 'MIT');
  expect(await told()).toBe('critical, high the token is in this repository');
});

test('a folder with the name of a password is no secret', async () => {
  write('run.sh', '#!/bin/sh\ngeth --password ./node1\n');
  write('node1/genesis.json', '{}');
  write('.gitattributes', '');
  expect(await told()).toBe('');
});
