/** The conf's variables: which launchers read them, and which none does. */

import { type Launcher, type Package, packages } from './names.js';
import { variableTable } from './variable-table.js';

/** Names that packaged confs or documents use and no launcher reads, with a clause about what is read instead, if anything is. */
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

let index: ReadonlyMap<string, readonly string[]> | null = null;

function readers(): ReadonlyMap<string, readonly string[]> {
  if (index !== null) return index;
  const map = new Map<string, readonly string[]>();
  for (const [who, names] of variableTable)
    for (const name of names.split(' ')) map.set(name, who.split(' '));
  index = map;
  return map;
}

/** Every variable some launcher reads. */
export function knownVariables(): readonly string[] {
  return [...readers().keys()];
}

/** True when some launcher reads it, or people write it believing so. */
export function isKnownVariable(name: string): boolean {
  return readers().has(name) || Object.hasOwn(deadVariables, name);
}

/** True when that launcher of that package reads the variable. */
export function reads(launcher: Launcher, from: Package, name: string): boolean {
  const who = readers().get(name) ?? [];
  return who.includes(launcher) || who.includes(`${launcher}/${from}`);
}

const lists = new Map<string, readonly string[]>();

/** Every variable that launcher of that package reads, sorted; package null: of any package. */
export function readBy(launcher: Launcher, from: Package | null): readonly string[] {
  const key = `${launcher}/${from}`;
  const any = from === null ? packages : [from];
  const list =
    lists.get(key) ??
    knownVariables()
      .filter((name) => any.some((one) => reads(launcher, one, name)))
      .sort();
  lists.set(key, list);
  return list;
}

/** The launchers that read it, `kend/tar` where only one package does. */
export function readersOf(name: string): readonly string[] {
  return readers().get(name) ?? [];
}

/** The launchers that read it, as `kend`, or `kend (tar)` where the packages differ. null: nobody knows the name. */
export function readersByName(name: string): readonly string[] | null {
  if (!isKnownVariable(name)) return null;
  const known = byName.get(name) ?? readersOf(name).map((who) => who.replace(/\/(\w+)$/, ' ($1)'));
  byName.set(name, known);
  return known;
}

const byName = new Map<string, readonly string[]>();
