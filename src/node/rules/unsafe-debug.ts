/** debug is offered over http or ws. */
import type { ConfFacts, Listener } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { EndpointFacts, LiveFacts } from '../facts/live.js';
import { bySeverityAndReach, reachOf } from '../facts/reach.js';
import type { Severity } from '../facts/severity.js';
import { blindListeners, blindLists, forConf } from '../judge/conf.js';
import { likelyListeners } from '../judge/likely.js';
import { asked, blindTo, forEither, nameOfEndpoint, reachOfEndpoint } from '../judge/live.js';
import type { Draft, Rule, Verdict } from '../judge/rule.js';
import { assignList, placeOf, settingsOf } from '../judge/setting.js';
import { type SwitchProof, switchOf } from '../judge/switch.js';

const flag = 'rpc.unsafe-debug.disable';

const states: Readonly<Record<'off' | 'on' | 'unproven', { severity: Severity; says: string }>> = {
  off: {
    severity: 'critical',
    says: 'debug is offered with the unsafe-debug switch off: whoever calls it can rewind the chain and overwrite files as the node’s user',
  },
  on: {
    severity: 'medium',
    says: 'debug is offered; the unsafe-debug switch is on, but tracing and whole-state dumps (traceTransaction, dumpBlock and 14 more) stay reachable and can exhaust the node',
  },
  unproven: {
    severity: 'high',
    says: 'debug is offered and whether the unsafe-debug switch is on cannot be known offline: if it is off, whoever calls it can rewind the chain and overwrite files',
  },
};

const unprovenLive =
  'debug is offered and whether the unsafe-debug switch is on could not be seen: if it is off, whoever calls it can rewind the chain and overwrite files';

export const unsafeDebug: Rule = {
  id: 'unsafe-debug',
  severity: 'critical',
  title: 'An interface offers the debug module.',
  why: `debug_setHead rewinds the chain and nine profiling methods create or truncate any file the node may write (api/debug/api.go), as root under the RPM packages. --rpc.unsafe-debug.disable moves 43 methods to IPC; 16 stay on http and ws, among them unbounded traces and state dumps. rpc_modules shows debug either way.`,
  fix: 'Take debug out of the list; where it must stay, add --rpc.unsafe-debug.disable and let only trusted hosts reach the port.',
  needs: ['conf', 'live'],
  needsAny: true,
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3,debug"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  check: forEither(
    forConf((conf) => ({
      findings: likelyListeners(conf, 'http', 'ws')
        .filter(({ modules }) => modules?.includes('debug') === true)
        .map((listener) => draft(conf, listener)),
      blindSpots: [...blindListeners(conf, 'http', 'ws'), ...blindLists(conf, 'http', 'ws')],
    })),
    provenSwitch,
  ),
};

/** What existence probes show; a switch that cannot be proven is as bad as it may be. */
function provenSwitch(live: LiveFacts, facts: Facts): Verdict {
  const endpoints = asked(live, facts, 'http', 'ws');
  return {
    findings: endpoints.flatMap((endpoint) => {
      const proof = switchOf(endpoint);
      return proof === null ? [] : [proven(facts, endpoint, proof)];
    }),
    blindSpots: endpoints.flatMap((endpoint) =>
      switchOf(endpoint) === null ? blindTo(endpoint, 'modules') : [],
    ),
    applicable: endpoints.length > 0,
  };
}

function proven(facts: Facts, endpoint: EndpointFacts, proof: SwitchProof): Draft {
  const { kind } = endpoint.endpoint;
  const reach = reachOfEndpoint(facts, endpoint);
  const name = nameOfEndpoint(endpoint.endpoint);
  const how =
    proof.state === 'off'
      ? `${proof.present.length} of ${proof.asked} methods behind the switch answer`
      : proof.state === 'on'
        ? `none of ${proof.asked} methods behind the switch answers`
        : `not proven: ${proof.reason}`;
  return {
    subject: `${kind} debug`,
    severity: bySeverityAndReach(states[proof.state].severity, reach.reach),
    at: { endpoint: name },
    message: `${kind}: ${proof.state === 'unproven' ? unprovenLive : states[proof.state].says} (${how}); ${reach.because}.`,
    fix:
      proof.state === 'on'
        ? 'Take debug out of the list, then restart'
        : 'ADDITIONAL="$ADDITIONAL --rpc.unsafe-debug.disable", then restart',
    evidence: { interface: kind, switch: proof.state, present: proof.present, reach: reach.reach },
  };
}

/** What the conf says about the switch; a value from elsewhere proves nothing. */
function switchState(conf: ConfFacts): keyof typeof states {
  const setting = conf.settings[flag];
  if (setting === undefined) return 'off';
  if (setting.indeterminate !== null || setting.origin.kind === 'yaml') return 'unproven';
  return setting.value === true ? 'on' : 'off';
}

function draft(conf: ConfFacts, listener: Listener): Draft {
  const state = switchState(conf);
  const { severity, says } = states[state];
  const reach = reachOf(listener);
  const settings = settingsOf[listener.kind === 'ws' ? 'ws' : 'http'];
  const kept = (listener.listed ?? []).map(({ name }) => name).filter((name) => name !== 'debug');
  return {
    subject: `${listener.kind} debug`,
    severity: bySeverityAndReach(severity, reach.reach),
    at:
      listener.listed?.find(({ name }) => name === 'debug')?.at ??
      placeOf(conf, settings.api[0], settings.enable[0]),
    message: `${listener.kind}: ${says}; ${reach.because}.`,
    fix: assignList(conf, settings.api, kept),
    evidence: { interface: listener.kind, switch: state, reach: reach.reach },
  };
}
