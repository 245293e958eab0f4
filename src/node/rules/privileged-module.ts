/** http, ws or grpc offers a module that can spend, sign, control, rewrite or read what is private. */

import { listed } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import { modulesOf, offeredModules } from '../judge/answers.js';
import { blindTo, blindToGrpc, blindToUnlisted } from '../judge/blind.js';
import { exposed, moduleExposed, seenExposed } from '../judge/exposed.js';
import { advise, publicModules } from '../judge/fix.js';
import { blindOffers, type ListenerOf, likelyListeners } from '../judge/listeners.js';
import { asked, type Live, type LiveEndpoint, type LiveGrpc } from '../judge/live.js';
import { meaning } from '../judge/meaning.js';
import { likelyModules, notOffered } from '../judge/module-lists.js';
import { type Draft, foundInEach, type Rule } from '../judge/rule.js';
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
    blindSpots: blindOffers(settings, 'http', 'ws', 'grpc'),
  }),
  ofLive: (live) => {
    const shown = foundInEach(asked(live, 'http', 'ws'), {
      findings: (one) => privilegedOf(offeredModules(one)).map((name) => proven(live, one, name)),
      refuted: notOffered,
      blindSpots: (one) => [...blindTo(one, 'modules'), ...blindToUnlisted(one)],
    });
    return {
      ...shown,
      findings: [...shown.findings, ...live.grpc.flatMap((port) => served(live, port))],
      blindSpots: [...shown.blindSpots, ...blindToGrpc(live)],
      applicable: shown.applicable === true || live.grpc.length > 0,
    };
  },
};

/** debug is unsafe-debug’s. */
function privilegedOf(names: readonly string[]): string[] {
  return names.filter((name) => name !== 'debug' && modules[name]?.privileged === true);
}

function declared(settings: Settings, listener: ListenerOf<'http' | 'ws' | 'grpc'>, name: string): Draft {
  const { kind } = listener;
  const { severity, does } = meaning(settings, kind, name);
  const message = `${kind} offers ${name}: whoever calls it can ${does}`;
  return moduleExposed(settings, listener, { about: name, severity, message, evidence: { module: name } });
}

function proven(live: Live, endpoint: LiveEndpoint, name: string): Draft {
  const all = modulesOf(endpoint);
  const unlisted = all?.includes(name) === false;
  const offers = unlisted ? `answers ${name}, which rpc_modules does not list` : `offers ${name}`;
  return seenExposed(endpoint, {
    about: name,
    severity: moduleSeverity(name, live),
    message: `${endpoint.endpoint.kind} ${offers}: whoever calls it can ${modules[name]?.does}`,
    fix: advise(`List only ${listed(publicModules(all ?? []))} and restart the node.`),
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
