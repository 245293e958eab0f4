/** The state file of `node watch`: the last report whose changes were told, as a report of version 1. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Host } from '../../host.js';
import type { Report } from '../facts/report.js';
import { loadReport } from './saved-report.js';
import { writeAtomically } from './watch-outlets.js';

/**
 * The report in the file; null when there is no file yet.
 * @throws {KaiactlError} when it holds anything else, so that no other file is replaced (exit 2)
 */
export async function loadState(file: string, host: Host): Promise<Report | null> {
  return existsSync(resolve(host.cwd, file)) ? await loadReport(resolve(host.cwd, file), host) : null;
}

/** Readable by its owner only. @throws when the file cannot be written */
export async function saveState(file: string, report: Report, host: Host): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(report)}\n`, host, 0o600);
}
