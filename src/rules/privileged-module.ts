/** http, ws or grpc offers a module that can spend, sign, control, rewrite or read what is private. */
import type { ConfFacts, Surface } from '../model/conf.js';
import type { Facts } from '../model/facts.js';
import type { EndpointFacts, LiveFacts } from '../model/live.js';
import { canonicalModule, moduleSeverity, modules } from '../model/modules.js';
import { bySeverityAndReach, reachOf } from '../model/reach.js';
import {
  assign,
  blindLists,
  blindSurfaces,
  forConf,
  placeOf,
  settingsOf,
  surfacesOn,
  switchOff,
} from './conf.js';
import { asked, blindTo, forEither, modulesOf, nameOfEndpoint, reachOfEndpoint } from './live.js';
import type { Draft, Rule, Verdict } from './rule.js';

/** gRPC serves only the Public part of a namespace: of admin that is peers, nodeInfo and datadir. */
const publicPart: Readonly<Record<string, string>> = {
  admin: 'read the node’s peers, addresses and folders',
};

export const privilegedModule: Rule = {
  id: 'privileged-module',
  severity: 'critical',
  title: 'An interface offers a module that should stay private.',
  why: `An interface has no credentials: whoever reaches it calls every method of every module it offers. personal, admin and subbridge sign, spend and re-open interfaces; governance casts the validator’s votes; txpool dumps the mempool. IPC offers all of them anyway to who may use the socket, so nothing is lost by not listing them. gRPC has no list: it serves every Public service (node/node.go).`,
  fix: 'List only what clients need, usually klay,eth,net,web3, and use the IPC socket for the rest.',
  needs: ['conf', 'live'],
  needsAny: true,
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3,personal"\nDATA_DIR=/var/kend/data\n' },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nDATA_DIR=/var/kend/data\n' },
  },
  check: forEither(
    forConf((conf) => ({
      findings: surfacesOn(conf, 'http', 'ws', 'grpc').flatMap((surface) =>
        offered(surface).map((name) => draft(conf, surface, name)),
      ),
      blindSpots: [...blindSurfaces(conf, 'http', 'ws', 'grpc'), ...blindLists(conf, 'http', 'ws')],
    })),
    provenModules,
  ),
};

/** What the node itself says it offers over http and ws. */
function provenModules(live: LiveFacts, facts: Facts): Verdict {
  const endpoints = asked(live, facts, 'http', 'ws');
  return {
    findings: endpoints.flatMap((endpoint) =>
      (modulesOf(endpoint) ?? [])
        .filter((name) => name !== 'debug' && modules[name]?.privileged === true)
        .map((name) => proven(facts, endpoint, name)),
    ),
    blindSpots: endpoints.flatMap((endpoint) => blindTo(endpoint, 'modules')),
    applicable: endpoints.length > 0,
  };
}

function proven(facts: Facts, endpoint: EndpointFacts, name: string): Draft {
  const { kind } = endpoint.endpoint;
  const reach = reachOfEndpoint(facts, endpoint);
  const launcher = facts.conf?.state === 'seen' ? facts.conf.value.launcher : null;
  const kept = (modulesOf(endpoint) ?? []).filter(
    (one) => one !== 'rpc' && modules[one]?.privileged !== true,
  );
  return {
    subject: `${kind} ${name}`,
    severity: bySeverityAndReach(moduleSeverity(name, launcher), reach.reach),
    at: { endpoint: nameOfEndpoint(endpoint.endpoint) },
    message: `${kind} offers ${name}: whoever calls it can ${modules[name]?.does}; ${reach.because}.`,
    fix: `${kind === 'ws' ? 'WS' : 'RPC'}_API="${kept.join(',')}", then restart`,
    evidence: { interface: kind, module: name, reach: reach.reach, proven: true },
  };
}

/** The privileged modules an interface offers; debug is unsafe-debug’s. */
function offered(surface: Surface): string[] {
  return (surface.modules ?? []).filter((name) => name !== 'debug' && modules[name]?.privileged === true);
}

function draft(conf: ConfFacts, surface: Surface, name: string): Draft {
  const narrow = surface.kind === 'grpc' ? publicPart[name] : undefined;
  const base = narrow === undefined ? moduleSeverity(name, conf.launcher) : 'low';
  const reach = reachOf(surface);
  const kind = surface.kind === 'ws' ? 'ws' : surface.kind === 'grpc' ? 'grpc' : 'http';
  const settings = settingsOf[kind];
  const place = surface.listed?.find((one) => canonicalModule(one.name) === name)?.at;
  const kept = (surface.listed ?? [])
    .filter((one) => modules[canonicalModule(one.name)]?.privileged !== true)
    .map((one) => one.name);
  return {
    subject: `${surface.kind} ${name}`,
    severity: bySeverityAndReach(base, reach.reach),
    at: place ?? placeOf(conf, 'api' in settings ? settings.api[0] : settings.enable[0], settings.enable[0]),
    message: `${surface.kind} offers ${name}: whoever calls it can ${narrow ?? modules[name]?.does}; ${reach.because}.`,
    fix: 'api' in settings ? assign(conf, settings.api, kept.join(',')) : switchOff(conf, settings.enable),
    evidence: { interface: surface.kind, module: name, reach: reach.reach },
  };
}
