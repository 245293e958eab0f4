/** Manifests of one cluster: what a fix changes in them, and how little their division into files matters. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-cluster-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('a fix keeps the names of Services and routes, and edits the ConfigMap', async () => {
  const folder = mkdtempSync(join(scratch, 'names-'));
  const from = join(root, 'k8s-host-names');
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(folder, name));
  await kaiactl(['node', 'lint', '.', '--unsafe-fixes', '--fix'], { cwd: folder });
  const conf = readFileSync(join(folder, 'conf.yaml'), 'utf8');
  expect(conf).toContain('RPC_VHOSTS="en,en.chain,en.chain.svc,en.chain.svc.cluster.local,rpc.example"');
  expect(conf).toContain('RPC_API="eth,net,web3"');
});

test('the names of a release are not guessed', async () => {
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json'], {
    cwd: join(root, 'k8s-helm-conf'),
  });
  const { targets }: Report = JSON.parse(stdout);
  const found = targets.flatMap(({ findings }) => findings).find(({ rule }) => rule === 'wildcard-vhosts');
  expect(found).toMatchObject({ fix: expect.stringContaining('Services'), edits: [] });
});

const divided = [
  'k8s-three-files',
  'k8s-rollout',
  'k8s-network-policy',
  'k8s-secret-environment',
  'k8s-host-names',
];

test.each(divided)('%s: one file has the findings of several', async (name) => {
  const from = join(root, name);
  const texts = readdirSync(from)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(join(from, file), 'utf8'));
  expect(texts.length).toBeGreaterThan(1);
  const folder = mkdtempSync(join(scratch, 'joined-'));
  writeFileSync(join(folder, 'all.yaml'), texts.join('---\n'), { mode: 0o600 });
  const said = async (cwd: string) => {
    const { stdout } = await kaiactl(
      ['node', 'lint', '.', '--exclude', 'expected.json', '--format', 'json', '--min-severity', 'info'],
      { cwd },
    );
    const { targets }: Report = JSON.parse(stdout);
    return targets.flatMap(({ findings }) =>
      findings.map(({ rule, subject, severity }) => `${rule} ${subject} ${severity}`),
    );
  };
  const several = await said(from);
  expect(several).not.toEqual([]);
  expect((await said(folder)).sort()).toEqual(several.sort());
});
