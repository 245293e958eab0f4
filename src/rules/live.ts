/** Questions rules ask of a live node: what was seen, who reaches it, what it proves. */
import type { ConfFacts, Surface } from '../model/conf.js';
import type { Facts } from '../model/facts.js';
import type { Endpoint, EndpointFacts, LiveFacts, MetricsFacts } from '../model/live.js';
import { canonicalModule } from '../model/modules.js';
import { type Assumed, reaches, reachOf, reachOfHost } from '../model/reach.js';
import type { Seen } from '../model/seen.js';
import type { Draft, Rule, Verdict } from './rule.js';

/** A check that looks at what is live; `needs` must name it. */
export function forLive(check: (live: LiveFacts, facts: Facts) => Verdict): Rule['check'] {
  return (facts) => {
    if (facts.live === null) throw new Error('the rule needs a live node');
    return check(facts.live, facts);
  };
}

/** A check that looks at conf and node together; `needs` must name both. */
export function forBoth(check: (conf: ConfFacts, live: LiveFacts, facts: Facts) => Verdict): Rule['check'] {
  return (facts) => {
    if (facts.conf?.state !== 'seen' || facts.live === null) throw new Error('the rule needs conf and node');
    return check(facts.conf.value, facts.live, facts);
  };
}

/**
 * One question put to whichever is there, conf or node (`needsAny`). Where both find the same subject it is one
 * finding, at the conf's line, with the endpoint that proves it beside it.
 */
export function forEither(
  ofConf: (facts: Facts) => Verdict,
  ofLive: (live: LiveFacts, facts: Facts) => Verdict,
): Rule['check'] {
  return (facts) => {
    const unread = facts.conf !== null && facts.conf.state !== 'seen' ? [facts.conf.reason] : [];
    const said = facts.conf?.state === 'seen' ? ofConf(facts) : null;
    const shown = facts.live === null ? null : ofLive(facts.live, facts);
    const verdicts = [said, shown].filter((one) => one !== null);
    return {
      findings: joined(said?.findings ?? [], shown?.findings ?? []),
      blindSpots: [...unread, ...verdicts.flatMap((one) => one.blindSpots)],
      applicable: verdicts.some((one) => one.applicable !== false),
    };
  };
}

/** Conf findings, each with its proof if there is one; then what only the node shows. */
function joined(said: readonly Draft[], shown: readonly Draft[]): Draft[] {
  const proofs = new Map(shown.map((draft) => [draft.subject, draft]));
  const both = said.map((draft) => {
    const proof = proofs.get(draft.subject);
    if (proof === undefined) return draft;
    proofs.delete(draft.subject);
    const { severity, message, evidence } = proof;
    const related = [...(draft.related ?? []), { at: proof.at, note: 'seen there' }];
    return {
      ...draft,
      message,
      related,
      ...(severity === undefined ? {} : { severity }),
      evidence: { ...draft.evidence, ...evidence },
    };
  });
  return [...both, ...proofs.values()];
}

/** The endpoint as reports name it. */
export function nameOfEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}

/** True when it answered JSON-RPC at all. */
export function isOpen(endpoint: EndpointFacts): boolean {
  return endpoint.latencyMs !== null;
}

/** The conf's surface an endpoint belongs to. */
export function surfaceOf(facts: Facts, endpoint: EndpointFacts): Surface | null {
  if (facts.conf?.state !== 'seen') return null;
  return facts.conf.value.surfaces.find(({ kind }) => kind === endpoint.endpoint.kind) ?? null;
}

/** The endpoints of a kind that count: what the conf keeps closed and is closed raises no question. */
export function asked(live: LiveFacts, facts: Facts, ...kinds: readonly Endpoint['kind'][]): EndpointFacts[] {
  return live.endpoints.filter(
    (one) => kinds.includes(one.endpoint.kind) && (isOpen(one) || surfaceOf(facts, one)?.state !== 'off'),
  );
}

/** True when a fact was left out by choice (--probe none): then the question does not arise. */
export function leftOut(fact: Seen<unknown>): boolean {
  return fact.state === 'skipped' && fact.reason.endsWith('(--probe none)');
}

/** Modules an endpoint offers under today's names, sorted; null when they were not seen. */
export function modulesOf(endpoint: EndpointFacts): string[] | null {
  if (endpoint.modules.state !== 'seen') return null;
  return [...new Set(Object.keys(endpoint.modules.value).map(canonicalModule))].sort();
}

/** Why a fact of an endpoint is missing, as a blind spot; empty when it was seen or there is nothing to see. */
export function blindTo(
  endpoint: EndpointFacts,
  fact: keyof EndpointFacts &
    ('modules' | 'accounts' | 'foreignHost' | 'foreignOrigin' | 'calibrated' | 'client'),
): string[] {
  const value = endpoint[fact];
  if (value.state === 'seen') return [];
  return [`${nameOfEndpoint(endpoint.endpoint)}: ${value.reason}`];
}

/** Who reaches an endpoint: by its conf's bind address, by the address dialled, and by the doors that stood open. */
export function reachOfEndpoint(facts: Facts, endpoint: EndpointFacts): Assumed {
  const { endpoint: at } = endpoint;
  if (at.kind === 'ipc') return { reach: 'ipc', because: 'users of this machine who can open the socket' };
  const surface = surfaceOf(facts, endpoint);
  const dialled = endpoint.source === 'conf' ? [] : [reachOfHost(hostOf(at.url))];
  const candidates = [...dialled, ...boundTo(facts, surface), ...doorsOf(endpoint)];
  return candidates.reduce(wider, { reach: 'loopback', because: 'this machine reaches it' });
}

/** Who reaches a metrics port: it binds every interface (metrics/utils/metrics.go), pprof what the conf says. */
export function reachOfMetrics(facts: Facts, port: MetricsFacts): Assumed {
  const surface = surfaceOfPort(facts, port);
  const dialled = reachOfHost(hostOf(port.url));
  return surface?.state === 'on' ? wider(reachOfHost(surface.host), dialled) : dialled;
}

/** By the conf's bind address; for an interface it keeps closed, by the address it would have. */
function boundTo(facts: Facts, surface: Surface | null): Assumed[] {
  if (surface?.state === 'on') return [reachOf(surface)];
  if (surface?.state !== 'off' || facts.conf?.state !== 'seen') return [];
  return [reachOfHost(facts.conf.value.variables[surface.kind === 'ws' ? 'WS_ADDR' : 'RPC_ADDR'] ?? null)];
}

/** The conf's surface a metrics port belongs to. */
export function surfaceOfPort(facts: Facts, port: MetricsFacts): Surface | null {
  if (facts.conf?.state !== 'seen') return null;
  return facts.conf.value.surfaces.find(({ kind }) => kind === port.kind) ?? null;
}

function doorsOf({ foreignOrigin, foreignHost }: EndpointFacts): Assumed[] {
  const through = 'any web page reaches it through a visitor’s browser';
  const open = (door: EndpointFacts['foreignHost']): boolean =>
    door.state === 'seen' && door.value === 'open';
  if (open(foreignOrigin)) return [{ reach: 'any', because: `${through} (a foreign Origin was let in)` }];
  if (open(foreignHost)) return [{ reach: 'any', because: `${through} (a foreign Host was answered)` }];
  return [];
}

function wider(a: Assumed, b: Assumed): Assumed {
  return reaches.indexOf(b.reach) > reaches.indexOf(a.reach) ? b : a;
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}
