/** The chain's id as a decimal. */
import { unreadable } from '../../../jsonrpc/failure.js';
import { anyNode } from '../../kinds/request.js';
import type { FactProbe } from './probe.js';
import { unlessMissing } from './probe.js';

export const chain: FactProbe<'chain'> = {
  fact: 'chain',
  over: ['http', 'ws', 'ipc'],
  depth: 'none',
  plan: [['net_version []', 'net is offered']],
  unless: unlessMissing('net'),
  async ask(session) {
    const text = await session.text(anyNode.chain);
    if (!/^\d{1,20}$/.test(text)) throw unreadable('net_version did not answer with a number');
    return text;
  },
};
