/**
 * Whether http answers a Host nobody configured. Any JSON-RPC answer means that it was not looked at; a node that
 * looks answers 403, servers of virtual hosts 400, 404 or 421.
 */
import { failure } from '../../../jsonrpc/failure.js';
import { anyNode, existenceProbe } from '../../kinds/request.js';
import { foreignHost as host } from './foreign.js';
import type { FactProbe } from './probe.js';

export const foreignHost: FactProbe<'foreignHost'> = {
  fact: 'foreignHost',
  over: ['http'],
  depth: 'safe',
  plan: [[`rpc_modules {}, Host: ${host}`, null]],
  async ask(session) {
    try {
      await session.answer(existenceProbe(anyNode.refusal), { host });
      return 'open';
    } catch (error) {
      const { status } = failure(error);
      if (status !== null && [400, 403, 404, 421].includes(status)) return 'closed';
      throw error;
    }
  },
};
