/** The only importer of node-fetch: one exchange over HTTP, capped in bytes and time, never followed to another host. */
import type { Agent } from 'node:http';
import fetch, { FetchError, type Response } from 'node-fetch';
import { visible } from '../../util/visible.js';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body?: string | Buffer;
  /** For the whole exchange, redirects included, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest body taken, after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Carries the connection; node’s own where there is none. */
  readonly agent?: Agent | undefined;
  /** The etag of an answer that is at hand: where it still holds, 304 comes instead of it. */
  readonly known?: string | null;
}

/** What came back; `lost` when nothing usable did. */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly contentType: string;
      /** Target of a redirect that was not followed, otherwise null. */
      readonly location: string | null;
      readonly retryAfter: string | null;
      readonly etag: string | null;
      readonly text: string;
    }
  | {
      readonly kind: 'lost';
      /** A clause for people: “connection refused”. */
      readonly why: string;
      /** Whether the request may have reached the server. */
      readonly maybeSent: boolean;
    };

const maxRedirects = 3;

/**
 * Sends one request and reads its answer; never throws for what the network or the server does.
 * A GET is followed through at most three redirects on the same host; a POST is sent exactly once.
 */
export async function exchange(call: Call): Promise<Reply> {
  const timeout = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
  // A body that node-fetch is given after the abort would be an error that nobody hears.
  if (signal.aborted) return { kind: 'lost', why: 'interrupted', maybeSent: false };
  try {
    let url = call.url;
    for (let hops = 0; ; hops++) {
      const response = await send(call, url, signal);
      const next = call.method === 'GET' && hops < maxRedirects ? redirectWithin(url, response) : null;
      if (next === null) return await answer(response);
      response.body?.resume?.call(response.body);
      url = next;
    }
  } catch (error) {
    if (timeout.aborted) {
      return { kind: 'lost', why: `no answer within ${call.timeoutMs / 1000} s`, maybeSent: true };
    }
    if (signal.aborted) return { kind: 'lost', why: 'interrupted', maybeSent: true };
    return { kind: 'lost', ...cause(error) };
  }
}

function send(call: Call, url: URL, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: call.method,
    redirect: 'manual',
    size: call.maxBytes,
    signal: signal as never,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
    headers: {
      accept: 'application/json',
      'user-agent': 'kaiactl',
      ...(call.known == null ? {} : { 'if-none-match': call.known }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
  });
}

async function answer(response: Response): Promise<Reply> {
  return {
    kind: 'answer',
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    location: isRedirect(response) ? response.headers.get('location') : null,
    retryAfter: response.headers.get('retry-after'),
    etag: response.headers.get('etag'),
    text: await response.text(),
  };
}

function isRedirect(response: Response): boolean {
  return [301, 302, 303, 307, 308].includes(response.status);
}

/** Where a redirect leads if that is the same host and not from https to http. */
function redirectWithin(from: URL, response: Response): URL | null {
  const location = isRedirect(response) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from.href);
  const kept = to.protocol === from.protocol || (from.protocol === 'http:' && to.protocol === 'https:');
  return kept && to.hostname === from.hostname && to.username === '' ? to : null;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'connecting timed out',
  ECONNRESET: 'the connection was closed before an answer came',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection was closed in the middle of the answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
const beforeSending = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO)$|CERT|SSL|TLS/;

function cause(error: unknown): { why: string; maybeSent: boolean } {
  if (!(error instanceof Error)) return { why: 'the request failed', maybeSent: true };
  if (error instanceof FetchError && error.type === 'max-size') {
    return { why: 'the answer is larger than anything this request should bring', maybeSent: true };
  }
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  const connecting = (error as { erroredSysCall?: string }).erroredSysCall === 'connect';
  return {
    why: reasons[code] ?? visible(code === '' ? error.message : code, 120),
    maybeSent: !connecting && !beforeSending.test(code),
  };
}
