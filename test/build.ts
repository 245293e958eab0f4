/**
 * Around all tests: dist/ as src/ is now, so that no test runs a stale build, and a folder for what tests write. Only tests
 * of the package need its types. The tests of dist/ are in test/whole/, which a related run leaves out.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong } from './seed.js';

export function setup(): () => void {
  if (!process.argv.includes('related'))
    execFileSync(process.execPath, ['tools/build.js', ...(isLong ? [] : ['--untyped'])], {
      cwd: new URL('..', import.meta.url).pathname,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return ownTemporaryFolder();
}

/**
 * Points TMPDIR of this process and its children to a new folder.
 * @returns removes the folder, with everything in it, and restores TMPDIR
 */
export function ownTemporaryFolder(): () => void {
  const { TMPDIR: before } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-'));
  // PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
