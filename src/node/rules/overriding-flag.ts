/** A flag or the environment overrides what a conf variable says. */

import type { ListenerKind, Setting, Settings } from '../facts/settings.js';
import { inOnePlace, shown } from '../judge/one-place.js';
import type { Draft, Rule } from '../judge/rule.js';
import { dashed, originPlace, placeOf, whence } from '../judge/setting.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
export const overridingFlag: Rule = {
  id: 'overriding-flag',
  severity: 'medium',
  title: 'A flag overrides what a variable says.',
  why: `ADDITIONAL stands after every RPC and WS flag on the command line, and the last occurrence of a flag wins; KLAYTN_… and KAIA_… variables in the environment set what no flag sets. Who reads only RPC_ENABLE or RPC_API sees a node that does not exist.`,
  fix: 'Say it in one place: in the variable, where the next reader looks.',
  examples: {
    bad: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nADDITIONAL="--rpcapi klay,eth,net"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
    good: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net"\nADDITIONAL="--txpool.nolocals"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
  },
  on: 'settings',
  check: (settings) => ({
    findings: [
      ...shadowing(settings).flatMap(([flag, setting]) => hides(settings, flag, setting)),
      ...(['http', 'ws', 'mainbridge', 'metrics'] as const).flatMap((kind) => switchesOn(settings, kind)),
    ],
    blindSpots: [],
  }),
};

/** The few settings that stand in front of another value. */
function shadowing(settings: Settings): [string, Setting][] {
  return Object.entries(settings.values).filter(([, { shadowed }]) => shadowed.length > 0);
}

/** A value from ADDITIONAL or the environment in front of one from the file. */
function hides(settings: Settings, flag: string, setting: Setting): Draft[] {
  const { origin, value } = setting;
  const at = originPlace(origin);
  if (setting.indeterminate !== null) return []; // what may override is opaque-value’s
  if ((origin.kind !== 'flag' && origin.kind !== 'environment') || at === null) return [];
  const hidden = setting.shadowed.filter(({ origin: { kind } }) => kind === 'assignment' || kind === 'flag');
  const [first] = hidden;
  if (first === undefined || refused(settings, flag)) return [];
  const same = hidden.every((one) => one.value === value);
  return [
    {
      subject: flag,
      severity: same ? 'low' : 'medium',
      at,
      message: `${whence(origin)} ${same ? 'repeats' : 'overrides'} ${first.origin.kind === 'flag' ? 'an earlier one' : whence(first.origin)}: the node gets ${shown(value)}${same ? ' either way' : `, not ${shown(first.value)}`}.`,
      fix: inOnePlace(settings, flag, setting),
      related: hidden.flatMap((one) => {
        const place = originPlace(one.origin);
        return place === null ? [] : [{ at: place, note: 'this value is not used' }];
      }),
      evidence: { flag },
    },
  ];
}

/** Two names of one flag: conflicting-flags says it, and the node takes neither. */
function refused(settings: Settings, flag: string): boolean {
  return settings.problems.some(
    ({ kind, flags }) => kind === 'conflicting-flags' && flags.some((one) => dashed(one) === `--${flag}`),
  );
}

/** The launcher passes these only with the switch. */
const unpassed = {
  http: '; the other RPC_… variables are not passed',
  ws: '; the other WS_… variables are not passed',
  mainbridge: '; the other SC_MAIN_BRIDGE_… variables are not passed',
  metrics: '',
} as const;

/** The variable says 0, and something else switches the interface on all the same. */
function switchesOn(settings: Settings, kind: Exclude<ListenerKind, 'ipc' | 'grpc' | 'pprof'>): Draft[] {
  const flag = listenerFlags[kind].enable;
  const setting = settings.values[flag];
  const key = settings.keys[flag];
  if (setting?.value !== true || key === undefined || key.value !== false || key.at === null) return [];
  if (setting.origin.kind !== 'flag' && setting.origin.kind !== 'environment') return [];
  return [
    {
      subject: flag,
      at: placeOf(settings, flag),
      message: `${whence(setting.origin)} switches ${kind} on although ${key.name} is off${unpassed[kind]}.`,
      fix: inOnePlace(settings, flag, setting),
      related: [{ at: key.at, note: 'this value is not used' }],
      evidence: { flag },
    },
  ];
}
