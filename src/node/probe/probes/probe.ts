/** What a probe is: one fact about an endpoint, when it is asked for, and the messages it may cost. */

import type { Endpoint, EndpointFacts } from '../../facts/live.js';
import type { NotSeen, Seen } from '../../facts/seen.js';
import type { ExistenceMethod } from '../../kinds/request.js';
import type { Session } from '../session.js';

/** How much is asked: `none` is what the endpoint is and offers; `safe` adds existence probes, access and accounts. */
export type Depth = 'none' | 'safe';
export type Wire = Endpoint['kind'];

/** The fields of an endpoint's facts that probes fill; whom a port is bound to comes from the kernel. */
export type SeenFact = Exclude<
  {
    [K in keyof EndpointFacts]: EndpointFacts[K] extends Seen<unknown> ? K : never;
  }[keyof EndpointFacts],
  'bind'
>;

/**
 * One message as --plan prints it, and the condition under which it is sent; null: always. `afterRefusal`: it is sent
 * only to a node that has just refused rpc_modules {}.
 */
export type PlanLine = readonly [message: string, when: string | null, afterRefusal?: true];

interface Asks<T> {
  /** The wires it goes over; elsewhere the fact is not applicable. */
  readonly over: readonly Wire[];
  readonly depth: Depth;
  /** Every message it may cost, in order; empty for what is read without a message. */
  readonly plan: readonly PlanLine[];
  /** Why it is not asked, given what was seen before it; null: it is asked. */
  unless?(facts: EndpointFacts): NotSeen | null;
  /** @throws {ChannelError} when nothing can be concluded */
  ask(session: Session): Promise<T>;
}

/** Fills the field it names. */
export type FactProbe<K extends SeenFact> = Asks<EndpointFacts[K] extends Seen<infer T> ? T : never> & {
  readonly fact: K;
};

/** Fills one entry of `methods`: whether a method exists. */
export interface MethodProbe extends Asks<'present' | 'absent'> {
  readonly fact: 'methods';
  readonly method: ExistenceMethod;
}

export type Probe = { [K in SeenFact]: FactProbe<K> }[SeenFact] | MethodProbe;
