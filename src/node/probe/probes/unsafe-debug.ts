/**
 * Probes a method of debug that exists regardless of the unsafe-debug switch and, where debug exists, the methods that
 * the switch removes.
 */
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import { kinds } from '../../kinds/index.js';
import type { Kind, UnsafeDebug } from '../../kinds/kind.js';
import { existence, unlessForeign } from './existence.js';
import type { MethodProbe } from './probe.js';
import { mayOffer } from './probe.js';

export const unsafeDebug: readonly MethodProbe[] = kinds.flatMap((kind) =>
  kind.probes.unsafeDebug === null ? [] : probesOf(kind, kind.probes.unsafeDebug),
);

function probesOf(kind: Kind, { moved, stays }: UnsafeDebug): MethodProbe[] {
  const answers = ({ methods }: EndpointFacts) => {
    const one = methods[stays];
    return one?.state === 'seen' && one.value === 'present';
  };
  return [
    existence(stays, null, (facts) => unlessForeign(kind, facts)),
    ...moved.map((method) =>
      existence(
        method,
        'debug is listed or answers',
        (facts) =>
          unlessForeign(kind, facts) ??
          ((facts.modules.state === 'seen' && mayOffer(facts, 'debug')) || answers(facts)
            ? null
            : notSeen('not-applicable', 'debug is not offered')),
      ),
    ),
  ];
}
