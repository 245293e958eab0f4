/**
 * One HTTP exchange with an API, by node-fetch: capped in bytes after decompression, ended by the caller's signal, sent
 * once and never redirected.
 */
import type { Agent } from 'node:http';
import fetch, { type Response } from 'node-fetch';
import { AnswerTooLarge } from './failure.js';

export interface Call {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Keeps the connection, or leads it through a proxy; without one it is direct and closed afterwards. */
  readonly agent?: Agent | undefined;
  readonly signal: AbortSignal;
  /** The largest body taken; null: the head is all that is read. */
  readonly maxBytes: number | null;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @throws the signal's reason once it has aborted, otherwise what `described` names */
export async function exchange(call: Call): Promise<Reply> {
  const { method, url, headers = {}, body, agent, signal, maxBytes } = call;
  signal.throwIfAborted();
  try {
    const response = await fetch(url, {
      ...{ method, headers: { 'user-agent': 'kaiactl', ...headers }, redirect: 'manual' },
      signal: signal as never,
      ...(body === undefined ? {} : { body }),
      ...(agent === undefined ? {} : { agent }),
    });
    // An abort after the headers is emitted on the body, where perhaps nobody listens.
    response.body?.on('error', () => {});
    const text = maxBytes === null ? leave(response) : await read(response, maxBytes);
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** The body after decompression, which a bomb cannot push past the cap. */
async function read(response: Response, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += part.length;
    if (size > maxBytes) {
      leave(response);
      throw new AnswerTooLarge(maxBytes);
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function leave(response: Response): string {
  (response.body as { destroy?: () => void } | null)?.destroy?.();
  return '';
}
