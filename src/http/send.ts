/** A request of a client: an answer, or the reason why there is none. */
import type { Agent } from 'node:http';
import { visible } from '../util/visible.js';
import type { Reply as Answer } from './exchange.js';
import { describeError } from './failure.js';
import { request } from './request.js';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body?: string;
  /** For the whole exchange, redirects included, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The connections to use; by default a new one for each exchange. */
  readonly agent?: Agent | undefined;
  /** The etag of a cached answer, for If-None-Match. */
  readonly known?: string | null;
}

/** The answer; `lost` if there is none. */
export type Reply =
  | ReturnType<typeof replyOf>
  | {
      readonly kind: 'lost';
      /** A clause such as “connection refused”. */
      readonly why: string;
      /** Whether the request may have reached the server. */
      readonly maybeSent: boolean;
    };

const maxRedirects = 3;
const maxRetryAfterMs = 1_000_000_000;

/** Never rejects. Follows up to three redirects of a GET on the same host; sends a POST exactly once. */
export async function send(call: Call): Promise<Reply> {
  if (call.signal.aborted) return { kind: 'lost', why: 'interrupted', maybeSent: false };
  const abort = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    abort.abort();
  }, call.timeoutMs);
  const interrupt = () => abort.abort();
  call.signal.addEventListener('abort', interrupt, { once: true });
  const { signal } = abort;
  const headers = {
    accept: 'application/json',
    ...(call.known == null ? {} : { 'if-none-match': call.known }),
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  try {
    let url = call.url;
    for (let hops = 0; ; hops++) {
      const answer = await request({ ...call, url, signal, headers });
      const next = call.method === 'GET' && hops < maxRedirects ? redirectWithin(url, answer) : null;
      if (next === null) return replyOf(answer);
      url = next;
    }
  } catch (error) {
    const late = `no answer within ${call.timeoutMs / 1000} s`;
    if (signal.aborted) return { kind: 'lost', why: isLate ? late : 'interrupted', maybeSent: true };
    const { reason, maybeSent } = describeError(error);
    return { kind: 'lost', why: visible(reason, 120), maybeSent };
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', interrupt);
  }
}

function replyOf(answer: Answer) {
  const { status, text, headers } = answer;
  return {
    kind: 'answer' as const,
    status,
    text,
    contentType: headers['content-type'] ?? '',
    /** Target of a redirect that was not followed, otherwise null. */
    location: locationOf(answer),
    /** Retry-After in milliseconds; null if it is missing or invalid. */
    retryAfterMs: retryAfterMs(answer),
    etag: headers.etag ?? null,
    /** The server's clock minus ours, in milliseconds, to the second; null if it names no time. */
    clockMs: clockMs(answer),
  };
}

function clockMs({ headers }: Answer): number | null {
  const date = dateOf(headers.date ?? '');
  return date === null ? null : date - Date.now();
}

/** A number of seconds, or a date, which is compared with the answer's own Date: the clocks may differ (RFC 9110, 10.2.3). */
function retryAfterMs({ headers }: Answer): number | null {
  const { 'retry-after': after = '', date = '' } = headers;
  if (/^\d{1,6}$/.test(after)) return Number(after) * 1000;
  const [until, sent] = [dateOf(after), dateOf(date) ?? Date.now()];
  return until === null ? null : Math.min(Math.max(0, until - sent), maxRetryAfterMs);
}

/** An IMF-fixdate in milliseconds since 1970. */
function dateOf(text: string): number | null {
  const ms = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function locationOf({ status, headers }: Answer): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? (headers.location ?? null) : null;
}

/** The target of a redirect to the same host, unless it leads from https to http. */
function redirectWithin(from: URL, answer: Answer): URL | null {
  const location = locationOf(answer);
  if (location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from.href);
  const kept = to.protocol === from.protocol || (from.protocol === 'http:' && to.protocol === 'https:');
  return kept && to.hostname === from.hostname && to.username === '' ? to : null;
}
