/** Asks an endpoint everything on the list, in order. The one place where a failed question becomes a fact. */
import type { Address } from '../../jsonrpc/endpoint.js';
import { ChannelError } from '../../jsonrpc/failure.js';
import type { EndpointFacts, Presence } from '../facts/live.js';
import { isMoot, type NotSeen, notSeen, type Seen, seen } from '../facts/seen.js';
import { probes } from './probes/index.js';
import type { Depth, Probe, Wire } from './probes/probe.js';
import { Session, type Visit } from './session.js';

/** What the step found, or how it stayed unseen. Anything but a ChannelError is a defect and passes through. */
export async function observe<T>(step: () => Promise<T>): Promise<Seen<T>> {
  try {
    return seen(await step());
  } catch (error) {
    if (error instanceof ChannelError) return notSeen(error.code, error.message);
    throw error;
  }
}

export interface EndpointVisit extends Omit<Visit, 'budget'> {
  readonly source: EndpointFacts['source'];
  readonly depth: Depth;
}

/** Probes one endpoint. Never throws for what the node or the network does. */
export async function probeEndpoint(visit: EndpointVisit): Promise<EndpointFacts> {
  const facts = emptyFacts(visit.address, visit.source);
  const probes = probesOver(visit.address.endpoint.kind);
  const session = new Session({ ...visit, budget: budgetOf(probes) }, facts);
  const before = performance.now();
  try {
    for (const probe of probes) {
      const why = reasonNot(probe, visit.depth, session);
      keep(facts, probe, why ?? (await observe<unknown>(() => probe.ask(session))));
      if (session.answered) facts.latencyMs ??= Math.round((performance.now() - before) * 10) / 10;
    }
    // Who says more than it was asked is not believed about what it was asked.
    if (session.fault?.code === 'unreadable') facts.modules = notSeen('unreadable', session.fault.message);
    return { ...facts, sent: session.sent };
  } finally {
    session.close();
  }
}

type Draft = { -readonly [K in keyof EndpointFacts]: EndpointFacts[K] };

/** An endpoint's facts before the first question. Every fact has a probe, and `Probe` ties it to its type. */
export function emptyFacts({ endpoint }: Address, source: EndpointFacts['source']): Draft {
  const { kind } = endpoint;
  const never = notSeen('not-applicable', `not asked over ${kind}`);
  const facts = Object.fromEntries<unknown>(probes.map(({ fact }) => [fact, never]));
  for (const { fact } of probesOver(kind)) facts[fact] = notSeen('not-asked', 'not asked');
  const none = {
    methods: {},
    bind: notSeen('not-asked', 'the kernel was not asked'),
    latencyMs: null,
    sent: { requests: 0, bytes: 0 },
  };
  return { endpoint, source, ...facts, ...none } as Draft;
}

/** The facts of an endpoint that is not asked, and why. */
export function unprobed(address: Address, source: EndpointFacts['source'], why: NotSeen): EndpointFacts {
  const own = probesOver(address.endpoint.kind).filter(({ fact }) => fact !== 'methods');
  return { ...emptyFacts(address, source), ...Object.fromEntries(own.map(({ fact }) => [fact, why])) };
}

/** Requests that the plan of these probes comes to. */
export function budgetOf(all: readonly Probe[]): number {
  return all.reduce((sum, { plan }) => sum + plan.length, 0);
}

function probesOver(wire: Wire): Probe[] {
  return probes.filter(({ over }) => over.includes(wire));
}

/** Why a probe is not put; null: it is. Where the first question got no answer, no other is put. */
function reasonNot(probe: Probe, depth: Depth, session: Session): NotSeen | null {
  if (depth === 'none' && probe.depth !== 'none') return notSeen('left-out', 'not asked (--probe none)');
  const { modules } = session.facts;
  if (session.sent.requests > 0 && !session.answered && modules.state !== 'seen') return modules;
  return probe.unless?.(session.facts) ?? null;
}

/** A method nobody had a reason to ask about has no entry. */
function keep(facts: Draft, probe: Probe, value: Seen<unknown>): void {
  if (probe.fact !== 'methods') Object.assign(facts, { [probe.fact]: value });
  else if (!isMoot(value)) facts.methods = { ...facts.methods, [probe.method]: value as Seen<Presence> };
}
