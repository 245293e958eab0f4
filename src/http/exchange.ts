/**
 * One HTTP exchange with an API, by node-fetch: capped in bytes after decompression, ended by the caller's signal, sent
 * once and never redirected.
 */
import type { Agent } from 'node:http';
import fetch, { type Response } from 'node-fetch';
import { textOf } from './body.js';

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
    const text = maxBytes === null ? leave(response) : await textOf(response.body ?? [], maxBytes);
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

function leave(response: Response): string {
  (response.body as { destroy?: () => void } | null)?.destroy?.();
  return '';
}
