/** A flag or the environment overrides what a conf variable says. */

import type { Settings } from '../facts/settings.js';
import { inOnePlace, shown } from '../judge/fix/single-place.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { type Shadowing, type SwitchedOn, shadowing, switchedOn } from '../judge/settings/overrides.js';
import { originPlace, placeOf, whence } from '../judge/settings/setting.js';

export const overridingFlag: Rule = {
  id: 'overriding-flag',
  severity: 'medium',
  title: 'A flag overrides what a variable says.',
  why: `ADDITIONAL stands after every RPC and WS flag on the command line, and the last occurrence of a flag wins; KLAYTN_… and KAIA_… variables in the environment set what no flag sets. Who reads only RPC_ENABLE or RPC_API sees a node that does not exist.`,
  fix: 'Say it in one place: in the variable, where the next reader looks.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--rpcapi klay,eth,net"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net"', 'ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    found([
      ...shadowing(settings).map((one) => hides(settings, one)),
      ...switchedOn(settings).map((one) => switchesOn(settings, one)),
    ]),
};

/** A value from ADDITIONAL or the environment in front of one from the file. */
function hides(settings: Settings, { flag, setting, at, hidden }: Shadowing): Draft {
  const [first] = hidden;
  const same = hidden.every((one) => one.value === setting.value);
  const what = first.origin.kind === 'flag' ? 'an earlier one' : whence(settings, first.origin);
  return {
    subject: flag,
    severity: same ? 'low' : 'medium',
    at,
    message: `${whence(settings, setting.origin)} ${same ? 'repeats' : 'overrides'} ${what}: the node gets ${shown(setting.value)}${same ? ' either way' : `, not ${shown(first.value)}`}.`,
    fix: inOnePlace(settings, flag, setting),
    related: hidden.flatMap((one) => {
      const place = originPlace(one.origin);
      return place === null ? [] : [{ at: place, note: 'this value is not used' }];
    }),
    evidence: { flag },
  };
}

/** The launcher passes these only with the switch. */
const unpassed = {
  http: '; the other RPC_… variables are not passed',
  ws: '; the other WS_… variables are not passed',
  mainbridge: '; the other SC_MAIN_BRIDGE_… variables are not passed',
  metrics: '',
} as const;

function switchesOn(settings: Settings, { kind, flag, setting, key }: SwitchedOn): Draft {
  return {
    subject: flag,
    at: placeOf(settings, flag),
    message: `${whence(settings, setting.origin)} switches ${kind} on although ${key.name} is off${unpassed[kind]}.`,
    fix: inOnePlace(settings, flag, setting),
    related: [{ at: key.at, note: 'this value is not used' }],
    evidence: { flag },
  };
}
