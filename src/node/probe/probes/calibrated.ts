/**
 * Whether existence probes run nothing and can be believed. Some clients run a method that is asked with {}: only a node
 * that has just refused rpc_modules {} is asked further, and it must not know a made-up method.
 */
import type { Answer } from '../../../jsonrpc/client.js';
import { unreadable } from '../../../jsonrpc/failure.js';
import { anyNode, existenceProbe, nonsenseMethod } from '../../kinds/request.js';
import { present } from '../session.js';
import type { FactProbe } from './probe.js';

export const calibrated: FactProbe<'calibrated'> = {
  fact: 'calibrated',
  over: ['http', 'ws'],
  depth: 'safe',
  plan: [
    ['rpc_modules {}', null],
    ['kaiactl_<16 hex digits> {}', null, true],
  ],
  async ask(session) {
    const answer = await session.answer(existenceProbe(anyNode.refusal));
    if (answer.kind !== 'error' || answer.code !== present) throw unreadable(whyUnprobed(answer));
    if ((await session.presence(nonsenseMethod())) !== 'absent')
      throw unreadable(
        'a method that cannot exist was answered as if it did: something else answers for the node',
      );
    return true;
  },
};

function whyUnprobed(answer: Answer): string {
  const nothing = 'modules that are not listed were not probed';
  return answer.kind === 'result'
    ? `rpc_modules {} was run, not refused, and so would be other methods: ${nothing}`
    : `rpc_modules {} was answered with error ${answer.code}, which does not show that {} runs nothing: ${nothing}`;
}
