/**
 * Whether existence probes can be believed: with `{}` a made-up method must be absent and rpc_modules, which every
 * node has, present. What a gateway answers otherwise says nothing about the node.
 */
import { unreadable } from '../../../jsonrpc/failure.js';
import { nonsenseMethod } from '../../../jsonrpc/methods.js';
import type { FactProbe } from './probe.js';

export const calibrated: FactProbe<'calibrated'> = {
  fact: 'calibrated',
  over: ['http', 'ws'],
  depth: 'safe',
  plan: [
    ['kaiactl_<16 hex digits> {}', null],
    ['rpc_modules {}', null],
  ],
  async ask(session) {
    if ((await session.presence(nonsenseMethod())) !== 'absent')
      throw unreadable(
        'a method that cannot exist was answered as if it did: something else answers for the node',
      );
    if ((await session.presence('rpc_modules')) !== 'present')
      throw unreadable('rpc_modules was denied although it exists: something else answers for the node');
    return true;
  },
};
