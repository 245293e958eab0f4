/** The flags of `node` by release: names, aliases and defaults. No variable of the environment sets one. */
import { once } from '../../../util/once.js';
import { clap } from '../../dialect/clap/index.js';
import { type FlagRow, flagRowsIn, flagSet } from '../flags.js';
import type { Flag, FlagSet, Period } from '../kind.js';
import { compare, isWithin } from '../tags.js';
import { flagTable, opFlagTable } from './flag-table.js';
import type { Flavour } from './flavours.js';

const tables = {
  reth: once(() => flagRowsIn(flagTable)),
  'op-reth': once(() => [...flagRowsIn(flagTable), ...flagRowsIn(opFlagTable)]),
};

const byName = new Map<Flavour, ReadonlyMap<string, readonly FlagRow[]>>();

/** Every row by each of its names, oldest first. */
function rowsNamed(flavour: Flavour, name: string): readonly FlagRow[] {
  let all = byName.get(flavour);
  if (all === undefined) {
    const found = new Map<string, FlagRow[]>();
    for (const row of tables[flavour.id]())
      for (const one of [row.name, ...row.aliases]) found.set(one, [...(found.get(one) ?? []), row]);
    all = found;
    byName.set(flavour, all);
  }
  return all.get(name) ?? [];
}

/** The flags of a release, by its tag. */
export function flagsAt(flavour: Flavour, tag: string): FlagSet {
  const rows = tables[flavour.id]().filter((row) => isWithin(tag, row));
  return flagSet(
    clap,
    [...new Map(rows.map((row) => [row.name, row])).values()].map(({ since: _, until: __, ...flag }) => flag),
  );
}

/** The flag of that name or alias in the last release that has it; null: none has. */
export function flagOf(flavour: Flavour, name: string): Flag | null {
  return rowsNamed(flavour, name).at(-1) ?? null;
}

/** The periods of the forms of a flag, in tags. */
export function periodsOfFlag(flavour: Flavour, name: string): readonly Period[] {
  return rowsNamed(flavour, name);
}

/** From the first to the last release with a flag of that name, in ids; null: none has. */
export function periodOfFlag(flavour: Flavour, name: string): Period | null {
  const rows = rowsNamed(flavour, name).filter(
    ({ since = '' }) => since === '' || flavour.releases.some(({ tag }) => tag === since),
  );
  if (rows.length === 0) return null;
  const starts = rows.map(({ since }) => since);
  const ends = rows.map(({ until }) => until);
  const newest = flavour.releases.at(-1)?.tag ?? '';
  const since = starts.includes(undefined) ? undefined : (starts as string[]).sort(compare)[0];
  const until = ends.includes(undefined) ? undefined : (ends as string[]).sort(compare).at(-1);
  return {
    ...(since === undefined ? {} : { since: `${flavour.id}/${since}` }),
    ...(until === undefined || compare(until, newest) >= 0 ? {} : { until: `${flavour.id}/${until}` }),
  };
}
