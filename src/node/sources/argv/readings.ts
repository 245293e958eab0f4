/** Command lines that can be read in several ways: the worst of what their readings come to. */
import { listedFirst } from '../../../util/words.js';
import { reachOfHost, widest } from '../../facts/reach.js';
import type { Setting } from '../../facts/settings.js';
import type { Flag } from '../../kinds/kaia/flags.js';
import { decides, worseState } from '../../kinds/kaia/interfaces.js';
import { builtInModules } from '../../kinds/kaia/modules.js';
import type { Occurrence } from './argv.js';

type Values = Readonly<Record<string, Setting>>;

/** What the settings can be at worst, and what makes them so: "--brand-new takes a value". */
export interface WorstReading {
  readonly values: Values;
  readonly when: string;
}

/**
 * Flag by flag the worst value of any reading: of n flags that are not known there are 2^n readings, and none is worse.
 * `settle` makes settings of uses of flags. null: no reading is worse than the first.
 */
export function worstReading(
  occurrences: readonly Occurrence[],
  first: Values,
  settle: (occurrences: readonly Occurrence[]) => Values,
): WorstReading | null {
  const doubtful = inDoubt(occurrences).filter(({ flag }) => exposes(flag));
  if (doubtful.length === 0) return null;
  const values: Record<string, Setting> = {
    ...settle(occurrences.filter(({ doubts }) => doubts.length === 0)),
  };
  for (const { flag, value, indeterminate, origin } of doubtful)
    values[flag.name] = worse(flag.name, values[flag.name], { value, origin, indeterminate, shadowed: [] });
  const changed = doubtful.filter(({ flag }) => values[flag.name]?.value !== first[flag.name]?.value);
  if (changed.length === 0) return null;
  return { values, when: listedFirst([...new Set(changed.flatMap(({ doubts }) => doubts))], 3) };
}

/** True for switches, and for flags that say where an interface listens, what it offers and to whom. */
function exposes({ name, type }: Flag): boolean {
  return type === 'bool' || name === 'unlock' || decides(name) !== null;
}

/** Uses that some reading lacks and that no use behind them overrides in every reading. */
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

/** The value that leaves more open; of lists both. What cannot be known is left as it is. */
function worse(flag: string, a: Setting | undefined, b: Setting): Setting {
  if (a === undefined || b.indeterminate !== null) return a ?? b;
  if (a.indeterminate !== null || a.value === b.value) return a;
  if (typeof b.value === 'boolean') return b.value === worseState({ name: flag }) ? b : a;
  const what = decides(flag);
  if (what === 'addr') return wider(a, b);
  const unset = what === 'api' ? builtInModules.join(',') : '';
  const [before, more] = [a, b].map(({ value }) => String(value ?? unset).split(','));
  const value = [...new Set([...(before ?? []), ...(more ?? [])])].filter((one) => one !== '').join(',');
  return { ...(a.origin.kind === 'default' ? b : a), value };
}

/** An interface without an address does not listen. */
function wider(a: Setting, b: Setting): Setting {
  if (a.value === '' || b.value === '') return a.value === '' ? b : a;
  const all = [a, b].map((setting) => ({ ...reachOfHost(String(setting.value ?? 'localhost')), setting }));
  return widest(all).setting;
}
