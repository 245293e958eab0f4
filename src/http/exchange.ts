/**
 * One HTTP exchange with an API, by node-fetch: limited in bytes after decompression, ended by the caller's signal, sent
 * once, without redirects.
 */
import type { Agent } from 'node:http';
import { Readable } from 'node:stream';
import fetch, { type Response } from 'node-fetch';
import { secretsOf, withoutKeys } from '../util/mask-url.js';
import { AnswerTooLarge } from './failure.js';

export interface Call {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For keep-alive or a proxy; without an agent the connection is direct and closed afterwards. */
  readonly agent?: Agent | undefined;
  readonly signal: AbortSignal;
  /** The largest accepted body in bytes; null if only the head is read. */
  readonly maxBytes: number | null;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @throws the reason of an aborted signal, or an error that `describeError` words */
export async function exchange(call: Call): Promise<Reply> {
  const { method, url, headers = {}, body, agent, signal, maxBytes } = call;
  signal.throwIfAborted();
  try {
    const response = await fetch(url, {
      method,
      headers: { 'user-agent': 'kaiactl', ...headers },
      redirect: 'manual',
      signal: signal as never,
      ...(body === undefined ? {} : { body }),
      ...(agent === undefined ? {} : { agent }),
    });
    // An abort after the headers is emitted on the body; without a listener it would end the process.
    response.body?.on('error', () => {});
    const text =
      maxBytes === null ? leave(response) : await readBody(Readable.from(response.body ?? []), maxBytes);
    const answered = withoutKeys(text, secretsOf(url));
    return { status: response.status, headers: Object.fromEntries(response.headers), text: answered };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

function leave(response: Response): string {
  (response.body as { destroy?: () => void } | null)?.destroy?.();
  return '';
}

/**
 * The decompressed body. Reads no further than `maxBytes`.
 * @param cut whether a longer body is cut there
 * @throws {AnswerTooLarge} for a longer body that is not to be cut
 */
export function readBody(body: Readable, maxBytes: number, cut = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const end = () => {
      isOver = true;
      const [only] = chunks;
      const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(whole.toString('utf8', 0, Math.min(size, maxBytes)));
    };
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size < maxBytes || (size === maxBytes && !cut)) return;
      if (cut) end();
      else reject(new AnswerTooLarge(maxBytes));
      body.destroy();
    });
    body.on('end', end);
    body.on('error', reject);
    body.on('close', () => {
      if (!isOver) reject(Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    });
  });
}
