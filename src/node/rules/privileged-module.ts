/** http, ws or grpc offers a module that can spend, sign, control, rewrite or read what is private. */

import { reachOf } from '../facts/reach.js';
import type { Settings } from '../facts/settings.js';
import { modulesOf, unlistedModules } from '../judge/answers.js';
import { blindTo, blindToGrpc, blindToUnlisted } from '../judge/blind.js';
import { exposed } from '../judge/exposed.js';
import { advise, listPublic, namesOf, publicModules, turnOff } from '../judge/fix.js';
import {
  blindListeners,
  blindLists,
  type ListenerOf,
  likelyListeners,
  placeOfModule,
} from '../judge/listeners.js';
import { asked, type Live, type LiveEndpoint, type LiveGrpc } from '../judge/live.js';
import { meaning } from '../judge/meaning.js';
import { likelyModules, notOffered } from '../judge/module-lists.js';
import type { Draft, Rule } from '../judge/rule.js';
import { listed } from '../judge/words.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { moduleSeverity, modules } from '../kinds/kaia/modules.js';

export const privilegedModule: Rule = {
  id: 'privileged-module',
  perModule: true,
  severity: 'critical',
  title: 'An interface offers a module that should stay private.',
  why: `An interface has no credentials: whoever reaches it calls every method of every module it offers. personal, admin and subbridge sign, spend and re-open interfaces; governance casts the validator’s votes; txpool dumps the mempool. IPC offers all of them anyway to who may use the socket, so nothing is lost by not listing them. gRPC has no list: it serves every Public service (node/node.go).`,
  fix: 'List only what clients need, usually klay,eth,net,web3, and use the IPC socket for the rest.',
  examples: {
    bad: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3,personal"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: likelyListeners(settings, 'http', 'ws', 'grpc').flatMap((listener) =>
      privilegedOf(likelyModules(settings, listener)).map((name) => declared(settings, listener, name)),
    ),
    blindSpots: [...blindListeners(settings, 'http', 'ws', 'grpc'), ...blindLists(settings, 'http', 'ws')],
  }),
  /** What the node itself says it offers over http and ws. */
  ofLive: (live) => {
    const endpoints = asked(live, 'http', 'ws');
    return {
      findings: endpoints
        .flatMap((endpoint) =>
          privilegedOf([...(modulesOf(endpoint) ?? []), ...unlistedModules(endpoint)]).map((name) =>
            proven(live, endpoint, name),
          ),
        )
        .concat(live.grpc.flatMap((port) => served(live, port))),
      refuted: endpoints.flatMap(notOffered),
      blindSpots: [
        ...endpoints.flatMap((one) => [...blindTo(one, 'modules'), ...blindToUnlisted(one)]),
        ...blindToGrpc(live),
      ],
      applicable: endpoints.length + live.grpc.length > 0,
    };
  },
};

/** debug is unsafe-debug’s. */
function privilegedOf(names: readonly string[]): string[] {
  return names.filter((name) => name !== 'debug' && modules[name]?.privileged === true);
}

function proven(live: Live, endpoint: LiveEndpoint, name: string): Draft {
  const { kind } = endpoint.endpoint;
  const kept = publicModules(modulesOf(endpoint) ?? []);
  const unlisted = modulesOf(endpoint)?.includes(name) === false;
  const offers = unlisted ? `answers ${name}, which rpc_modules does not list` : `offers ${name}`;
  return exposed(kind, endpoint.reach, {
    about: name,
    severity: moduleSeverity(name, live),
    at: { endpoint: endpoint.name },
    message: `${kind} ${offers}: whoever calls it can ${modules[name]?.does}`,
    fix: advise(`List only ${listed(kept)} and restart the node.`),
    evidence: { module: name, proven: true, ...(unlisted ? { unlisted } : {}) },
  });
}

/** gRPC has no list to ask for: where it listens it serves every Public service. */
function served(live: Live, { url, listening, listener, reach }: LiveGrpc): Draft[] {
  if (listening.state !== 'seen') return [];
  return privilegedOf(listener?.modules ?? []).map((name) => {
    const { severity, does } = meaning(live, 'grpc', name);
    return exposed('grpc', reach, {
      about: name,
      severity,
      at: { endpoint: url.replace(/^http/, 'grpc') },
      message: `grpc offers ${name}: whoever calls it can ${does}`,
      fix: advise('Start the node without --grpc.'),
      evidence: { module: name },
    });
  });
}

function declared(settings: Settings, listener: ListenerOf<'http' | 'ws' | 'grpc'>, name: string): Draft {
  const { kind } = listener;
  const flags = listenerFlags[kind];
  const { severity, does } = meaning(settings, kind, name);
  return exposed(kind, reachOf(listener), {
    about: name,
    severity,
    at: placeOfModule(settings, listener, name),
    message: `${kind} offers ${name}: whoever calls it can ${does}`,
    fix:
      'api' in flags ? listPublic(settings, flags.api, namesOf(listener)) : turnOff(settings, flags.enable),
    evidence: { module: name },
  });
}
