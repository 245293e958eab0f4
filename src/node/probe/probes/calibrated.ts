/**
 * Whether existence probes run nothing and are reliable. Some clients run a method that is called with {}. So only a node
 * that has just rejected rpc_modules {} is probed further, and it must not know a made-up method.
 */
import type { Answer } from '../../../jsonrpc/client.js';
import { unreadable } from '../../../jsonrpc/failure.js';
import { notSeen } from '../../facts/seen.js';
import { otherAnswering } from '../../kinds/others.js';
import { anyNode, existenceProbe, nonsenseMethod } from '../../kinds/request.js';
import { present } from '../session.js';
import type { FactProbe } from './probe.js';

export const calibrated: FactProbe<'calibrated'> = {
  fact: 'calibrated',
  over: ['http', 'ws'],
  depth: 'safe',
  plan: [
    ['rpc_modules {}', 'no other client names itself'],
    ['kaiactl_<16 hex digits> {}', null, true],
  ],
  unless(facts) {
    const other = otherAnswering(facts);
    return other === null
      ? null
      : notSeen('not-asked', `no existence probe is sent to ${other.name}: ${unprobed}`);
  },
  async ask(session) {
    const answer = await session.answer(existenceProbe(anyNode.refusal));
    if (answer.kind !== 'error' || answer.code !== present) throw unreadable(whyUnprobed(answer));
    if ((await session.presence(nonsenseMethod())) !== 'absent')
      throw unreadable('the node answered a made-up method as if it existed: a proxy may answer for it');
    return true;
  },
};

const unprobed = 'modules that are not listed were not probed';

function whyUnprobed(answer: Answer): string {
  return answer.kind === 'result'
    ? `the node ran rpc_modules {} and may run other methods called with {}: ${unprobed}`
    : `the node answered rpc_modules {} with error ${answer.code}, so it may run methods called with {}: ${unprobed}`;
}
