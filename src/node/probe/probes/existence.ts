/** A probe whether one method exists: `{}` as parameters, so that nothing runs. */
import type { ExistenceMethod } from '../../../jsonrpc/methods.js';
import type { EndpointFacts } from '../../facts/live.js';
import type { NotSeen } from '../../facts/seen.js';
import type { MethodProbe } from './probe.js';

/** Asked where `unless` finds no reason against it; believed, and asked, only where calibration held. */
export function existence(
  method: ExistenceMethod,
  when: string | null,
  unless: (facts: EndpointFacts) => NotSeen | null,
): MethodProbe {
  return {
    fact: 'methods',
    method,
    over: ['http', 'ws'],
    depth: 'safe',
    plan: [[`${method} {}`, when]],
    unless: (facts) => unless(facts) ?? (facts.calibrated.state === 'seen' ? null : facts.calibrated),
    ask: (session) => session.presence(method),
  };
}
