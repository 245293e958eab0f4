/** The report of lint on a folder with these files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Report, TargetReport } from '../../../../src/node/facts/report.js';
import { kaiactl } from '../../offline.js';

/** The first target of a folder with these files. */
export async function lintFiles(
  files: Readonly<Record<string, string>>,
  ...options: string[]
): Promise<TargetReport> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json', '-q', ...options], {
    cwd: folder,
  });
  const [target] = (JSON.parse(stdout) as Report).targets;
  if (target === undefined) throw new Error(`no target: ${stdout}`);
  return target;
}
