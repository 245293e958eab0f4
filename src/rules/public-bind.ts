/** An interface listens on an address other machines reach. */
import type { ConfFacts, Surface } from '../model/conf.js';
import { type Assumed, bySeverityAndReach, reachOfHost } from '../model/reach.js';
import type { Severity } from '../model/severity.js';
import { assign, blindSurfaces, forConf, placeOf, settingsOf, surfacesOn, switchOff } from './conf.js';
import type { Draft, Rule } from './rule.js';

const kinds = ['http', 'ws', 'grpc', 'pprof', 'mainbridge'] as const;
type Kind = (typeof kinds)[number];

/** How bad a public bind is by itself, and what it means. */
const meaning: Readonly<Record<Kind, { severity: Severity; says: string }>> = {
  http: { severity: 'medium', says: 'http has no login and no TLS, and everyone shares one execution queue' },
  ws: { severity: 'medium', says: 'ws has no login, no TLS and no time limits' },
  grpc: {
    severity: 'high',
    says: 'grpc serves every Public service, governance and txpool included, without login',
  },
  pprof: { severity: 'high', says: 'the profiler shows the command line and can be made to stall the node' },
  mainbridge: {
    severity: 'medium',
    says: 'the bridge port serves chain modules to its peers; CORS, Host and module lists do not govern it',
  },
};

export const publicBind: Rule = {
  id: 'public-bind',
  severity: 'medium',
  title: 'An interface listens on an address other machines reach.',
  why: `Nothing behind the port asks for credentials, so the bind address is the access control. The packaged confs say 0.0.0.0; the node’s own default is 127.0.0.1. A firewall can make this acceptable: then say so in a suppression.`,
  fix: 'Bind to 127.0.0.1 and put a reverse proxy in front, or to a private address behind a firewall.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_ADDR="0.0.0.0"\nDATA_DIR=/var/kend/data\n' },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_ADDR="127.0.0.1"\nDATA_DIR=/var/kend/data\n' },
  },
  check: forConf((conf) => ({
    findings: kinds.flatMap((kind) =>
      surfacesOn(conf, kind).flatMap((surface) => {
        const reach = reachOfHost(surface.host);
        return surface.host === null || reach.reach === 'loopback' ? [] : [draft(conf, kind, surface, reach)];
      }),
    ),
    blindSpots: [
      ...blindSurfaces(conf, ...kinds),
      ...surfacesOn(conf, ...kinds)
        .filter(({ host }) => host === null)
        .map(({ kind, reason }) => `${kind}: ${reason ?? 'its address cannot be known offline'}`),
    ],
  })),
};

function draft(conf: ConfFacts, kind: Kind, surface: Surface, reach: Assumed): Draft {
  const settings = settingsOf[kind];
  const { severity, says } = meaning[kind];
  return {
    subject: `${kind} ${surface.host}`,
    severity: bySeverityAndReach(severity, reach.reach),
    at: placeOf(conf, ...('addr' in settings ? [settings.addr[0]] : []), settings.enable[0]),
    message: `${kind} listens on ${surface.host}:${surface.port ?? '?'}: ${reach.because}, and ${says}.`,
    fix: 'addr' in settings ? assign(conf, settings.addr, '127.0.0.1') : switchOff(conf, settings.enable),
    evidence: { interface: kind, host: surface.host, port: surface.port, reach: reach.reach },
  };
}
