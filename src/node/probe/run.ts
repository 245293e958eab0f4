/** Probes one endpoint. Failed requests become facts here and nowhere else. */
import { createHash } from 'node:crypto';
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type { Address } from '../../jsonrpc/endpoint.js';
import { ChannelError } from '../../jsonrpc/failure.js';
import type { EndpointFacts, Presence } from '../facts/live.js';
import { isMoot, type NotSeen, notSeen, type Seen, seen } from '../facts/seen.js';
import { probesOf } from './probes/index.js';
import { type Modules, modules } from './probes/modules.js';
import type { Depth, Probe, Wire } from './probes/probe.js';
import { Session, type Visit } from './session.js';

/** Wraps a result as seen and a ChannelError as not seen. Other errors are defects and are thrown. */
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
  readonly probes: readonly Probe[];
}

/**
 * Probes one endpoint, from what an earlier visit saw of it. Never throws for errors of the node or the network.
 */
export async function probeEndpoint(
  visit: EndpointVisit,
  earlier: EndpointFacts = emptyFacts(visit.address, visit.source),
): Promise<EndpointFacts> {
  const facts: EndpointDraft = { ...earlier };
  const probes = probesOver(visit.probes, visit.address.endpoint.kind);
  const session = new Session({ ...visit, budget: budgetOf(probes) }, facts);
  const before = performance.now();
  try {
    for (const probe of probes) {
      const why = reasonSkipped(probe, visit.depth, session);
      keep(facts, probe, why ?? (await observe<unknown>(() => probe.ask(session))));
      if (session.answered) facts.latencyMs ??= Math.round((performance.now() - before) * 10) / 10;
    }
    // Unsolicited messages invalidate the answer.
    if (session.fault?.code === 'unreadable') facts.modules = notSeen('unreadable', session.fault.message);
    const { requests, bytes } = session.sent;
    return {
      ...facts,
      sent: { requests: earlier.sent.requests + requests, bytes: earlier.sent.bytes + bytes },
    };
  } finally {
    session.close();
  }
}

/** Asks an endpoint for its modules only, within `timeoutMs`. Never throws for errors of the node or the network. */
export async function listModules(
  address: Address,
  options: ConnectionOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Seen<Modules>> {
  const end = deadline(timeoutMs, signal);
  const session = new Session(
    { address, options, signal: end.signal, budget: 1 },
    emptyFacts(address, 'argument'),
  );
  try {
    return await observe(() => modules.ask(session));
  } finally {
    session.close();
    end.clear();
  }
}

/** Those that fill a fact of their own: every kind of node has the same. */
const factProbes = probesOf([]);

type EndpointDraft = { -readonly [K in keyof EndpointFacts]: EndpointFacts[K] };

/** An endpoint's facts before the first request. Every fact has a probe, and `Probe` ties it to its type. */
export function emptyFacts({ endpoint, raw }: Address, source: EndpointFacts['source']): EndpointDraft {
  const { kind } = endpoint;
  const never = notSeen('not-applicable', `not asked over ${kind}`);
  const facts = Object.fromEntries<unknown>(factProbes.map(({ fact }) => [fact, never]));
  for (const { fact } of probesOver(factProbes, kind)) facts[fact] = notSeen('not-asked', 'not asked');
  const none = {
    methods: {},
    bind: notSeen('not-asked', 'the kernel was not asked'),
    latencyMs: null,
    sent: { requests: 0, bytes: 0 },
  };
  const isMasked = endpoint.kind !== 'ipc' && endpoint.url.includes('…');
  const mark = isMasked ? { mark: createHash('sha256').update(raw).digest('hex').slice(0, 3) } : {};
  return { endpoint, ...mark, source, ...facts, ...none } as EndpointDraft;
}

/** The facts of an endpoint that is not probed, for the reason `why`. */
export function factsWithoutProbes(
  address: Address,
  source: EndpointFacts['source'],
  why: NotSeen,
): EndpointFacts {
  const own = probesOver(factProbes, address.endpoint.kind);
  return { ...emptyFacts(address, source), ...Object.fromEntries(own.map(({ fact }) => [fact, why])) };
}

/** The number of requests that these probes may send. */
export function budgetOf(all: readonly Probe[]): number {
  return all.reduce((sum, { plan }) => sum + plan.length, 0);
}

function probesOver(probes: readonly Probe[], wire: Wire): Probe[] {
  return probes.filter(({ over }) => over.includes(wire));
}

/** Why a probe is skipped; null when it is not. Without an answer to the first request, all others are skipped. */
function reasonSkipped(probe: Probe, depth: Depth, session: Session): NotSeen | null {
  if (depth === 'none' && probe.depth !== 'none') return notSeen('left-out', 'not asked (--probe none)');
  const { modules } = session.facts;
  if (session.sent.requests > 0 && !session.answered && modules.state !== 'seen') return modules;
  return probe.unless?.(session.facts) ?? null;
}

/** A skipped method has no entry. */
function keep(facts: EndpointDraft, probe: Probe, value: Seen<unknown>): void {
  if (probe.fact !== 'methods') Object.assign(facts, { [probe.fact]: value });
  else if (!isMoot(value)) facts.methods = { ...facts.methods, [probe.method]: value as Seen<Presence> };
}
