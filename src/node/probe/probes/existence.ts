/** Existence probes: calls with `{}` as parameters, or without one that is required, which run nothing. */
import { groupBy } from '../../../util/group-by.js';
import type { EndpointFacts } from '../../facts/live.js';
import { type NotSeen, notSeen } from '../../facts/seen.js';
import type { Kind, KindReleases } from '../../kinds/kind.js';
import { type ExistenceAsk, existenceProbe, namespaceOf, parameterProbe } from '../../kinds/request.js';
import { type MethodProbe, mayOffer } from './probe.js';
import type { Recognise } from './recognised.js';

/** A method that one kind of node is asked for. */
interface Asking {
  readonly kind: Kind;
  readonly ask: ExistenceAsk;
  /** The condition for asking, for people; null means always. */
  readonly when: string | null;
  /** Why a node of this kind is not asked; null when it is. */
  unless(facts: EndpointFacts): NotSeen | null;
}

/**
 * One probe a request, however many of these kinds ask for it. The kind of the node decides whether it is asked. A client
 * that is not recognised is asked for no method: there a call without its parameters may run it.
 */
export function existence(kinds: readonly Kind[], recognised: Recognise): MethodProbe[] {
  const refusing = kinds.filter(({ probes }) => probes.refusesNamedParameters);
  const others = kinds.filter((kind) => !refusing.includes(kind));
  const askings = [
    ...[unsafeDebug, namespaces, otherHalf].flatMap((of) => refusing.flatMap(of)),
    ...others.flatMap(parameterMethods),
  ];
  const byMessage = groupBy(askings, ({ ask }) => `${ask.method} ${JSON.stringify(ask.params)}`);
  return [...byMessage].map(([message, all]) => {
    const [{ ask }] = all as [Asking];
    const when = condition(kinds, all);
    return {
      fact: 'methods',
      method: ask.method,
      over: ['http', 'ws'],
      depth: 'safe',
      plan: [Array.isArray(ask.params) ? [message, when] : [message, when, true]],
      unless: (facts) =>
        skipped(all, facts, recognised) ?? (facts.calibrated.state === 'seen' ? null : facts.calibrated),
      ask: (session) => session.presence(ask),
    };
  });
}

/** Names the kinds of node that are asked, where not all of them are. */
function condition(kinds: readonly KindReleases[], all: readonly Asking[]): string | null {
  const conditions = [...new Set(all.map(({ when }) => when))];
  const when = conditions.includes(null) ? [] : [conditions.join(', or ')];
  const asked = [...new Set(all.map(({ kind }) => kind.id))];
  const of = asked.length === kinds.length ? [] : [asked.join(' or ')];
  return [...of, ...when].join(': ') || null;
}

function skipped(all: readonly Asking[], facts: EndpointFacts, recognised: Recognise): NotSeen | null {
  const id = recognised(facts)?.id ?? null;
  const asked = all.filter(({ kind }) => kind.id === id);
  if (asked.length === 0) return notSeen('not-applicable', 'it is not asked of this client');
  const reasons = asked.map(({ unless }) => unless(facts));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/**
 * A method of debug that exists regardless of the unsafe-debug switch and, where debug exists, the methods that the switch
 * removes.
 */
function unsafeDebug(kind: Kind): Asking[] {
  if (kind.probes.unsafeDebug === null) return [];
  const { moved, stays } = kind.probes.unsafeDebug;
  const answers = ({ methods }: EndpointFacts) => {
    const one = methods[stays];
    return one?.state === 'seen' && one.value === 'present';
  };
  const isOffered = (facts: EndpointFacts) =>
    (facts.modules.state === 'seen' && mayOffer(facts, 'debug')) || answers(facts);
  return [
    { kind, ask: existenceProbe(stays), when: null, unless: () => null },
    ...moved.map((method) => ({
      kind,
      ask: existenceProbe(method),
      when: 'debug is listed or answers',
      unless: (facts: EndpointFacts) =>
        isOffered(facts) ? null : notSeen('not-applicable', 'debug is not offered'),
    })),
  ];
}

/** Whether a namespace exists that rpc_modules does not list: a gateway may answer rpc_modules itself. */
function namespaces(kind: Kind): Asking[] {
  return kind.probes.namespaces.map((method) => asking(kind, existenceProbe(method)));
}

/** The same of a client that would run a method called with {}. */
function parameterMethods(kind: Kind): Asking[] {
  return kind.probes.parameterMethods.map((method) => asking(kind, parameterProbe(method)));
}

function asking(kind: Kind, ask: ExistenceAsk): Asking {
  const name = namespaceOf(ask.method);
  const excluded = [name, ...(kind.probes.excludes[name] ?? [])];
  return {
    kind,
    ask,
    when: `${excluded.join(' and ')} ${excluded.length > 1 ? 'are' : 'is'} not listed`,
    unless: (facts) =>
      isListed(facts, excluded) ? notSeen('not-applicable', `${excluded.join(' or ')} is listed`) : null,
  };
}

function isListed({ modules }: EndpointFacts, names: readonly string[]): boolean {
  return modules.state === 'seen' && names.some((name) => Object.hasOwn(modules.value, name));
}

/** Whether a node offers whole modules, where its release has halves of them for a list without a name. */
function otherHalf(kind: Kind): Asking[] {
  const method = kind.probes.otherHalf;
  const isHalved = ({ client, modules }: EndpointFacts) => {
    const release = client.state === 'seen' ? kind.evidence.ofClient(client.value) : null;
    const halves = release === null ? null : kind.at(release.until).modules.publicParts;
    const listed = modules.state === 'seen' ? modules.value : {};
    return halves !== null && Object.keys(halves).every((name) => Object.hasOwn(listed, name));
  };
  const unless = (facts: EndpointFacts) =>
    isHalved(facts) ? null : notSeen('not-applicable', 'its release or its modules leave no doubt');
  const when = 'its release may offer only halves of admin and debug';
  return method === null ? [] : [{ kind, ask: existenceProbe(method), when, unless }];
}
