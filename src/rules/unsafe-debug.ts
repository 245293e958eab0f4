/** debug is offered over http or ws. */
import type { ConfFacts, Surface } from '../model/conf.js';
import { bySeverityAndReach, reachOf } from '../model/reach.js';
import type { Severity } from '../model/severity.js';
import { assign, blindLists, blindSurfaces, forConf, placeOf, settingsOf, surfacesOn } from './conf.js';
import type { Draft, Rule } from './rule.js';

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

export const unsafeDebug: Rule = {
  id: 'unsafe-debug',
  severity: 'critical',
  title: 'An interface offers the debug module.',
  why: `debug_setHead rewinds the chain and nine profiling methods create or truncate any file the node may write (api/debug/api.go), as root under the RPM packages. --rpc.unsafe-debug.disable moves 43 methods to IPC; 16 stay on http and ws, among them unbounded traces and state dumps. rpc_modules shows debug either way.`,
  fix: 'Take debug out of the list; where it must stay, add --rpc.unsafe-debug.disable and let only trusted hosts reach the port.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3,debug"\nDATA_DIR=/var/kend/data\n' },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nDATA_DIR=/var/kend/data\n' },
  },
  check: forConf((conf) => ({
    findings: surfacesOn(conf, 'http', 'ws')
      .filter(({ modules }) => modules?.includes('debug') === true)
      .map((surface) => draft(conf, surface)),
    blindSpots: [...blindSurfaces(conf, 'http', 'ws'), ...blindLists(conf, 'http', 'ws')],
  })),
};

/** What the conf says about the switch; a value from elsewhere proves nothing. */
function switchState(conf: ConfFacts): keyof typeof states {
  const setting = conf.settings[flag];
  if (setting === undefined) return 'off';
  if (setting.opaque !== null || setting.origin.kind === 'yaml') return 'unproven';
  return setting.value === true ? 'on' : 'off';
}

function draft(conf: ConfFacts, surface: Surface): Draft {
  const state = switchState(conf);
  const { severity, says } = states[state];
  const reach = reachOf(surface);
  const settings = settingsOf[surface.kind === 'ws' ? 'ws' : 'http'];
  const kept = (surface.listed ?? []).map(({ name }) => name).filter((name) => name !== 'debug');
  return {
    subject: `${surface.kind} debug`,
    severity: bySeverityAndReach(severity, reach.reach),
    at:
      surface.listed?.find(({ name }) => name === 'debug')?.at ??
      placeOf(conf, settings.api[0], settings.enable[0]),
    message: `${surface.kind}: ${says}; ${reach.because}.`,
    fix: assign(conf, settings.api, kept.join(',')),
    evidence: { interface: surface.kind, switch: state, reach: reach.reach },
  };
}
