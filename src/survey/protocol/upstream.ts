/** Asking a service the server depends on: bounded in time and bytes, never followed elsewhere. */
import { exchange } from '../../http/exchange.js';
import { jsonOf } from '../../util/json.js';

export interface Upstream {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** The longest answer taken; 256 KiB unless told otherwise. */
  readonly maxBytes?: number;
}

/** `json` is undefined when the body was not JSON. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly json: unknown;
}

const usualBytes = 256 * 1024;

/** Null when no answer came: refused, too slow, too long. Which one is for the log, not for callers. */
export async function ask(
  url: string,
  { timeoutMs, maxBytes = usualBytes, ...asked }: Upstream,
): Promise<UpstreamAnswer | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, text } = await exchange({ ...asked, url: new URL(url), signal, maxBytes });
    return status >= 300 && status < 400 ? null : { status, json: jsonOf(text) };
  } catch {
    return null;
  }
}

/** A field of something that should be an object; undefined when it is not one. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
