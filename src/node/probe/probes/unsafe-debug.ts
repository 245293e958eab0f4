/**
 * Probes a method of debug that exists regardless of the unsafe-debug switch and, where debug exists, the methods that
 * the switch removes.
 */
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind } from '../../kinds/kind.js';
import type { Asking } from './existence.js';
import { mayOffer } from './probe.js';

export function unsafeDebug(kind: Kind): Asking[] {
  if (kind.probes.unsafeDebug === null) return [];
  const { moved, stays } = kind.probes.unsafeDebug;
  const answers = ({ methods }: EndpointFacts) => {
    const one = methods[stays];
    return one?.state === 'seen' && one.value === 'present';
  };
  const isOffered = (facts: EndpointFacts) =>
    (facts.modules.state === 'seen' && mayOffer(facts, 'debug')) || answers(facts);
  return [
    { kind, method: stays, when: null, unless: () => null },
    ...moved.map((method) => ({
      kind,
      method,
      when: 'debug is listed or answers',
      unless: (facts: EndpointFacts) =>
        isOffered(facts) ? null : notSeen('not-applicable', 'debug is not offered'),
    })),
  ];
}
