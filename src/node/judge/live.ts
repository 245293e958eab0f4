/** Questions rules ask of a live node: what was seen, who reaches it, what it proves. */
import type { ConfFacts, Listener } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { Endpoint, EndpointFacts, LiveFacts, MetricsFacts } from '../facts/live.js';
import { type Assumed, reaches, reachOf, reachOfHost } from '../facts/reach.js';
import { type BlindSpot, blindSpot } from '../facts/seen.js';
import { settingsOf } from '../kinds/kaia/interfaces.js';
import { canonicalModule } from '../kinds/kaia/modules.js';
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
    const unread = facts.conf !== null && facts.conf.state !== 'seen' ? [blindSpot(null, facts.conf)] : [];
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

/** The conf's listener an endpoint belongs to. */
export function listenerOf(facts: Facts, endpoint: EndpointFacts): Listener | null {
  if (facts.conf?.state !== 'seen') return null;
  return facts.conf.value.listeners.find(({ kind }) => kind === endpoint.endpoint.kind) ?? null;
}

/** The endpoints of a kind that count: what the conf keeps closed and is closed raises no question. */
export function asked(live: LiveFacts, facts: Facts, ...kinds: readonly Endpoint['kind'][]): EndpointFacts[] {
  return live.endpoints.filter(
    (one) => kinds.includes(one.endpoint.kind) && (isOpen(one) || listenerOf(facts, one)?.state !== 'off'),
  );
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
): BlindSpot[] {
  const value = endpoint[fact];
  return value.state === 'seen' ? [] : [blindSpot(nameOfEndpoint(endpoint.endpoint), value)];
}

/** Who reaches an endpoint: by its conf's bind address, by the address dialable, and by the access that stood open. */
export function reachOfEndpoint(facts: Facts, endpoint: EndpointFacts): Assumed {
  const { endpoint: at } = endpoint;
  if (at.kind === 'ipc') return { reach: 'ipc', because: 'users of this machine who can open the socket' };
  const listener = listenerOf(facts, endpoint);
  const dialable = endpoint.source === 'conf' ? [] : [reachOfHost(hostOf(at.url))];
  const candidates = [...dialable, ...boundTo(facts, listener), ...accessOf(endpoint)];
  return candidates.reduce(wider, { reach: 'loopback', because: 'this machine reaches it' });
}

/** Who reaches a metrics port: it binds every interface (metrics/utils/metrics.go), pprof what the conf says. */
export function reachOfMetrics(facts: Facts, port: MetricsFacts): Assumed {
  const listener = listenerOfPort(facts, port);
  const dialable = reachOfHost(hostOf(port.url));
  return listener?.state === 'on' ? wider(reachOfHost(listener.host), dialable) : dialable;
}

/** By the conf's bind address; for an interface it keeps closed, by the address it would have. */
function boundTo(facts: Facts, listener: Listener | null): Assumed[] {
  if (listener?.state === 'on') return [reachOf(listener)];
  if (listener?.state !== 'off' || facts.conf?.state !== 'seen') return [];
  return [
    reachOfHost(
      facts.conf.value.variables[settingsOf[listener.kind === 'ws' ? 'ws' : 'http'].addr[1]] ?? null,
    ),
  ];
}

/** The conf's listener a metrics port belongs to. */
export function listenerOfPort(facts: Facts, port: MetricsFacts): Listener | null {
  if (facts.conf?.state !== 'seen') return null;
  return facts.conf.value.listeners.find(({ kind }) => kind === port.kind) ?? null;
}

function accessOf({ foreignOrigin, foreignHost }: EndpointFacts): Assumed[] {
  const through = 'any web page reaches it through a visitor’s browser';
  const open = (access: EndpointFacts['foreignHost']): boolean =>
    access.state === 'seen' && access.value === 'open';
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
