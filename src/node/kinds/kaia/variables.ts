/** The variables of a conf, and the launchers that read them. */
import { once } from '../../../util/once.js';
import { oncePerKey } from '../../../util/once-per.js';
import { historyOf } from '../history.js';
import type { Launchers } from '../kind.js';
import { variablesRead } from './launchers.js';
import { launchers, packages } from './names.js';
import { releases } from './releases.js';

/** Names that packaged confs or documents use and no launcher reads, each with a clause about the name that is read. */
// biome-ignore format: a row a line
export const deadVariables: Readonly<Record<string, string | null>> = {
  LOG_MAXBACKUPS: 'the launchers read LOG_MAXBACKUP and turn it into a flag the node does not have, except kbnd (tar)',
  MAIN_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  MAIN_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  MAIN_BRIDGE_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
  SC_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  SC_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  SC_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
  RPC_CONCURRENCY_LIMIT: 'RPC_CONCURRENCYLIMIT is the name that is read',
  KLAY_HOME: null,
};

/** What the scripts read, by the names of variables. */
const reads = historyOf(releases, variablesRead);

/** Every variable that some launcher of some release reads. */
export const knownVariables = once((): ReadonlySet<string> => {
  const names = reads.rows().map(({ name }) => name);
  return new Set(names.sort());
});

/** Whether it is a variable that a launcher reads, or that people write because they expect a launcher to read it. */
export function isKnownVariable(name: string): boolean {
  return knownVariables().has(name) || Object.hasOwn(deadVariables, name);
}

/** From the first to the last release in which some launcher reads the variable; null if none does. */
export const periodOfVariable = reads.period;

/** Who reads which variables at one release. */
export function readersAt(release: string): Pick<Launchers, 'readBy' | 'readersByName'> {
  const rows = once(() => reads.at(release));
  const readBy = oncePerKey((who: string) => {
    const own = rows().filter(({ launcher, from }) => who === launcher || who === `${launcher}/${from}`);
    return [...new Set(own.map(({ name }) => name))].sort();
  });
  const readersOf = oncePerKey((name: string) =>
    launchers.flatMap((launcher) => {
      const some = packages.filter((from) => readBy(`${launcher}/${from}`).includes(name));
      return some.length === packages.length ? [launcher] : some.map((from) => `${launcher} (${from})`);
    }),
  );
  return {
    readBy: (launcher, from) => readBy(from === null ? launcher : `${launcher}/${from}`),
    readersByName: (name) => (isKnownVariable(name) ? readersOf(name) : null),
  };
}
