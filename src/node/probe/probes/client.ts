/** What an endpoint says it is, on one line with nothing invisible: `Klaytn/v2.2.1/linux-amd64/go1.25.3`. */
import { visible } from '../../../util/visible.js';
import { anyNode } from '../../kinds/request.js';
import { unlessMissing } from './offers.js';
import type { FactProbe } from './probe.js';

export const client: FactProbe<'client'> = {
  fact: 'client',
  over: ['http', 'ws', 'ipc'],
  depth: 'none',
  plan: [['web3_clientVersion []', 'web3 is offered']],
  unless: unlessMissing('web3'),
  ask: async (session) => visible(await session.text(anyNode.client), 256),
};
