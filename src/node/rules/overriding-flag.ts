/** A flag or the environment overrides a setting of the file. */
import { spanOf } from '../facts/settings.js';
import { inOnePlace, quoteSetting } from '../fix/proposal/single-place.js';
import { conf, type Draft, decideVerdict, kaia, launchers, type Rule } from '../judge/rule/rule.js';
import { type Shadowing, type SwitchedOn, shadowing, switchedOn } from '../judge/settings/overrides.js';
import { originName, placeOfFlags } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const overridingFlag: Rule = {
  id: 'overriding-flag',
  severity: 'medium',
  title: 'A flag or the environment overrides another setting.',
  why: `The last occurrence of a flag counts, and flags count before environment variables and files. An operator who reads only the overridden setting expects another node than the one that runs.`,
  fix: 'Keep the setting in one place, where the next reader looks.',
  ignore: 'If the override is intended and the place that sets it is documented.',
  sources: [kaia('cmd/utils/config.go'), ...launchers],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--rpcapi klay,eth,net"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net"', 'ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    decideVerdict([
      ...shadowing(settings).map((one) => hides(settings, one)),
      ...switchedOn(settings).map((one) => switchesOn(settings, one)),
    ]),
};

/** A value of the command line or the environment overrides one of the file. */
function hides(settings: NodeSettings, { flag, setting, at, hidden }: Shadowing): Draft {
  const [first] = hidden;
  const same = hidden.every((one) => one.value === setting.value);
  const what = first.origin.kind === 'flag' ? 'an earlier flag' : originName(settings, first.origin);
  return {
    subject: flag,
    severity: same ? 'low' : 'medium',
    at,
    message: `${originName(settings, setting.origin)} ${same ? 'repeats' : 'overrides'} ${what}: the node gets ${quoteSetting(setting.value)}${same ? ' either way' : `, not ${quoteSetting(first.value)}`}.`,
    fix: inOnePlace(settings, flag, setting),
    related: hidden.flatMap((one) => {
      const place = spanOf(one.origin);
      return place === null ? [] : [{ at: place, note: 'this value is not used' }];
    }),
    evidence: { flag },
  };
}

/** The launcher passes these variables only if their switch is on. */
const unpassed = {
  http: '; the launcher does not pass the other RPC_… variables',
  ws: '; the launcher does not pass the other WS_… variables',
  mainbridge: '; the launcher does not pass the other SC_MAIN_BRIDGE_… variables',
  metrics: '',
} as const;

function switchesOn(settings: NodeSettings, { kind, flag, setting, key }: SwitchedOn): Draft {
  return {
    subject: flag,
    at: placeOfFlags(settings, flag),
    message: `${originName(settings, setting.origin)} switches ${kind} on although ${key.name} is off${unpassed[kind]}.`,
    fix: inOnePlace(settings, flag, setting),
    related: [{ at: key.at, note: 'this value is not used' }],
    evidence: { flag },
  };
}
