/** Probes whether an endpoint accepts a foreign Host or Origin. */
import { expectNode, failure } from '../../../jsonrpc/failure.js';
import type { ResponseHead } from '../../../jsonrpc/http.js';
import { anyNode, read } from '../../kinds/request.js';
import type { FactProbe } from './probe.js';

/** A reserved name, for which no node is configured (RFC 2606). */
export const host = 'kaiactl.invalid';
/** The origin of a page on that host. */
export const origin = `https://${host}`;

/** Any JSON-RPC answer shows that http accepts every Host. Nodes reject it with 403, virtual hosts with 400, 404 or 421. */
export const foreignHost: FactProbe<'foreignHost'> = {
  fact: 'foreignHost',
  over: ['http'],
  depth: 'safe',
  plan: [[`rpc_modules [], Host: ${host}`, null]],
  async ask(session) {
    try {
      await session.answer(read(anyNode.modules), { host });
      return 'open';
    } catch (error) {
      const { status } = failure(error);
      if (status !== null && [400, 403, 404, 421].includes(status)) return 'closed';
      throw error;
    }
  },
};

type OriginProbe = FactProbe<'foreignOrigin'>;

export const preflight: OriginProbe = {
  fact: 'foreignOrigin',
  over: ['http'],
  depth: 'safe',
  plan: [[`OPTIONS, Origin: ${origin}`, null]],
  async ask(session) {
    const head = await session.preflight(origin);
    expectNode('the preflight', head.status);
    return allowsPost(head) ? 'open' : 'closed';
  },
};

export const handshake: OriginProbe = {
  fact: 'foreignOrigin',
  over: ['ws'],
  depth: 'safe',
  plan: [[`a handshake, Origin: ${origin}`, null]],
  ask: (session) => session.handshake(origin),
};

/** Whether a browser lets a page of the foreign origin POST JSON. */
function allowsPost({ status, headers }: ResponseHead): boolean {
  const allowedOrigin = headers['access-control-allow-origin'];
  const allowed = `,${headers['access-control-allow-headers'] ?? ''},`.toLowerCase().replaceAll(' ', '');
  const json = allowed.includes(',content-type,') || allowed.includes(',*,');
  return status < 300 && (allowedOrigin === '*' || allowedOrigin === origin) && json;
}
