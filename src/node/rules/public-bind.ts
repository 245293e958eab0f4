/** An interface listens on an address other machines reach. */

import { type Assumed, reachOfBind, reachOfHost } from '../facts/reach.js';
import { indeterminate, seenValue } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { isOpen } from '../judge/answers.js';
import { bindLocally } from '../judge/bind-locally.js';
import { blindToReach } from '../judge/blind.js';
import { exposed } from '../judge/exposed.js';
import { advise } from '../judge/fix.js';
import { blindListeners, type ListenerOf, listenersOn } from '../judge/listeners.js';
import { asked, type Live } from '../judge/live.js';
import type { Draft, Rule, Verdict } from '../judge/rule.js';
import { placeOf } from '../judge/setting.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';

const kinds = ['http', 'ws', 'grpc', 'mainbridge'] as const; // metrics and pprof are open-profiler’s
type Kind = (typeof kinds)[number];

/** How bad a public bind is by itself, and what it means. */
const meaning: Readonly<Record<Kind, { severity: Severity; says: string }>> = {
  http: { severity: 'medium', says: 'without login or TLS' },
  ws: { severity: 'medium', says: 'without login, TLS or time limits' },
  grpc: { severity: 'high', says: 'with every Public service and without login' },
  mainbridge: { severity: 'medium', says: 'and serves chain modules to its peers, whatever the lists say' },
};

export const publicBind: Rule = {
  id: 'public-bind',
  severity: 'medium',
  title: 'An interface listens on an address other machines reach.',
  why: `Nothing behind the port asks for credentials, so the bind address is the access control. The packaged confs say 0.0.0.0; the node’s own default is 127.0.0.1. A firewall can make this acceptable: then say so in a suppression.`,
  fix: 'Bind to 127.0.0.1 and put a reverse proxy in front, or to a private address behind a firewall.',
  examples: {
    bad: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_ADDR="0.0.0.0"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
    good: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_ADDR="127.0.0.1"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, ...kinds).flatMap((listener) => {
      const reach = reachOfBind(listener);
      // In a container 0.0.0.0 is needed: what is published decides.
      const inside = listener.container?.published === null;
      return listener.host === null || reach.reach === 'loopback' || inside
        ? []
        : [draft(settings, listener, reach)];
    }),
    blindSpots: [
      ...blindListeners(settings, ...kinds),
      ...listenersOn(settings, ...kinds)
        .filter(({ host }) => host === null)
        .map(({ kind, reason }) => indeterminate(kind, reason ?? 'its address cannot be known offline')),
    ],
  }),
  ofLive: boundLive,
};

/** What the kernel shows; where only a loopback address was dialled, who else reaches it stays open. */
function boundLive(live: Live): Verdict {
  const endpoints = asked(live, 'http', 'ws').filter(isOpen);
  return {
    findings: endpoints.flatMap(({ bind, endpoint, name, listener, reach }) => {
      const wide = (seenValue(bind) ?? []).filter((host) => reachOfHost(host).reach !== 'loopback');
      const { kind } = endpoint;
      const { severity, says } = meaning[kind];
      const isDeclared = listener?.state === 'on' && reachOfHost(listener.host).reach !== 'loopback';
      return wide.map((host) =>
        exposed(kind, reach, {
          about: (isDeclared ? listener.host : null) ?? host,
          severity,
          at: { endpoint: name },
          message: `${kind} is bound to ${host}, ${says}`,
          fix: advise('Bind it to 127.0.0.1 and restart the node.'),
          evidence: { bind: host, reachBy: reach.by },
        }),
      );
    }),
    blindSpots: endpoints.filter(({ reach }) => reach.lowerBound).map(blindToReach),
    applicable: endpoints.length > 0,
  };
}

function draft(settings: Settings, listener: ListenerOf<Kind>, reach: Assumed): Draft {
  const { kind } = listener;
  const flags = listenerFlags[kind];
  const { severity, says } = meaning[kind];
  const published = listener.container?.published;
  return exposed(kind, reach, {
    about: listener.host ?? '',
    severity,
    at: published?.at ?? placeOf(settings, ...('addr' in flags ? [flags.addr] : []), flags.enable),
    message: `${kind} listens on ${listener.host}:${listener.port ?? '?'} ${says}`,
    fix: bindLocally(settings, listener),
    evidence: { host: listener.host, port: listener.port },
  });
}
