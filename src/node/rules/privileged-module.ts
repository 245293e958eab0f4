/** http, ws, grpc or a socket that a relay reaches offers a module that can spend, sign, control, rewrite or read private data. */

import { advise } from '../fix/proposal/fix.js';
import { exposureDraft, moduleExposureDraft, offer, proven } from '../judge/exposure/exposure.js';
import { offeredModules } from '../judge/live/answers.js';
import { grpcBlindSpots, moduleBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveGrpc } from '../judge/live/interfaces.js';
import type { Live } from '../judge/live/live.js';
import { refutedModules } from '../judge/live/module-differences.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { conf, type Draft, foundInEach, joinVerdicts, kaia, type Rule } from '../judge/rule/rule.js';
import { callableOn, moduleListBlindSpots } from '../judge/settings/listeners.js';
import { presumedModules, privilegedOf } from '../judge/settings/module-lists.js';

const kinds = ['http', 'https', 'ws', 'socket', 'grpc'] as const;

export const privilegedModule: Rule = {
  id: 'privileged-module',
  perModule: true,
  saidBy: ['privileged-module', 'unsafe-debug', 'everything-offered'],
  severity: 'critical',
  title: 'An interface offers a module that should stay private.',
  why: `An interface has no credentials: whoever reaches it can call every method of every module it offers. personal and admin can sign, spend and open more interfaces; txpool shows pending transactions. The IPC socket offers all modules to its users anyway, so local tools need no entry in the list; a relay to it, such as socat, offers them to its own callers. gRPC has no list: it serves every public service of the node. Where each caller has to show a token, the finding is less severe.`,
  fix: 'List only the modules that clients need, usually eth, net and web3, and use the IPC socket for the rest.',
  ignore:
    'If a firewall or a proxy limits the callers to those who may use the module; --assume-reach then says so for every rule.',
  sources: [
    kaia('networks/rpc/server.go'),
    kaia('node/cn/backend.go'),
    'https://docs.kaia.io/nodes/endpoint-node/json-rpc-apis/',
  ],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3,personal"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'exposure',
  ofSettings: (settings) => ({
    findings: callableOn(settings, ...kinds).flatMap((listener) =>
      privilegedOf(settings, presumedModules(settings, listener), listener).map((name) =>
        moduleExposureDraft(settings, listener, offer(settings, listener.kind, name)),
      ),
    ),
    blindSpots: moduleListBlindSpots(settings, ...kinds),
  }),
  ofLive: (live) =>
    joinVerdicts(
      foundInEach(relevantEndpoints(live, 'http', 'ws'), {
        findings: (one) =>
          privilegedOf(live, offeredModules(one), one.endpoint).map((name) => proven(live, one, name)),
        refuted: refutedModules,
        blindSpots: (one) => moduleBlindSpots(live, one),
      }),
      foundInEach(live.grpc, { findings: (port) => served(live, port), blindSpots: grpcBlindSpots }),
    ),
};

/** gRPC has no module list: it serves every Public service (Kaia: node/node.go). */
function served(live: Live, { url, listening, listener, reach }: LiveGrpc): Draft[] {
  if (listening.state !== 'seen') return [];
  const at = { endpoint: url.replace(/^http/, 'grpc') };
  const fix = advise('Start the node without --grpc.');
  return privilegedOf(live, listener?.modules ?? [], { kind: 'grpc' }).map((name) =>
    exposureDraft('grpc', reach, { ...offer(live, 'grpc', name), at, fix }),
  );
}
