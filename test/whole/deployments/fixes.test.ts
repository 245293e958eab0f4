/** Fixes stand where a person would change the value, and keep variables: applied, their findings are gone. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-fixes-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function targetsIn(cwd: string, path = '.'): Promise<Report['targets']> {
  const { stdout } = await kaiactl(['node', 'lint', path, '--format', 'json'], { cwd });
  return (JSON.parse(stdout) as Report).targets;
}

test.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
  [
    'compose-defaults',
    {
      '.env': ['CN_MODULES=klay\n', 'FLAGS=--rpc --rpcvhosts en.example --rpcapi eth\n'],
      'compose.yaml': ['--rpcapi=${MODULES:-eth,net}\n'],
    },
    ['127.0.0.1'],
  ],
  ['compose-fix-env', { '.env': ['RPC_MODULES=eth,net\n'] }, ['"127.0.0.1:${DOCKER_LISTEN:-8551}:8551"']],
  [
    'script-arguments',
    { 'compose.yaml': ['command: [--rpc, --rpcaddr, 0.0.0.0, --rpcapi, "eth"]'] },
    ['"127.0.0.1:8551:8551"'],
  ],
  ['k8s-helm-values', { 'values.yaml': ['  apis: [eth, net, web3]\n'] }, ['ClusterIP']],
  ['k8s-helm-lists', { 'values.yaml': ['apis:\n  - eth\n  - web3\nwsApis: ["eth"]\n'] }, ['127.0.0.1']],
])('the lists of %s change, and its addresses on request', async (name, texts, local) => {
  const folder = join(scratch, name);
  cpSync(join(root, name), folder, { recursive: true });
  await kaiactl(['node', 'lint', '.', '--fix', '--unsafe-fixes', '--quiet'], { cwd: folder });
  for (const [file, parts] of Object.entries(texts))
    for (const part of parts) expect(readFileSync(join(folder, file), 'utf8')).toContain(part);
  const left = (await targetsIn(folder)).flatMap(({ findings }) => findings);
  expect(left.filter(({ rule }) => rule === 'privileged-module')).toEqual([]);
  const binds = left.filter(({ rule }) => rule === 'public-bind').flatMap(({ edits = [] }) => edits);
  expect(binds.map(({ text }) => text)).toEqual(expect.arrayContaining([...local]));
});

test('a unit that is given alone is read with its drop-ins', async () => {
  const folder = mkdtempSync(join(scratch, 'unit-'));
  const start = 'ExecStart=/usr/bin/ken --datadir /d --rpc --rpcvhosts a --rpcapi';
  writeFileSync(join(folder, 'ken.service'), `[Service]\n${start} eth\n`);
  mkdirSync(join(folder, 'ken.service.d'));
  writeFileSync(join(folder, 'ken.service.d/flags.conf'), `[Service]\nExecStart=\n${start} eth,admin\n`);
  const [target] = await targetsIn(folder, 'ken.service');
  expect(target?.files).toEqual(['ken.service', 'ken.service.d/flags.conf']);
  expect(target?.findings.map(({ rule }) => rule)).toContain('privileged-module');
});
