/** The variables of a conf, and the launchers that read them. */
import { once } from '../../../util/once.js';
import { type Launcher, launchers, type Package, packages } from './names.js';
import { holdsAt, releases } from './releases.js';
import { variableTable } from './variable-table.js';

/** Names that packaged confs or documents use and no launcher reads, each with a clause about the name that is read. */
export const deadVariables: Readonly<Record<string, string | null>> = {
  LOG_MAXBACKUPS:
    'the launchers read LOG_MAXBACKUP and turn it into a flag the node does not have, except kbnd (tar)',
  MAIN_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  MAIN_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  MAIN_BRIDGE_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
  SC_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  SC_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  SC_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
  RPC_CONCURRENCY_LIMIT: 'RPC_CONCURRENCYLIMIT is the name that is read',
  KLAY_HOME: null,
};

const everyVariable: ReadonlySet<string> = new Set(variableTable.flatMap(([, names]) => names));

/** Every variable that some launcher of some release reads. */
export const knownVariables: readonly string[] = [...everyVariable];

/** True for a variable that a launcher reads, or that people write because they expect a launcher to read it. */
export function isKnownVariable(name: string): boolean {
  return everyVariable.has(name) || Object.hasOwn(deadVariables, name);
}

/** From the first to the last release in which some launcher reads the variable; null: none does. */
export function periodOfVariable(name: string) {
  const rows = variableTable.filter(([, names]) => names.includes(name));
  const tests = rows.map(([, , period = {}]) => releases.within(period));
  return releases.span((release) => tests.some((test) => test(release)));
}

/** Who reads which variables at one release. */
export interface Readers {
  /** Every variable that launcher of that package reads, sorted; package null: of any package. */
  readBy(launcher: Launcher, from: Package | null): readonly string[];
  /** The launchers that read it, as `kend`, or `kend (tar)` where the packages differ. null: an unknown name. */
  readersByName(name: string): readonly string[] | null;
}

export function readersAt(release: string): Readers {
  const readers = once(() => {
    const rows = variableTable.filter(([, , period = {}]) => holdsAt(release, period));
    return new Map(rows.flatMap(([who, names]) => names.map((name) => [name, who] as const)));
  });
  const named = once(
    () =>
      new Map(
        [...readers()].map(([name, who]) => [name, who.map((one) => one.replace(/\/(\w+)$/, ' ($1)'))]),
      ),
  );
  const listOf = (launcher: Launcher, from: Package | null) => {
    const any = (from === null ? packages : [from]).map((one) => `${launcher}/${one}`);
    const isReader = (who: string) => who === launcher || any.includes(who);
    return [...readers()].flatMap(([name, who]) => (who.some(isReader) ? [name] : [])).sort();
  };
  const lists = Object.fromEntries(
    launchers.flatMap((launcher) =>
      [...packages, null].map((from) => [`${launcher}/${from}`, once(() => listOf(launcher, from))]),
    ),
  );
  return {
    readBy: (launcher, from) => (lists[`${launcher}/${from}`] as () => readonly string[])(),
    readersByName(name) {
      return isKnownVariable(name) ? (named().get(name) ?? []) : null;
    },
  };
}
