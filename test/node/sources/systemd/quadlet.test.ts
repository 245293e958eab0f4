/** Quadlets with their drop-ins, as podman merges them. podman-systemd.unit(5) */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { kaiactl } from '../../offline.js';

const unit =
  '[Container]\nImage=ethereum/client-go:v1.13.14\nExec=--http --http.addr 0.0.0.0 --http.api eth,admin\n';
const pod = 'Pod=n.pod\n';

/** The reach of http, and whether admin is offered there. */
async function readHttp(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-quadlet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { stdout } = await kaiactl(['node', 'lint', folder, '--format', 'json', '-q'], { cwd: folder });
  const { targets } = JSON.parse(stdout) as Report;
  return targets
    .map(({ interfaces, findings }) => {
      const http = interfaces.find(({ transport }) => transport === 'http');
      const isAdmin = findings.some(({ subject }) => subject === 'http admin');
      return `${http?.reach ?? 'off'}${isAdmin ? ' admin' : ''}`;
    })
    .join(', ');
}

test.each([
  ['no drop-in', {}, 'private admin'],
  ['a port of a drop-in', { 'n.container.d/10.conf': '[Container]\nPublishPort=8545:8545\n' }, 'any admin'],
  [
    'a port of a drop-in for all containers',
    { 'container.d/a.conf': '[Container]\nPublishPort=8545:8545\n' },
    'any admin',
  ],
  ['the network of a drop-in', { 'n.container.d/10.conf': '[Container]\nNetwork=host\n' }, 'any admin'],
  [
    'the command of a drop-in',
    { 'n.container.d/10.conf': '[Container]\nExec=--http --http.api eth\n' },
    'loopback',
  ],
  [
    'the variable of a drop-in',
    {
      'n.container.d/10.conf':
        '[Container]\nExec=--http --http.addr 0.0.0.0\nEnvironment=GETH_HTTP_API=eth,admin\n',
    },
    'private admin',
  ],
  [
    'the drop-in of another unit',
    { 'm.container.d/10.conf': '[Container]\nPublishPort=8545:8545\n' },
    'private admin',
  ],
])('a container with %s', async (_, more, expected) => {
  expect(await readHttp({ 'etc/containers/systemd/n.container': unit, ...under(more) })).toBe(expected);
});

test.each([
  [
    'a drop-in of its pod',
    { 'n.pod': '[Pod]\n', 'n.pod.d/10.conf': '[Pod]\nPublishPort=8545:8545\n' },
    'any admin',
  ],
  [
    'a drop-in that resets the ports of its pod',
    { 'n.pod': '[Pod]\nPublishPort=8545:8545\n', 'n.pod.d/10.conf': '[Pod]\nPublishPort=\n' },
    'private admin',
  ],
])('a container of a pod with %s', async (_, more, expected) => {
  expect(await readHttp({ 'etc/containers/systemd/n.container': unit + pod, ...under(more) })).toBe(expected);
});

const under = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`etc/containers/systemd/${name}`, text]));
