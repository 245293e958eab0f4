/** Outputs of `node watch`: a file, a metrics port, a webhook. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';

/** Writes a new file beside the old one and renames it, so that a reader sees either text and never a part. */
export async function writeAtomically(file: string, text: string, { cwd }: Host): Promise<void> {
  const path = resolve(cwd, file);
  const temporary = join(dirname(path), `.kaiactl-${crypto.randomUUID()}`);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
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

const maxAttempts = 3;
const timeoutMs = 10_000;

/**
 * Posts a change as JSON; retries after one and two seconds. Never throws.
 * @returns why it failed, or null
 */
export async function post(url: string, body: unknown, signal: AbortSignal): Promise<string | null> {
  let why = 'interrupted';
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt++) {
    if (attempt > 0) await sleep(attempt * 1_000, undefined, { signal }).catch(() => {});
    const failure = await postOnce(url, body, signal);
    if (failure === null) return null;
    why = failure;
  }
  return why;
}

async function postOnce(url: string, body: unknown, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
