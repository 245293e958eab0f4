/** Requests to a service that a server needs: limited in time and bytes, without redirects. */
import { jsonOf } from '../util/json.js';
import { exchange } from './exchange.js';

export interface Upstream {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

const usualBytes = 256 * 1024;

/**
 * Null without an answer: connection refused, timeout, or more bytes than the limit. `json` is undefined if the body was
 * not JSON.
 */
export async function ask(url: string, { timeoutMs, maxBytes = usualBytes, ...asked }: Upstream) {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, text } = await exchange({ ...asked, url: new URL(url), signal, maxBytes });
    return status >= 300 && status < 400 ? null : { status, json: jsonOf(text) };
  } catch {
    return null;
  }
}
