/**
 * The method of debug that stays whatever the unsafe-debug switch says, and where debug answers the methods that tell
 * whether the switch is on.
 */
import { alwaysPresent, unsafeDebugMethods } from '../../../jsonrpc/methods.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import { existence, unlessForeign } from './existence.js';
import { mayOffer } from './offers.js';

export const unsafeDebug = [
  existence(alwaysPresent, null, unlessForeign),
  ...unsafeDebugMethods.map((method) =>
    existence(
      method,
      'debug is listed or answers',
      (facts) =>
        unlessForeign(facts) ??
        ((facts.modules.state === 'seen' && mayOffer(facts, 'debug')) || answers(facts)
          ? null
          : notSeen('not-applicable', 'debug is not offered')),
    ),
  ),
];

function answers({ methods }: EndpointFacts): boolean {
  const stays = methods[alwaysPresent];
  return stays?.state === 'seen' && stays.value === 'present';
}
