/** An interface listens on an address other machines reach. */

import { type Assumed, bySeverityAndReach, reachOfBind, reachOfHost } from '../facts/reach.js';
import { blindSpot, indeterminate, type NotSeen, notSeen, type Seen, seenValue } from '../facts/seen.js';
import type { Listener, Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { isOpen } from '../judge/answers.js';
import { advise, either, type Fix, publishLocally, setTo, together, turnOff } from '../judge/fix.js';
import { blindListeners, listenersOn } from '../judge/listeners.js';
import { asked, type Live } from '../judge/live.js';
import type { Draft, Rule, Verdict } from '../judge/rule.js';
import { placeOf } from '../judge/setting.js';
import { closedToPages } from '../judge/wildcard.js';
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
    findings: kinds.flatMap((kind) =>
      listenersOn(settings, kind).flatMap((listener) => {
        const reach = reachOfBind(listener);
        // In a container 0.0.0.0 is needed: what is published decides.
        const inside = listener.container?.published === null;
        return listener.host === null || reach.reach === 'loopback' || inside
          ? []
          : [draft(settings, kind, listener, reach)];
      }),
    ),
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
      const kind = endpoint.kind === 'ws' ? 'ws' : 'http';
      const { severity, says } = meaning[kind];
      return wide.map((host) => ({
        subject: `${kind} ${listener?.state === 'on' && reachOfHost(listener.host).reach !== 'loopback' ? listener.host : host}`,
        severity: bySeverityAndReach(severity, reach.reach),
        at: { endpoint: name },
        message: `${kind} is bound to ${host}, ${says}; ${reach.because}.`,
        fix: advise('Bind it to 127.0.0.1 and restart the node.'),
        evidence: { interface: kind, bind: host, reach: reach.reach, reachBy: reach.by },
      }));
    }),
    blindSpots: endpoints
      .filter(({ reach }) => reach.lowerBound)
      .map(({ name, bind }) => blindSpot(name, unknownReach(bind))),
    applicable: endpoints.length > 0,
  };
}

function unknownReach(bind: Seen<unknown>): NotSeen {
  const { code, detail } = bind.state === 'seen' ? notSeen('not-asked', 'not asked') : bind;
  return notSeen(code, `who reaches it is not known beyond this machine: ${detail}`);
}

function draft(settings: Settings, kind: Kind, listener: Listener, reach: Assumed): Draft {
  const flags = listenerFlags[kind];
  const { severity, says } = meaning[kind];
  const published = listener.container?.published;
  return {
    subject: `${kind} ${listener.host}`,
    severity: bySeverityAndReach(severity, reach.reach),
    at: published?.at ?? placeOf(settings, ...('addr' in flags ? [flags.addr] : []), flags.enable),
    message: `${kind} listens on ${listener.host}:${listener.port ?? '?'} ${says}; ${reach.because}.`,
    fix:
      published != null
        ? publishLocally(published)
        : 'addr' in flags
          ? narrowed(settings, kind, listener, flags)
          : turnOff(settings, flags.enable),
    evidence: { interface: kind, host: listener.host, port: listener.port, reach: reach.reach },
  };
}

/**
 * To this machine alone, so that a proxy there says who gets in. Whatever lets every page in goes with it: browsers would
 * be a way in to what others no longer reach.
 */
function narrowed(
  settings: Settings,
  kind: Kind,
  listener: Listener,
  flags: { readonly addr: string; readonly enable: string },
): Fix {
  const bound = setTo(settings, flags.addr, '127.0.0.1', { beside: flags.enable });
  const open = kind === 'http' || kind === 'ws' ? closedToPages(settings, listener) : [];
  const more = open.map(({ say }) => say[0]?.toLowerCase() + say.slice(1, -1)).join(', and ');
  const local =
    open.length === 0 ? bound : together(`${bound.say.slice(0, -1)}, and ${more}.`, [bound, ...open]);
  return either(
    local,
    advise('Bind it to a private address, and let a firewall or a proxy pass only what clients need.'),
  );
}
