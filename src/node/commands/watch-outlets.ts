/** Outputs of `node watch`: files and a metrics port. */

import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Host } from '../../host.js';
import type { Report } from '../facts/report.js';
import { loadReport, wholeReport } from './saved-report.js';
import { healthReply, listenOn, notFound } from './watch-listener.js';

/** Writes a new file beside the old one and renames it, so that a reader sees either text and never a part. */
export async function writeAtomically(
  file: string,
  text: string,
  { cwd }: Host,
  mode = 0o666,
): Promise<void> {
  const path = resolve(cwd, file);
  const temporary = join(dirname(path), `.kaiactl-${crypto.randomUUID()}`);
  try {
    await writeFile(temporary, text, { flag: 'wx', mode, flush: true });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

export interface Metrics {
  /** `http://127.0.0.1:9469/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/** @throws {KaiactlError} on an invalid address, or when the port cannot be opened (exit 2) */
export async function serveMetrics(address: string, text: () => string): Promise<Metrics> {
  const own = (await import('./watch-metrics.js')).selfMetrics();
  const { origin, close } = await listenOn(address, async ({ method, url }) => {
    if (method !== 'GET') return notFound;
    if (url === '/metrics') return { status: 200, text: `${text()}${await own()}` };
    return healthReply(url, ['/metrics']) ?? notFound;
  });
  return { url: `${origin}/metrics`, close };
}

/**
 * The last report whose changes were told, from the file of --state; null when there is no file yet.
 * @throws {KaiactlError} when it holds anything else, so that no other file is replaced (exit 2)
 */
export async function loadState(file: string, host: Host): Promise<Report | null> {
  const path = resolve(host.cwd, file);
  return existsSync(path) ? await wholeReport(await loadReport(path, host)) : null;
}

/** Readable by its owner only. @throws when the file cannot be written */
export async function saveState(file: string, report: Report, host: Host): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(report)}\n`, host, 0o600);
}
