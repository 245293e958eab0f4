/** A probe: one fact about an endpoint, the condition for asking, and the messages it may send. */
import type { Endpoint, EndpointFacts } from '../../facts/live.js';
import { type NotSeen, notSeen, type Seen } from '../../facts/seen.js';
import type { ExistenceAsk } from '../../kinds/request.js';
import type { Session } from '../session.js';

/** How much is asked: `none` is identity and modules; `safe` adds existence probes, access checks and accounts. */
export type Depth = 'none' | 'safe';
export type Wire = Endpoint['kind'];

/** The fields of an endpoint's facts that probes fill; `bind` comes from the kernel. */
export type SeenFact = Exclude<
  {
    [K in keyof EndpointFacts]-?: EndpointFacts[K] extends Seen<unknown> ? K : never;
  }[keyof EndpointFacts],
  'bind'
>;

/**
 * One message as --plan prints it, and the condition for sending it (null means always). `afterRefusal`: sent only to a
 * node that has just rejected rpc_modules {}.
 */
export type PlanLine = readonly [message: string, when: string | null, afterRefusal?: true];

interface Asks<T> {
  /** On other transports the fact is not applicable. */
  readonly over: readonly Wire[];
  readonly depth: Depth;
  /** Every message it may send, in order. */
  readonly plan: readonly PlanLine[];
  /** Why it is not asked, given the facts seen so far; null when it is asked. */
  unless?(facts: EndpointFacts): NotSeen | null;
  /** @throws {ChannelError} when the answer shows nothing */
  ask(session: Session): Promise<T>;
}

/** Fills the field it names. */
export type FactProbe<K extends SeenFact> = Asks<EndpointFacts[K] extends Seen<infer T> ? T : never> & {
  readonly fact: K;
};

/** Fills one entry of `methods`: whether a method exists. */
export interface MethodProbe extends Asks<'present' | 'absent'> {
  readonly fact: 'methods';
  readonly method: ExistenceAsk['method'];
}

export type Probe = { [K in SeenFact]: FactProbe<K> }[SeenFact] | MethodProbe;

/** Whether a module is offered, or may be. */
export function mayOffer({ modules }: EndpointFacts, name: string): boolean {
  return modules.state !== 'seen' || Object.hasOwn(modules.value, name);
}

/** An `unless` that skips the probe where the module is not offered. */
export function unlessMissing(name: string): (facts: EndpointFacts) => NotSeen | null {
  return (facts) => (mayOffer(facts, name) ? null : notSeen('not-applicable', `${name} is not offered`));
}
