/** Command lines with several possible readings, and the worst of these readings. */
import { groupBy } from '../../../util/group-by.js';
import { joinFirst } from '../../../util/words.js';
import type { Occurrence } from '../../dialect/occurrence.js';
import type { Alternative, Conf } from '../../facts/facts.js';
import { reachOfHost, widest } from '../../facts/reach.js';
import type { Setting, Settings } from '../../facts/settings.js';
import { both, type Condition } from '../../facts/worlds.js';
import type { Flag, Kind, KindModules, KindWords } from '../../kinds/kind.js';

type Values = Readonly<Record<string, Setting>>;

/**
 * Takes the worst value of any reading for each flag by itself: n unknown flags have 2^n readings, and none is worse.
 * `settle` makes settings of uses of flags. `when`: the reason as a clause: "--brand-new takes a value". Null if no reading is worse than the first.
 */
export function worstReading(
  kind: Kind,
  occurrences: readonly Occurrence[],
  first: Values,
  settle: (occurrences: readonly Occurrence[]) => Values,
) {
  const doubtful = inDoubt(occurrences).filter(({ flag }) => exposes(kind, flag));
  if (doubtful.length === 0) return null;
  const values: Record<string, Setting> = {
    ...settle(occurrences.filter(({ doubts }) => doubts.length === 0)),
  };
  for (const [{ name }, uses] of groupBy(doubtful, ({ flag }) => flag))
    values[name] = worstOf(kind, name, [values[name] as Setting, ...uses.map(settingOf)]);
  const changed = doubtful.filter(({ flag }) => values[flag.name]?.value !== first[flag.name]?.value);
  if (changed.length === 0) return null;
  return { values, when: joinFirst([...new Set(changed.flatMap(({ doubts }) => doubts))], 3) };
}

function settingOf({ value, origin, indeterminate }: Occurrence): Setting {
  return { value, origin, indeterminate, shadowed: [] };
}

/** Whether they are switches, or flags of an interface's address, modules and clients. */
function exposes({ flags }: KindWords, { name, type }: Flag): boolean {
  return type === 'bool' || name === flags.unlock || flags.decides(name) !== null;
}

/** Uses that some reading lacks and that no later use overrides in every reading. */
function inDoubt(occurrences: readonly Occurrence[]): Occurrence[] {
  const settled = new Set<string>();
  return occurrences
    .toReversed()
    .filter(({ flag, doubts }) => {
      if (doubts.length === 0) settled.add(flag.name);
      return !settled.has(flag.name);
    })
    .reverse();
}

/** The value that exposes most; lists are joined. `beneath`, the value without these uses, is kept if it is unknown. */
function worstOf(
  { flags, modules }: KindModules & KindWords,
  flag: string,
  [beneath, ...uses]: [Setting, ...Setting[]],
) {
  const known = [beneath, ...uses].filter(({ indeterminate }) => indeterminate === null);
  if (beneath.indeterminate !== null || known.length < 2) return beneath;
  const what = flags.decides(flag);
  if (what === 'addr') return widestOf(known);
  if (what === null && flag !== flags.unlock)
    return known.find(({ value }) => value === flags.opensMore(flag)) ?? beneath;
  const unset = what === 'api' ? modules.builtIn.join(',') : '';
  const items = known.flatMap(({ value }) => String(value ?? unset).split(','));
  const value = [...new Set(items)].filter((item) => item !== '').join(',');
  const origin = known.find(({ origin: { kind } }) => kind !== 'default')?.origin ?? beneath.origin;
  return { ...beneath, origin, value };
}

/** The address with the widest reach. An interface with an empty address does not listen. */
function widestOf(all: readonly Setting[]): Setting {
  const listening = all.filter(({ value }) => value !== '');
  const reached = listening.map((setting) => ({
    ...reachOfHost(String(setting.value ?? 'localhost')),
    setting,
  }));
  return reached.length === 0 ? (all[0] as Setting) : widest(reached).setting;
}

/** The conf, with other readings of its words as alternatives. */
export function withReadings<T extends Conf>(conf: T, others: readonly (Partial<Settings> & Condition)[]): T {
  if (others.length === 0) return conf;
  const alternatives = others.map(({ when, unless, ...started }) => ({
    when,
    ...(unless === undefined ? {} : { unless }),
    conf: { ...conf, settings: { ...conf.settings, ...started } },
  }));
  return { ...conf, alternatives };
}

/** The conf with more alternatives behind its own. */
export function withAlternatives<T extends Conf>(conf: T, more: readonly Alternative[]): T {
  return more.length === 0 ? conf : { ...conf, alternatives: [...(conf.alternatives ?? []), ...more] };
}

/** A conf where a condition holds, and where its own conditions hold too. */
export function alternativesOf(condition: Condition, { alternatives = [], ...conf }: Conf): Alternative[] {
  return [{ ...condition, conf }, ...alternatives.map((one) => ({ ...one, ...both(condition, one) }))];
}
