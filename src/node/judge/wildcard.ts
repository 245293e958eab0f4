/** What the three wildcard rules share: a list that lets everyone through. */
import type { ConfFacts, Listener } from '../facts/conf.js';
import { indeterminate } from '../facts/seen.js';
import { blindListeners, listenersOn } from './conf.js';
import type { Verdict } from './rule.js';
import { assign, nameOf, placeOf, settingsOf } from './setting.js';

interface Question {
  readonly kind: 'http' | 'ws';
  readonly setting: 'origins' | 'vhosts';
  /** The entry that lets everyone through, if there is one. */
  open(listener: Listener): string | undefined;
  readonly message: string;
  /** The value to write instead. */
  readonly fix: string;
}

/** One finding when the list of the interface holds a wildcard; blind when interface or list is unknown. */
export function wildcard(conf: ConfFacts, ask: Question): Verdict {
  const [listener] = listenersOn(conf, ask.kind);
  const blindSpots = blindListeners(conf, ask.kind);
  if (listener === undefined) return { findings: [], blindSpots, applicable: false };
  const settings = settingsOf[ask.kind];
  const names = ask.setting === 'vhosts' && 'vhosts' in settings ? settings.vhosts : settings.origins;
  if (listener[ask.setting] === null) {
    const reason =
      conf.settings[names[0]]?.indeterminate ?? listener.reason ?? 'the list cannot be known offline';
    return { findings: [], blindSpots: [...blindSpots, indeterminate(ask.kind, reason)] };
  }
  const entry = ask.open(listener);
  if (entry === undefined) return { findings: [], blindSpots };
  const name = nameOf(conf, names[0]);
  return {
    findings: [
      {
        subject: name,
        at: placeOf(conf, names[0], settings.enable[0]),
        message: `${name} ${listener[ask.setting]?.length === 1 ? 'is' : 'holds'} ${entry}: ${ask.message}.`,
        fix: assign(conf, names, ask.fix),
        evidence: { interface: ask.kind, value: listener[ask.setting] },
      },
    ],
    blindSpots,
  };
}
