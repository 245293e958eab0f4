/** debug is offered over http or ws. */
import { isLocal, type LocalKind } from '../facts/settings.js';
import { advise, withAlternatives } from '../fix/proposal/fix.js';
import { liveExposureDraft, moduleExposureDraft } from '../judge/exposure/exposure.js';
import {
  behindSwitch,
  debugMessage,
  declaredSwitch,
  shownBy,
  switchAdvice,
  switchOf,
} from '../judge/exposure/unsafe-debug.js';
import { factBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import { refutedModules } from '../judge/live/module-differences.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { conf, type Draft, foundInEach, kaia, type Rule } from '../judge/rule/rule.js';
import { callableOn, type ListenerOf, moduleListBlindSpots } from '../judge/settings/listeners.js';
import { sureModules } from '../judge/settings/module-lists.js';
import { switchSeverity } from '../kinds/impact.js';
import { type NodeSettings, unsafeDebugOf } from '../kinds/node.js';

export const unsafeDebug: Rule = {
  id: 'unsafe-debug',
  needs: ({ probes }) => probes.unsafeDebug !== null,
  perModule: true,
  severity: 'critical',
  title: 'An interface offers the debug module.',
  why: `debug_setHead rewinds the chain, and nine profiling methods create or truncate any file that the node may write (api/debug/api.go), as root under the RPM packages. --rpc.unsafe-debug.disable moves 43 methods to IPC; 16 stay on http and ws, including unbounded traces and state dumps. rpc_modules lists debug in both cases.`,
  fix: 'Remove debug from the list. Where it is needed, add --rpc.unsafe-debug.disable and let only trusted hosts reach the port.',
  ignore:
    'If a firewall or a proxy limits the callers to those who trace, and the unsafe-debug switch is on.',
  sources: [kaia('api/debug/api.go'), kaia('node/cn/backend.go')],
  names: ['--rpc.unsafe-debug.disable'],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3,debug"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'exposure',
  ofSettings: (settings) => ({
    findings: callableOn(settings, 'http', 'ws')
      .filter((listener) => sureModules(settings, listener).includes('debug'))
      .map((listener) => declared(settings, listener)),
    blindSpots: moduleListBlindSpots(settings, 'http', 'ws'),
  }),
  ofLive: (live) =>
    foundInEach(relevantEndpoints(live, 'http', 'ws'), {
      findings: proven,
      refuted: refutedModules,
      blindSpots: (one) => (switchOf(one) === null ? factBlindSpots(one, 'modules') : []),
    }),
};

function declared(settings: NodeSettings, listener: ListenerOf<'http' | 'ws' | LocalKind>): Draft {
  const keepsIpc = isLocal(listener.kind) && unsafeDebugOf(settings)?.keepsIpc === true;
  const state = keepsIpc ? 'off' : declaredSwitch(settings);
  const draft = moduleExposureDraft(settings, listener, {
    about: 'debug',
    severity: switchSeverity[state],
    message: `${listener.kind}: ${debugMessage(settings, state, 'cannot be known offline')}`,
    evidence: { switch: state },
  });
  const kept = state === 'off' && !isLocal(listener.kind) ? behindSwitch(settings) : null;
  return kept === null ? draft : { ...draft, fix: withAlternatives(draft.fix, kept) };
}

/** The result of the existence probes; a switch that is not proven counts as off. */
function proven(endpoint: LiveEndpoint): Draft[] {
  const proof = switchOf(endpoint);
  if (proof === null) return [];
  const { state, present } = proof;
  const advice = state === 'on' ? null : switchAdvice(endpoint);
  return [
    liveExposureDraft(endpoint, {
      about: 'debug',
      severity: switchSeverity[state],
      message: `${endpoint.endpoint.kind}: ${debugMessage(endpoint, state, 'is not known')} (${shownBy(proof)})`,
      fix: advise(
        `Remove debug from the list${advice === null ? '' : `, or ${advice},`} and restart the node.`,
      ),
      evidence: { switch: state, present },
    }),
  ];
}
