/** The variables of a conf, and the launchers that read them. */

import { type Launcher, launchers, type Package, packages } from './names.js';
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

const readers: ReadonlyMap<string, readonly string[]> = new Map(
  variableTable.flatMap(([who, names]) => names.split(' ').map((name) => [name, who.split(' ')] as const)),
);

/** Every variable some launcher reads. */
export const knownVariables: readonly string[] = [...readers.keys()];

/** True for a variable that a launcher reads, or that people write because they expect a launcher to read it. */
export function isKnownVariable(name: string): boolean {
  return readers.has(name) || Object.hasOwn(deadVariables, name);
}

/** True when that launcher of that package reads the variable. */
export function reads(launcher: Launcher, from: Package, name: string): boolean {
  const who = readers.get(name) ?? [];
  return who.includes(launcher) || who.includes(`${launcher}/${from}`);
}

const lists: ReadonlyMap<string, readonly string[]> = new Map(
  launchers.flatMap((launcher) =>
    [...packages, null].map((from) => [`${launcher}/${from}`, listOf(launcher, from)] as const),
  ),
);

function listOf(launcher: Launcher, from: Package | null): string[] {
  const any = from === null ? packages : [from];
  return knownVariables.filter((name) => any.some((one) => reads(launcher, one, name))).sort();
}

/** Every variable that launcher of that package reads, sorted; package null: of any package. */
export function readBy(launcher: Launcher, from: Package | null): readonly string[] {
  return lists.get(`${launcher}/${from}`) as readonly string[];
}

/** The launchers that read it, as `kend`, or `kend (tar)` where the packages differ. null: an unknown name. */
export function readersByName(name: string): readonly string[] | null {
  if (!isKnownVariable(name)) return null;
  return (readers.get(name) ?? []).map((who) => who.replace(/\/(\w+)$/, ' ($1)'));
}
