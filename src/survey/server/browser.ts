/** Requests from web pages: which pages may send what (CORS decides who may read the answers). */
import type { IncomingHttpHeaders } from 'node:http';
import { Refused } from '../protocol/refused.js';

/** Whether a page of another site sent the request: one that is neither this server's own nor among `origins`. */
export function isForeign(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin') return false;
  if (origin === undefined) return site === 'cross-site' || site === 'same-site';
  return !origins.includes(origin) && !(URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * Refuses a body that any page can send without the browser asking first: with the type of a form or plain text, or none.
 * JSON from a foreign page needs a preflight, which CORS refuses.
 * @throws {Refused}
 */
export function refuseForeignForm(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  origins: readonly string[],
): void {
  if (method !== 'POST' || !isForeign(headers, origins)) return;
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  const reason = 'from a page of another site, it needs the content type application/json';
  throw new Refused('FOREIGN_ORIGIN', 'the request was not accepted', reason);
}
