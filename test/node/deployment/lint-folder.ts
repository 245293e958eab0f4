/** Lints a folder of files, in the test's process. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';

/** Texts of files by path. */
export type Folder = Readonly<Record<string, string>>;

export async function reportOf(files: Folder, words: readonly string[] = ['.']): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-folder-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (text.startsWith('#!')) chmodSync(join(folder, name), 0o755);
  }
  try {
    return JSON.parse(
      (await run(['node', 'lint', ...words, '--format', 'json'], { cwd: folder })).out,
    ) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The grave findings of a folder, each with its place, the open questions of its files, and the exit code. */
export async function gravely(files: Folder, words?: readonly string[]): Promise<string> {
  const { targets, exitCode } = await reportOf(files, words);
  const findings = targets.flatMap((target) =>
    target.findings
      .filter(({ severity }) => severity === 'critical' || severity === 'high')
      .map(({ severity, at }) => `${severity} at ${'file' in at ? `${at.file}:${at.line}` : 'no file'}`),
  );
  const open = targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));
  return [...new Set([...findings, ...open]), `exit ${exitCode}`].join('\n');
}
