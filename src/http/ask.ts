/** Requests to a service that a server needs: limited in time and bytes, without redirects. */
import { jsonOf } from '../util/json.js';
import { secretsOf, withoutKeys } from '../util/mask-url.js';
import { request } from './request.js';

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
export async function ask(address: string, { timeoutMs, maxBytes = usualBytes, ...asked }: Upstream) {
  try {
    const url = new URL(address);
    const { status, text } = await request({
      ...asked,
      url,
      signal: AbortSignal.timeout(timeoutMs),
      maxBytes,
    });
    const json = jsonOf(withoutKeys(text, secretsOf(url)));
    return status >= 300 && status < 400 ? null : { status, json };
  } catch {
    return null;
  }
}
