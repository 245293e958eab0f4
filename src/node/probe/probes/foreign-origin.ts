/** Whether a page of a foreign origin is let in: over http by the preflight's answer, over ws by a handshake. */
import { unreadable } from '../../../jsonrpc/failure.js';
import type { ResponseHead } from '../../../jsonrpc/http.js';
import { foreignOrigin as origin } from './foreign.js';
import type { FactProbe } from './probe.js';

type OriginProbe = FactProbe<'foreignOrigin'>;

export const preflight: OriginProbe = {
  fact: 'foreignOrigin',
  over: ['http'],
  depth: 'safe',
  plan: [[`OPTIONS, Origin: ${origin}`, null]],
  async ask(session) {
    const head = await session.preflight(origin);
    if (head.status >= 500) throw unreadable(`the preflight was answered with HTTP ${head.status}`);
    return letsPost(head) ? 'open' : 'closed';
  },
};

export const handshake: OriginProbe = {
  fact: 'foreignOrigin',
  over: ['ws'],
  depth: 'safe',
  plan: [[`a handshake, Origin: ${origin}`, null]],
  ask: (session) => session.handshake(origin),
};

/** What a browser looks for before a page may POST JSON. */
function letsPost({ status, headers }: ResponseHead): boolean {
  const allowedOrigin = headers['access-control-allow-origin'];
  const allowed = `,${headers['access-control-allow-headers'] ?? ''},`.toLowerCase().replaceAll(' ', '');
  const json = allowed.includes(',content-type,') || allowed.includes(',*,');
  return status < 300 && (allowedOrigin === '*' || allowedOrigin === origin) && json;
}
