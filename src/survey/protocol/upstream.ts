/** Requests to a service that the server needs: limited in time and bytes, without redirects. */
import { exchange } from '../../http/exchange.js';
import { jsonOf } from '../../util/json.js';

export interface Upstream {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Limit of the answer; 256 KiB by default. */
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

/** A field of a value that should be an object; undefined if it is not. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
