/** A kind of sixty lines, with a history and a token, is linted, simulated, audited and written of. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Report, TargetReport } from '../../../src/node/facts/report.js';
import { jupiter } from './jupiter.js';

let folder: string;
let kaiactl: typeof import('../../peers/run.js').kaiactl;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-jupiter-'));
  vi.resetModules();
  vi.doMock('../../../src/node/kinds/all.js?sources', () => ({ kinds: [jupiter] }));
  ({ kaiactl } = await import('../../peers/run.js?sources'));
});
afterAll(() => {
  vi.doUnmock('../../../src/node/kinds/all.js?sources');
  vi.resetModules();
  rmSync(folder, { recursive: true });
});

async function lint(words: string, ...options: string[]): Promise<TargetReport> {
  const line = ['node', 'lint', '--command-line', `jupiterd ${words}`, ...options, '--format', 'json'];
  const { stdout, stderr } = await kaiactl(line, { cwd: folder });
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as Report).targets[0] as TargetReport;
}
const idsOf = ({ findings }: TargetReport) => findings.map(({ rule, severity }) => `${severity} ${rule}`);

test.each([
  ['v1.0.0', '--rpc --api.list eth,moons', ['medium public-bind', 'medium unknown-module']],
  ['v1.1.0', '--rpc --api eth,moons', ['high privileged-module', 'medium public-bind']],
  ['v2.0.0', '--rpc --api eth,moons', ['low privileged-module']],
  [
    'v2.0.0',
    '--rpc --rpc.addr 0.0.0.0 --api eth,moons --token t',
    ['low public-bind', 'low privileged-module'],
  ],
])('at %s, %s is judged by what the release has', async (version, words, ids) => {
  expect(idsOf(await lint(words, '--node-version', version)).sort()).toEqual(ids.toSorted());
});

test('a flag of a later release is named with it', async () => {
  const { findings } = await lint('--rpc --token t', '--node-version', 'v1.1.0');
  expect(findings.map(({ message }) => message).join()).toContain('with jupiter v2.0.0');
});

test('an audit compares its simulator with the settings', async () => {
  writeFileSync(join(folder, 'start.sh'), 'exec jupiterd --rpc --ws --api eth,moons\n');
  const words = ['node', 'audit', '--simulate', 'start.sh', '--format', 'json'];
  const { stdout } = await kaiactl(words, { cwd: folder });
  const [target] = (JSON.parse(stdout) as Report).targets;
  expect(target).toMatchObject({ kind: 'jupiter', undetermined: [] });
  expect(target?.findings.map(({ rule }) => rule)).toContain('privileged-module');
});

test('the table of rules says that no node of it was seen', async () => {
  expect((await kaiactl(['node', 'explain'])).stdout).toContain('Jupiter node');
});
