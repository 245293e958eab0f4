/** The flags of erigon and rpcdaemon by release. */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import { type FlagRow, flagRowsIn, flagSet } from '../flags.js';
import type { Flag, FlagSet, Period } from '../kind.js';
import { daemonFlags, erigonFlags } from './flag-table.js';
import { isWithin, releases } from './releases.js';

/** The programs, by which settings are named too. */
export type Program = 'erigon' | 'rpcdaemon';

export function isProgram(name: string): name is Program {
  return name === 'erigon' || name === 'rpcdaemon';
}

const rows: Readonly<Record<Program, () => readonly FlagRow[]>> = {
  erigon: once(() => flagRowsIn(erigonFlags)),
  rpcdaemon: once(() => flagRowsIn(daemonFlags)),
};

/** The flags that one release of a program has. */
export function flagsAt(program: Program, tag: string): FlagSet {
  return flagSet(
    go,
    rows[program]().flatMap(({ since, until, ...flag }) =>
      isWithin(tag, { ...(since && { since }), ...(until && { until }) }) ? [flag] : [],
    ),
  );
}

/** The rows of that name or alias: those of erigon, else those of rpcdaemon. */
function rowsNamed(name: string): readonly FlagRow[] {
  const of = (program: Program) =>
    rows[program]().filter((row) => row.name === name || row.aliases.includes(name));
  const own = of('erigon');
  return own.length > 0 ? own : of('rpcdaemon');
}

/** The flag of that name in the last release that has it; null: none has. */
export function flagOf(name: string): Flag | null {
  return rowsNamed(name).at(-1) ?? null;
}

/** From the first to the last release with a flag of that name, in tags; null: none has. */
export function tagsOf(name: string): Period | null {
  const named = rowsNamed(name);
  if (named.length === 0) return null;
  const has = releases.filter(({ tag }) => named.some((row) => isWithin(tag, row)));
  const [first, last] = [has[0], has.at(-1)];
  return {
    ...(first === undefined || first === releases[0] ? {} : { since: first.tag }),
    ...(last === undefined || last === releases.at(-1) ? {} : { until: last.tag }),
  };
}

/** The first release of each form of a flag, and the first one without it, in tags. */
export function turnsOf(name: string): readonly string[] {
  return rowsNamed(name).flatMap(({ since, until }) => {
    const after = releases.findIndex(({ tag }) => tag === until) + 1;
    return [since ?? [], until === undefined ? [] : (releases[after]?.tag ?? [])].flat();
  });
}
