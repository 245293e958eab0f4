/** What the three wildcard rules share: a list that lets everyone through. */

import { type AccessList, admits, letsEveryoneIn, originsOf } from '../../facts/access.js';
import { type Assumed, reachOfBind } from '../../facts/reach.js';
import { indeterminate } from '../../facts/seen.js';
import type { Listener, Settings } from '../../facts/settings.js';
import { listenerFlags } from '../../kinds/index.js';
import { declaredSwitch } from '../exposure/unsafe-debug.js';
import { type Fix, setTo } from '../fix/fix.js';
import type { Draft, Verdict } from '../rule/rule.js';
import { blindListeners, listenersOn } from '../settings/listeners.js';
import { nameOf, placeOf } from '../settings/setting.js';
import { accessSeverity, unlocks } from './severity.js';

interface Question {
  readonly kind: 'http' | 'ws';
  readonly setting: 'origins' | 'vhosts';
  /** What a page can then do. */
  readonly message: string;
}

/** One finding when the list of the interface lets everyone in; blind when interface or list is unknown. */
export function wildcard(settings: Settings, ask: Question): Verdict {
  const [listener] = listenersOn(settings, ask.kind);
  const blindSpots = blindListeners(settings, ask.kind);
  if (listener === undefined) return { findings: [], blindSpots, applicable: false };
  const list = listener[ask.setting];
  if (list === null) {
    const reason =
      settings.values[flagOf(settings, ask)]?.indeterminate ??
      listener.reason ??
      'the list cannot be known offline';
    return { findings: [], blindSpots: [...blindSpots, indeterminate(ask.kind, reason)] };
  }
  const entry = list.find((one) => letsEveryoneIn(accessListOf(ask), one));
  return { findings: entry === undefined ? [] : [draft(settings, ask, listener, entry)], blindSpots };
}

function draft(settings: Settings, ask: Question, listener: Listener, entry: string): Draft {
  const list = listener[ask.setting] ?? [];
  const flag = flagOf(settings, ask);
  const name = nameOf(settings, flag);
  const bound = reachOfBind(listener);
  const severity = accessSeverity(bound.reach, {
    modules: listener.modules,
    unsafeDebug: declaredSwitch(settings),
    unlocked: unlocks(settings),
    kind: settings,
  });
  return {
    subject: name,
    severity,
    at: placeOf(settings, flag, listenerFlags(settings)[ask.kind].enable),
    message: `${name} ${list.length === 1 ? 'is' : 'holds'} ${entry}${hidden(ask, entry)}: ${ask.message}${worth(bound)}.`,
    fix: closed(settings, ask, list),
    evidence: { interface: ask.kind, value: list, bound: bound.reach },
  };
}

/** The list without what lets everyone in. */
function closed(settings: Settings, ask: Pick<Question, 'kind' | 'setting'>, list: readonly string[]): Fix {
  const flag = flagOf(settings, ask);
  const kept = list.filter((one) => !letsEveryoneIn(accessListOf(ask), one));
  return setTo(settings, flag, kept.join(','), {
    say: `Name in ${nameOf(settings, flag)} only what is really used.`,
  });
}

/** What takes out every entry of an interface's lists that lets everyone in. */
export function closedToPages(settings: Settings, listener: Listener): Fix[] {
  const kind = listener.kind === 'ws' ? 'ws' : 'http';
  return (['origins', 'vhosts'] as const).flatMap((setting) => {
    const list = listener[setting] ?? [];
    const open = list.some((one) => letsEveryoneIn(accessListOf({ kind, setting }), one));
    return open ? [closed(settings, { kind, setting }, list)] : [];
  });
}

function flagOf(settings: Settings, { kind, setting }: Pick<Question, 'kind' | 'setting'>): string {
  return setting === 'vhosts' ? listenerFlags(settings).http.vhosts : listenerFlags(settings)[kind].origins;
}

function accessListOf({ kind, setting }: Pick<Question, 'kind' | 'setting'>): AccessList {
  return setting === 'vhosts' ? 'vhosts' : originsOf({ kind });
}

/** Why an entry that does not look like it lets everyone in. */
function hidden(ask: Question, entry: string): string {
  return entry === '*' ? '' : ` (${admits(accessListOf(ask), entry).because})`;
}

/** What letting pages in adds to who gets in anyway. */
export function worth({ reach, because }: Assumed): string {
  return reach === 'any' ? `; it adds a relay and no more, since ${because}` : `; without it ${because}`;
}
