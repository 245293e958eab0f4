/** A restart of a node keeps its name and its baseline: neither holds a pid. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../src/node/facts/report.js';
import { childNode, closeChildren } from '../peers/child-node.js';
import { freePort } from '../peers/free-port.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-named-'));
});
afterEach(async () => {
  await closeChildren();
  rmSync(folder, { recursive: true });
});

const open = ({ findings }: TargetReport) => findings.filter(({ suppressed }) => suppressed === null);

async function judged(...words: string[]): Promise<TargetReport[]> {
  const { stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', ...words]);
  if (stdout === '') throw new Error(stderr);
  return [...(expectValid(stdout) as Report).targets];
}

test.skipIf(process.platform !== 'linux')(
  'a restart of a node without a conf keeps its baseline (skipped elsewhere than on Linux)',
  async () => {
    const port = await freePort();
    const words = ['--rpc', '--rpcport', `${port}`, '--rpcapi', 'eth,personal', '--ipcdisable'];
    const start = () =>
      childNode([`127.0.0.1:${port}`], [...words, '--datadir', join(folder, 'data')], {
        modules: 'eth,personal',
      });
    const file = join(folder, 'baseline.json');
    const [first] = await judged(`pid:${(await start()).pid}`, '--write-baseline', file);
    expect(first?.name).toBe(`ken ${join(folder, 'data')}`);
    await closeChildren();
    const [second] = await judged(`pid:${(await start()).pid}`, '--baseline', file);
    expect(second?.findings.length).toBeGreaterThan(0);
    expect(second?.findings.map(({ fingerprint }) => fingerprint)).toEqual(
      first?.findings.map(({ fingerprint }) => fingerprint),
    );
    expect(second === undefined ? [] : open(second)).toEqual([]);
    expect(readFileSync(file, 'utf8')).not.toContain('pid');
  },
);

const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;

test.skipIf(!canMount)(
  'a restart of a container keeps its name, the path of its conf and its baseline (skipped where unshare -m is not allowed)',
  async () => {
    const port = await freePort();
    // As Docker makes them: a folder of the container whose files are mounted into it, and a file system of its own.
    const beside = join(folder, 'containers', '3f'.repeat(32));
    mkdirSync(beside, { recursive: true });
    mkdirSync(join(folder, 'pkg'));
    writeFileSync(join(beside, 'hostname'), 'en\n');
    const labels = { 'com.docker.compose.project': 'chain', 'com.docker.compose.service': 'en' };
    writeFileSync(join(beside, 'config.v2.json'), JSON.stringify({ Name: '/x', Config: { Labels: labels } }));
    const lines = ['NETWORK=mainnet', 'DATA_DIR=/d', 'LOG_DIR=/d', 'RPC_ENABLE=1', 'RPC_API="eth,personal"'];
    const conf = [...lines, 'RPC_ADDR=127.0.0.1', `RPC_PORT=${port}`, 'WS_ENABLE=0', ''].join('\n');
    writeFileSync(join(folder, 'kend.conf'), conf);
    const pkg = join(folder, 'pkg');
    const steps = [
      `mount --bind ${beside}/hostname /etc/hostname`,
      `mount -t tmpfs none ${pkg}`,
      `mkdir ${pkg}/conf`,
      `cp ${folder}/kend.conf ${pkg}/conf`,
      'exec "$@"',
    ];
    writeFileSync(join(folder, 'contain.sh'), `set -e\n${steps.join('\n')}\n`);
    const words = ['--rpc', '--rpcport', `${port}`, '--rpcapi', 'eth,personal', '--datadir', '/d'];
    const start = () =>
      childNode([`127.0.0.1:${port}`], [...words, '--autorestart.daemon.path', `${pkg}/bin/kend`], {
        modules: 'eth,personal',
        unshare: `-m bash ${folder}/contain.sh`,
      });
    const file = join(folder, 'baseline.json');
    const [first] = await judged(`pid:${(await start()).pid}`, '--write-baseline', file);
    expect(first).toMatchObject({
      name: `chain/en:${pkg}/conf/kend.conf`,
      conf: { path: `chain/en:${pkg}/conf/kend.conf` },
      process: { program: 'ken', dataDir: '/d', container: 'chain/en' },
    });
    expect(first?.interfaces.find(({ transport }) => transport === 'ipc')?.endpoint ?? '').not.toContain(
      '/proc/',
    );
    await closeChildren();
    const [second] = await judged(`pid:${(await start()).pid}`, '--baseline', file);
    expect(second?.findings.map(({ rule }) => rule)).toContain('privileged-module');
    expect(second === undefined ? [] : open(second)).toEqual([]);
    expect(readFileSync(file, 'utf8')).not.toContain('/proc/');
  },
);
