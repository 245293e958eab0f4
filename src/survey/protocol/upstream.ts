/** Asking a service the server depends on: bounded in time and bytes, never followed elsewhere. */

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
export async function ask(url: string, upstream: Upstream): Promise<UpstreamAnswer | null> {
  try {
    const { method, headers, body } = upstream;
    const response = await fetch(url, {
      ...{ method, redirect: 'error', signal: AbortSignal.timeout(upstream.timeoutMs) },
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, json: parse(await read(response, upstream.maxBytes ?? usualBytes)) };
  } catch {
    return null;
  }
}

async function read(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('answer too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field of something that should be an object; undefined when it is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
