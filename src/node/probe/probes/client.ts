/** The client version, on one line without invisible characters: `Klaytn/v2.2.1/linux-amd64/go1.25.3`. */
import { visible } from '../../../util/visible.js';
import { anyNode } from '../../kinds/request.js';
import type { FactProbe } from './probe.js';
import { unlessMissing } from './probe.js';

export const client: FactProbe<'client'> = {
  fact: 'client',
  over: ['http', 'ws', 'ipc'],
  depth: 'none',
  plan: [['web3_clientVersion []', 'web3 is offered']],
  unless: unlessMissing('web3'),
  ask: async (session) => visible(await session.text(anyNode.client), 256),
};
