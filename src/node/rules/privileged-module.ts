/** http, ws or grpc offers a module that can spend, sign, control, rewrite or read what is private. */
import type { ConfFacts, Listener } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { EndpointFacts, LiveFacts } from '../facts/live.js';
import { bySeverityAndReach, reachOf } from '../facts/reach.js';
import { type Severity, severities } from '../facts/severity.js';
import { blindListeners, blindLists, forConf } from '../judge/conf.js';
import { likelyListeners } from '../judge/likely.js';
import { asked, blindTo, forEither, modulesOf, nameOfEndpoint, reachOfEndpoint } from '../judge/live.js';
import type { Draft, Rule, Verdict } from '../judge/rule.js';
import { assignList, placeOf, settingsOf, switchOff } from '../judge/setting.js';
import { canonicalModule, moduleSeverity, modules } from '../kinds/kaia/modules.js';

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
    bad: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3,personal"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  check: forEither(
    forConf((conf) => ({
      findings: likelyListeners(conf, 'http', 'ws', 'grpc').flatMap((listener) =>
        offered(conf, listener).map((name) => draft(conf, listener, name)),
      ),
      blindSpots: [...blindListeners(conf, 'http', 'ws', 'grpc'), ...blindLists(conf, 'http', 'ws')],
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

/** The privileged modules an interface offers, or will once the node has them; debug is unsafe-debug’s. */
function offered(conf: ConfFacts, listener: Listener): string[] {
  const waiting = (listener.listed ?? [])
    .map(({ name }) => name)
    .filter((name) => conf.settings[name]?.value === false);
  const names = new Set([...(listener.modules ?? []), ...(listener.modules === null ? [] : waiting)]);
  return [...names].filter((name) => name !== 'debug' && modules[name]?.privileged === true);
}

function draft(conf: ConfFacts, listener: Listener, name: string): Draft {
  const kind = listener.kind === 'ws' || listener.kind === 'grpc' ? listener.kind : 'http';
  const settings = settingsOf[kind];
  const reach = reachOf(listener);
  const { severity, says } = meaning(conf, listener, name);
  const kept = (listener.listed ?? []).filter(
    (one) => modules[canonicalModule(one.name)]?.privileged !== true,
  );
  return {
    subject: `${kind} ${name}`,
    severity: bySeverityAndReach(severity, reach.reach),
    at:
      listener.listed?.find((one) => canonicalModule(one.name) === name)?.at ??
      placeOf(conf, 'api' in settings ? settings.api[0] : settings.enable[0], settings.enable[0]),
    message: `${says}; ${reach.because}.`,
    fix:
      'api' in settings
        ? assignList(
            conf,
            settings.api,
            kept.map((one) => one.name),
          )
        : switchOff(conf, settings.enable),
    evidence: { interface: kind, module: name, reach: reach.reach },
  };
}

/** A module whose flag (--subbridge, …) is off is listed, but answers only once it is on. */
function meaning(
  conf: ConfFacts,
  { kind, modules: now }: Listener,
  name: string,
): { severity: Severity; says: string } {
  const does = modules[name]?.does;
  const base = moduleSeverity(name, conf.launcher);
  if (now?.includes(name) === false) {
    const later = severities[severities.indexOf(base) + 1] ?? base;
    return {
      severity: later,
      says: `${kind} lists ${name}: as soon as ${switchName(conf, name)}, whoever calls it can ${does}`,
    };
  }
  const narrow = kind === 'grpc' ? publicPart[name] : undefined;
  if (narrow !== undefined)
    return { severity: 'low', says: `${kind} offers ${name}: whoever calls it can ${narrow}` };
  return { severity: base, says: `${kind} offers ${name}: whoever calls it can ${does}` };
}

/** What brings the module into being, as the conf says it. */
function switchName(conf: ConfFacts, name: string): string {
  const variable = name === 'subbridge' ? 'SC_SUB_BRIDGE' : name === 'mainbridge' ? 'SC_MAIN_BRIDGE' : null;
  return variable !== null && conf.reads.includes(variable) ? `${variable} is 1` : `--${name} is on`;
}
