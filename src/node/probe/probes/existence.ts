/** Existence probes: calls with `{}` as parameters, which run nothing. */
import type { EndpointFacts } from '../../facts/live.js';
import { type NotSeen, notSeen } from '../../facts/seen.js';
import { kinds } from '../../kinds/index.js';
import type { Kind } from '../../kinds/kind.js';
import { kindAnswering } from '../../kinds/node.js';
import type { ExistenceMethod } from '../../kinds/request.js';
import type { MethodProbe } from './probe.js';

type Unless = (facts: EndpointFacts) => NotSeen | null;

/** Probes a method unless `unless` gives a reason or calibration failed. */
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

/** Skips a method that only this kind of node has, where the client is of another kind. */
export function unlessForeign({ id }: Kind, facts: EndpointFacts): NotSeen | null {
  const kind = kindAnswering(kinds, facts);
  return kind === null || kind === id ? null : notSeen('not-applicable', `${kind} has no such method`);
}
