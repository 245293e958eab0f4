/** http, ws or grpc offers a module that can spend, sign, control, rewrite or read what is private. */

import { exposed, moduleExposed, seenExposed } from '../judge/exposure/exposure.js';
import { advise } from '../judge/fix/fix.js';
import { modulesOf, offeredModules } from '../judge/live/answers.js';
import { blindTo, blindToGrpc, blindToUnknown, blindToUnlisted } from '../judge/live/blind-spots.js';
import { asked, type EndpointOf, type Live, type LiveGrpc } from '../judge/live/live.js';
import { refutedModules } from '../judge/live/module-differences.js';
import { conf, type Draft, foundInEach, joined, type Rule } from '../judge/rule/rule.js';
import { blindOffers } from '../judge/settings/listeners.js';
import { meaning, privilegedOf } from '../judge/settings/module-impact.js';
import { likelyModules } from '../judge/settings/module-lists.js';
import { likelyListeners } from '../judge/settings/presumed-listeners.js';
import type { NodeIdentity } from '../kinds/kind.js';

export const privilegedModule: Rule = {
  id: 'privileged-module',
  perModule: true,
  severity: 'critical',
  title: 'An interface offers a module that should stay private.',
  why: `An interface has no credentials: whoever reaches it calls every method of every module it offers. personal, admin and subbridge sign, spend and re-open interfaces; governance casts the validator’s votes; txpool dumps the mempool. IPC offers all of them anyway to who may use the socket, so nothing is lost by not listing them. gRPC has no list: it serves every Public service (node/node.go).`,
  fix: 'List only what clients need, usually klay,eth,net,web3, and use the IPC socket for the rest.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3,personal"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: likelyListeners(settings, 'http', 'ws', 'grpc').flatMap((listener) =>
      privilegedOf(settings, likelyModules(settings, listener)).map((name) =>
        moduleExposed(settings, listener, offer(settings, listener.kind, name)),
      ),
    ),
    blindSpots: blindOffers(settings, 'http', 'ws', 'grpc'),
  }),
  ofLive: (live) =>
    joined(
      foundInEach(asked(live, 'http', 'ws'), {
        findings: (one) => privilegedOf(live, offeredModules(one)).map((name) => proven(live, one, name)),
        refuted: refutedModules,
        blindSpots: (one) => [
          ...blindTo(one, 'modules'),
          ...blindToUnlisted(one),
          ...blindToUnknown(live, one),
        ],
      }),
      foundInEach(live.grpc, { findings: (port) => served(live, port), blindSpots: blindToGrpc }),
    ),
};

function offer(node: NodeIdentity, kind: 'http' | 'ws' | 'grpc', name: string, offers = `offers ${name}`) {
  const { severity, does } = meaning(node, kind, name);
  const message = `${kind} ${offers}: whoever calls it can ${does}`;
  return { about: name, severity, message, evidence: { module: name } };
}

function proven(live: Live, endpoint: EndpointOf<'http' | 'ws'>, name: string): Draft {
  const all = modulesOf(endpoint);
  const unlisted = all?.includes(name) === false;
  const offers = unlisted ? `answers ${name}, which rpc_modules does not list` : undefined;
  return seenExposed(endpoint, {
    ...offer(live, endpoint.endpoint.kind, name, offers),
    fix: advise(
      unlisted ? `Find out what offers ${name}.` : `Take ${name} off the list and restart the node.`,
    ),
    evidence: { module: name, proven: true, ...(unlisted ? { unlisted } : {}) },
  });
}

/** gRPC has no list to ask for: where it listens it serves every Public service. */
function served(live: Live, { url, listening, listener, reach }: LiveGrpc): Draft[] {
  if (listening.state !== 'seen') return [];
  const at = { endpoint: url.replace(/^http/, 'grpc') };
  const fix = advise('Start the node without --grpc.');
  return privilegedOf(live, listener?.modules ?? []).map((name) =>
    exposed('grpc', reach, { ...offer(live, 'grpc', name), at, fix }),
  );
}
