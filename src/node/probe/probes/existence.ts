/** A probe whether one method exists: `{}` as parameters, so that nothing runs. */

import type { EndpointFacts } from '../../facts/live.js';
import { type NotSeen, notSeen } from '../../facts/seen.js';
import { kindAnswering } from '../../kinds/index.js';
import type { Kind } from '../../kinds/kind.js';
import type { ExistenceMethod } from '../../kinds/request.js';
import type { MethodProbe } from './probe.js';

type Unless = (facts: EndpointFacts) => NotSeen | null;

/** Asked where `unless` finds no reason against it; believed, and asked, only where calibration held. */
export function existence(method: ExistenceMethod, when: string | null, unless: Unless): MethodProbe {
  return {
    fact: 'methods',
    method,
    over: ['http', 'ws'],
    depth: 'safe',
    plan: [[`${method} {}`, when, true]],
    unless: (facts) => unless(facts) ?? (facts.calibrated.state === 'seen' ? null : facts.calibrated),
    ask: (session) => session.presence(method),
  };
}

/** For a method that only nodes of this kind have: not asked of what says that it is another kind of node. */
export function unlessForeign({ id }: Kind, facts: EndpointFacts): NotSeen | null {
  const kind = kindAnswering(facts);
  return kind === null || kind === id ? null : notSeen('not-applicable', `${kind} has no such method`);
}
