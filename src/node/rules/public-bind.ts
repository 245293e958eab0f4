/** An interface listens on an address that other machines reach. */
import { isUnpublished, reachOfBind } from '../facts/reach.js';
import { advise } from '../fix/proposal/fix.js';
import { bindLocally } from '../judge/access/bind-locally.js';
import { exposureDraft, liveExposureDraft } from '../judge/exposure/exposure.js';
import { isOpen } from '../judge/live/answers.js';
import { reachBlindSpot } from '../judge/live/blind-spots.js';
import { type EndpointOf, relevantEndpoints, wideBinds } from '../judge/live/parts.js';
import { conf, type Draft, foundInEach, kaia, type Rule } from '../judge/rule/rule.js';
import { bindBlindSpots, type ListenerOf, listenersOn, placeOfBind } from '../judge/settings/listeners.js';
import type { NodeSettings } from '../kinds/node.js';

// metrics and pprof are open-profiler’s, authrpc is engine-reach’s
const kinds = ['http', 'https', 'ws', 'socket', 'graphql', 'grpc', 'beacon', 'mcp', 'mainbridge'] as const;

/** The missing protection, where it is another than the usual one and the kind of node does not state what callers can do. */
const meaning: Partial<Record<(typeof kinds)[number], string>> = {
  https: 'without login',
  ws: 'without login, TLS or time limits',
  graphql: 'without login or TLS, and answers whatever the module lists say',
  grpc: 'with every Public service and without login',
  mainbridge: 'and serves chain modules to its peers, regardless of the module lists',
};
const usual = 'without login or TLS';

export const publicBind: Rule = {
  id: 'public-bind',
  saidBy: ['privileged-module', 'unsafe-debug', 'everything-offered', 'unlocked-account'],
  severity: 'medium',
  title: 'An interface listens on an address that other machines reach.',
  why: `The interface asks for no credentials, so its address is the only access control. Where a node asks for a token, the token is the only one, and without TLS anyone on the path can read it. Packaged settings often use 0.0.0.0, although the node’s default is 127.0.0.1. If a firewall protects the port, suppress the finding with that reason.`,
  fix: 'Bind it to 127.0.0.1 behind a reverse proxy, or to a private address behind a firewall.',
  ignore: 'If a firewall limits who reaches the port; --assume-reach then says so for every rule.',
  sources: [kaia('node/defaults.go'), kaia('networks/rpc/endpoints.go')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_ADDR="0.0.0.0"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_ADDR="127.0.0.1"'),
  },
  on: 'exposure',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, ...kinds).flatMap((listener) => declared(settings, listener)),
    blindSpots: bindBlindSpots(settings, ...kinds),
  }),
  /** If only a loopback address was contacted, it is unknown who else reaches the interface. */
  ofLive: (live) =>
    foundInEach(relevantEndpoints(live, 'http', 'ws').filter(isOpen), {
      findings: bound,
      blindSpots: (one) => (one.reach.lowerBound ? [reachBlindSpot(one)] : []),
    }),
};

function declared(settings: NodeSettings, listener: ListenerOf<(typeof kinds)[number]>): Draft[] {
  const { kind, host, port } = listener;
  const reach = reachOfBind(listener);
  const served = settings.nodeKind.interfaces.serves[kind];
  // A container has to bind 0.0.0.0: the published ports decide, but for what no other rule says.
  const isInside = isUnpublished(listener) && served === undefined;
  if (host === null || reach.reach === 'loopback' || isInside) return [];
  const open =
    served === undefined ? (meaning[kind] ?? usual) : `without login: whoever reaches it can ${served.does}`;
  return [
    exposureDraft(kind, reach, {
      about: host,
      severity: served?.severity ?? (kind === 'grpc' ? 'high' : 'medium'),
      at: placeOfBind(settings, listener),
      message: `${kind} listens on ${host}:${port ?? '?'} ${reach.login === undefined ? open : 'without TLS'}`,
      fix: bindLocally(settings, listener),
      evidence: { host, port, closes: true },
    }),
  ];
}

function bound(one: EndpointOf<'http' | 'ws'>): Draft[] {
  const { kind } = one.endpoint;
  return wideBinds(one).map(({ host, about }) =>
    liveExposureDraft(one, {
      about,
      severity: 'medium',
      message: `${kind} is bound to ${host}, ${meaning[kind] ?? usual}`,
      fix: advise(`Bind ${kind} to 127.0.0.1 and restart the node.`),
      evidence: { bind: host, reachBy: one.reach.by },
    }),
  );
}
