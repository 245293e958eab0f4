/** Facts and baselines of versions that named a node by its pid are judged for ever, and a restart keeps a baseline. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../src/node/facts/report.js';
import { childNode, closeChildren } from '../peers/child-node.js';
import { freePort } from '../peers/free-port.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';

const saved = new URL('../../fixtures/named-by-pid/', import.meta.url).pathname;
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

test('saved facts and their baseline: every finding is still accepted', async () => {
  const targets = await judged('--facts', `${saved}facts.json`, '--baseline', `${saved}baseline.json`);
  expect(targets.flatMap(({ findings }) => findings)).toHaveLength(3);
  expect(targets.flatMap(open)).toEqual([]);
});

test('the same facts with lasting names: the baseline by pids still accepts every finding', async () => {
  const text = readFileSync(`${saved}facts.json`, 'utf8')
    .replaceAll('"pid 16457"', '"ken /srv/en-1/data"')
    .replaceAll('/proc/16458/root/klaytn-docker-pkg/conf', 'chain/en:/klaytn-docker-pkg/conf');
  writeFileSync(join(folder, 'facts.json'), text);
  const targets = await judged('--facts', join(folder, 'facts.json'), '--baseline', `${saved}baseline.json`);
  expect(targets.flatMap(({ findings }) => findings)).toHaveLength(3);
  expect(targets.flatMap(open)).toEqual([]);
});

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
