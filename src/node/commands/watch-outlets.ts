/** Outputs of `node watch`: files and a metrics port. */

import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import type { Report } from '../facts/report.js';
import { loadReport } from './saved-report.js';

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
  const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:\s]+):(\d{1,5})$/.exec(address) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw new KaiactlError(`--listen ${visible(address, 80)} is not an address`, {
      hint: 'Write it as 127.0.0.1:9469.',
    });
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    const found = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(found ? text() : 'not found\n');
  });
  await new Promise<void>((done, fail) => {
    server.once('error', (error) =>
      fail(new KaiactlError(`cannot listen on ${visible(address, 80)}: ${error.message}`, { cause: error })),
    );
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''), done);
  });
  const bound = server.address();
  const own = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    url: `http://${host}:${own}/metrics`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/**
 * The last report whose changes were told, from the file of --state; null when there is no file yet.
 * @throws {KaiactlError} when it holds anything else, so that no other file is replaced (exit 2)
 */
export async function loadState(file: string, host: Host): Promise<Report | null> {
  return existsSync(resolve(host.cwd, file)) ? await loadReport(resolve(host.cwd, file), host) : null;
}

/** Readable by its owner only. @throws when the file cannot be written */
export async function saveState(file: string, report: Report, host: Host): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(report)}\n`, host, 0o600);
}
