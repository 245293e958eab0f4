/** debug is offered over http or ws. */
import type { Settings } from '../facts/settings.js';
import { moduleExposed, seenExposed } from '../judge/exposure/exposure.js';
import {
  debugBehind,
  declaredSwitch,
  shownBy,
  switchOf,
  switchSeverity,
} from '../judge/exposure/unsafe-debug.js';
import { addFlag, advise, either, type Fix } from '../judge/fix/fix.js';
import { blindTo } from '../judge/live/blind-spots.js';
import { asked, type LiveEndpoint } from '../judge/live/live.js';
import { refutedModules } from '../judge/live/module-differences.js';
import { conf, type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';
import { blindOffers, type RpcListener } from '../judge/settings/listeners.js';
import { likelyListeners } from '../judge/settings/presumed-listeners.js';
import { switchFlag } from '../kinds/kaia/probes.js';

export const unsafeDebug: Rule = {
  id: 'unsafe-debug',
  kinds: ['kaia'],
  perModule: true,
  severity: 'critical',
  title: 'An interface offers the debug module.',
  why: `debug_setHead rewinds the chain and nine profiling methods create or truncate any file the node may write (api/debug/api.go), as root under the RPM packages. --rpc.unsafe-debug.disable moves 43 methods to IPC; 16 stay on http and ws, among them unbounded traces and state dumps. rpc_modules shows debug either way.`,
  fix: 'Take debug out of the list; where it must stay, add --rpc.unsafe-debug.disable and let only trusted hosts reach the port.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3,debug"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: likelyListeners(settings, 'http', 'ws')
      .filter(({ modules }) => modules?.includes('debug') === true)
      .map((listener) => declared(settings, listener)),
    blindSpots: blindOffers(settings, 'http', 'ws'),
  }),
  ofLive: (live) =>
    foundInEach(asked(live, 'http', 'ws'), {
      findings: proven,
      refuted: refutedModules,
      blindSpots: (one) => (switchOf(one) === null ? blindTo(one, 'modules') : []),
    }),
};

function declared(settings: Settings, listener: RpcListener): Draft {
  const state = declaredSwitch(settings);
  const draft = moduleExposed(settings, listener, {
    about: 'debug',
    severity: switchSeverity[state],
    message: `${listener.kind}: ${debugBehind(state, 'cannot be known offline')}`,
    evidence: { switch: state },
  });
  return state === 'off' ? { ...draft, fix: orBehindSwitch(settings, draft.fix) } : draft;
}

/** Without debug; or, on a node that traces, with what is left of it behind the switch. */
function orBehindSwitch(settings: Settings, without: Fix): Fix {
  const say = `Keep debug for tracing and add --${switchFlag}: 43 of its methods move to IPC, 16 stay.`;
  return either(without, addFlag(settings, switchFlag, say));
}

/** What existence probes show; a switch that cannot be proven is as bad as it may be. */
function proven(endpoint: LiveEndpoint): Draft[] {
  const proof = switchOf(endpoint);
  if (proof === null) return [];
  const { state, present } = proof;
  const add = state === 'on' ? '' : `, or add --${switchFlag},`;
  return [
    seenExposed(endpoint, {
      about: 'debug',
      severity: switchSeverity[state],
      message: `${endpoint.endpoint.kind}: ${debugBehind(state, 'could not be seen')} (${shownBy(proof)})`,
      fix: advise(`Take debug out of the list${add} and restart the node.`),
      evidence: { switch: state, present },
    }),
  ];
}
