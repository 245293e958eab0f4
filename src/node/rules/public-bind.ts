/** An interface listens on an address other machines reach. */

import { reachOfBind, reachOfHost } from '../facts/reach.js';
import { seenValue } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import { bindLocally } from '../judge/access/bind-locally.js';
import { exposed, seenExposed } from '../judge/exposure/exposure.js';
import { advise } from '../judge/fix/fix.js';
import { isOpen } from '../judge/live/answers.js';
import { blindToReach } from '../judge/live/blind-spots.js';
import { asked, type EndpointOf } from '../judge/live/live.js';
import { conf, type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';
import { blindBinds, type ListenerOf, listenersOn, placeOfBind } from '../judge/settings/listeners.js';

const kinds = ['http', 'ws', 'grpc', 'mainbridge'] as const; // metrics and pprof are open-profiler’s

/** What a public bind means. */
const meaning = {
  http: 'without login or TLS',
  ws: 'without login, TLS or time limits',
  grpc: 'with every Public service and without login',
  mainbridge: 'and serves chain modules to its peers, whatever the lists say',
};

export const publicBind: Rule = {
  id: 'public-bind',
  severity: 'medium',
  title: 'An interface listens on an address other machines reach.',
  why: `Nothing behind the port asks for credentials, so the bind address is the access control. The packaged confs say 0.0.0.0; the node’s own default is 127.0.0.1. A firewall can make this acceptable: then say so in a suppression.`,
  fix: 'Bind to 127.0.0.1 and put a reverse proxy in front, or to a private address behind a firewall.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_ADDR="0.0.0.0"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_ADDR="127.0.0.1"'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, ...kinds).flatMap((listener) => declared(settings, listener)),
    blindSpots: blindBinds(settings, ...kinds),
  }),
  /** Where only a loopback address was dialled, who else reaches it stays open. */
  ofLive: (live) =>
    foundInEach(asked(live, 'http', 'ws').filter(isOpen), {
      findings: bound,
      blindSpots: (one) => (one.reach.lowerBound ? [blindToReach(one)] : []),
    }),
};

function declared(settings: Settings, listener: ListenerOf<keyof typeof meaning>): Draft[] {
  const { kind, host, port, container } = listener;
  const reach = reachOfBind(listener);
  // In a container 0.0.0.0 is needed: what is published decides.
  if (host === null || reach.reach === 'loopback' || container?.published === null) return [];
  return [
    exposed(kind, reach, {
      about: host,
      severity: kind === 'grpc' ? 'high' : 'medium',
      at: placeOfBind(settings, listener),
      message: `${kind} listens on ${host}:${port ?? '?'} ${meaning[kind]}`,
      fix: bindLocally(settings, listener),
      evidence: { host, port },
    }),
  ];
}

/** What the kernel shows; under the address that the settings have, where they have one. */
function bound(one: EndpointOf<'http' | 'ws'>): Draft[] {
  const { bind, endpoint, listener, reach } = one;
  const wide = (seenValue(bind) ?? []).filter((host) => reachOfHost(host).reach !== 'loopback');
  const isDeclared = listener?.state === 'on' && reachOfHost(listener.host).reach !== 'loopback';
  return wide.map((host) =>
    seenExposed(one, {
      about: (isDeclared ? listener.host : null) ?? host,
      severity: 'medium',
      message: `${endpoint.kind} is bound to ${host}, ${meaning[endpoint.kind]}`,
      fix: advise('Bind it to 127.0.0.1 and restart the node.'),
      evidence: { bind: host, reachBy: reach.by },
    }),
  );
}
