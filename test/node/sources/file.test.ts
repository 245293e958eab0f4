/** Files as they lie on a machine: what their modes say. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { modeOn } from '../../../src/node/sources/file.js';
import { run } from '../../cli/run.js';

test.each([
  ['linux', 0o666, 0o666],
  ['darwin', 0o644, 0o644],
  // What Node.js makes up for every file that can be written.
  ['win32', 0o666, 0o600],
  ['win32', 0o444, 0o400],
] as const)('on %s the mode %o counts as %o', (platform, mode, counts) => {
  expect(modeOn(platform, mode)).toBe(counts);
});

test('on Windows lint and audit say once that modes are not checked', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'kaiactl-modes-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const name of ['kend.conf', 'kcnd.conf']) {
    writeFileSync(join(cwd, name), 'RPC_ENABLE=0\n');
    chmodSync(join(cwd, name), 0o600);
  }
  const said = async (platform: NodeJS.Platform, ...words: string[]) =>
    (await run(['node', ...words], { cwd, platform })).err.match(/loose-permissions is not checked/g)
      ?.length ?? 0;
  expect(await said('win32', 'lint', 'kend.conf', 'kcnd.conf')).toBe(1);
  expect(await said('win32', 'audit', 'kend.conf')).toBe(1);
  expect(await said('win32', 'lint', 'kend.conf', '--quiet')).toBe(0);
  expect(await said('linux', 'lint', 'kend.conf')).toBe(0);
});
