/** Conditions that several probes share. */
import type { EndpointFacts } from '../../facts/live.js';
import { type NotSeen, notSeen } from '../../facts/seen.js';

/** True when a module is known to be offered, or when that is not known. */
export function mayOffer({ modules }: EndpointFacts, name: string): boolean {
  return modules.state !== 'seen' || Object.hasOwn(modules.value, name);
}

/** A probe's `unless`: not where the module is known to be missing. */
export function unlessMissing(name: string): (facts: EndpointFacts) => NotSeen | null {
  return (facts) => (mayOffer(facts, name) ? null : notSeen('not-applicable', `${name} is not offered`));
}
