/** Existence probes: calls with `{}` as parameters, which run nothing. */
import { groupBy } from '../../../util/group-by.js';
import type { EndpointFacts } from '../../facts/live.js';
import { type NotSeen, notSeen } from '../../facts/seen.js';
import type { Kind } from '../../kinds/kind.js';
import { kindAnswering } from '../../kinds/node.js';
import type { ExistenceMethod } from '../../kinds/request.js';
import type { MethodProbe } from './probe.js';

/** A method that one kind of node is asked for. */
export interface Asking {
  readonly kind: Kind;
  readonly method: ExistenceMethod;
  /** The condition for asking, for people; null: always. */
  readonly when: string | null;
  /** Why a node of this kind, or of an unknown kind, is not asked; null when it is. */
  unless(facts: EndpointFacts): NotSeen | null;
}

/**
 * One probe a method, however many of these kinds ask for it. The kind of the node decides whether it is asked. A node
 * that does not show its kind is asked for every method, and one of another kind for none: there a call without its
 * parameters may run the method.
 */
export function existence(kinds: readonly Kind[], askings: readonly Asking[]): MethodProbe[] {
  const byMethod = groupBy(askings, ({ method }) => method);
  return [...byMethod].map(([method, all]) => ({
    fact: 'methods',
    method,
    over: ['http', 'ws'],
    depth: 'safe',
    plan: [[`${method} {}`, condition(kinds, all), true]],
    unless: (facts) =>
      skipped(kinds, all, facts) ?? (facts.calibrated.state === 'seen' ? null : facts.calibrated),
    ask: (session) => session.presence(method),
  }));
}

/** Names the kinds of node that are asked, where not all of them are. */
function condition(kinds: readonly Kind[], all: readonly Asking[]): string | null {
  const conditions = [...new Set(all.map(({ when }) => when))];
  const when = conditions.includes(null) ? [] : [conditions.join(', or ')];
  const asked = [...new Set(all.map(({ kind }) => kind.id))];
  const of = asked.length === kinds.length ? [] : [asked.join(' or ')];
  return [...of, ...when].join(': ') || null;
}

function skipped(kinds: readonly Kind[], all: readonly Asking[], facts: EndpointFacts): NotSeen | null {
  const answering = kindAnswering(kinds, facts);
  const asked = answering === null ? all : all.filter(({ kind }) => kind.id === answering);
  if (asked.length === 0) return notSeen('not-applicable', `it is not asked of ${answering}`);
  const reasons = asked.map(({ unless }) => unless(facts));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}
