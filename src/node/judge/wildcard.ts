/** What the three wildcard rules share: a list that lets everyone through. */

import { indeterminate } from '../facts/seen.js';
import type { Settings } from '../facts/settings.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { setTo } from './fix.js';
import { blindListeners, listenersOn } from './listeners.js';
import type { Verdict } from './rule.js';
import { nameOf, placeOf } from './setting.js';

interface Question {
  readonly kind: 'http' | 'ws';
  readonly setting: 'origins' | 'vhosts';
  /** True for an entry that lets everyone through. */
  open(entry: string): boolean;
  readonly message: string;
}

/** One finding when the list of the interface holds a wildcard; blind when interface or list is unknown. */
export function wildcard(settings: Settings, ask: Question): Verdict {
  const [listener] = listenersOn(settings, ask.kind);
  const blindSpots = blindListeners(settings, ask.kind);
  if (listener === undefined) return { findings: [], blindSpots, applicable: false };
  const flags = listenerFlags[ask.kind];
  const flag = ask.setting === 'vhosts' && 'vhosts' in flags ? flags.vhosts : flags.origins;
  if (listener[ask.setting] === null) {
    const reason =
      settings.values[flag]?.indeterminate ?? listener.reason ?? 'the list cannot be known offline';
    return { findings: [], blindSpots: [...blindSpots, indeterminate(ask.kind, reason)] };
  }
  const list = listener[ask.setting] ?? [];
  const entry = list.find(ask.open);
  if (entry === undefined) return { findings: [], blindSpots };
  const name = nameOf(settings, flag);
  return {
    findings: [
      {
        subject: name,
        at: placeOf(settings, flag, flags.enable),
        message: `${name} ${listener[ask.setting]?.length === 1 ? 'is' : 'holds'} ${entry}: ${ask.message}.`,
        fix: setTo(settings, flag, list.filter((one) => !ask.open(one)).join(','), {
          say: `Name in ${name} only what is really used.`,
        }),
        evidence: { interface: ask.kind, value: listener[ask.setting] },
      },
    ],
    blindSpots,
  };
}
