/** The modules that a node has, and those that a list offers. */
import type { Setting } from '../../facts/settings.js';
import type { Existing } from '../kind.js';
import {
  builtInModules,
  existsAt,
  listedModule,
  type ModuleInfo,
  modules,
  type Presence,
} from './modules.js';
import { isBootNode, isConsensusNode, type Launcher } from './names.js';

const named = (...where: Presence[]): readonly string[] =>
  Object.keys(modules).filter((name) => where.includes((modules[name] as ModuleInfo).on));
const everyNode = named('every', 'node');
const bootNode = named('every', 'boot');
const byFlag = named('flag');

/** Which modules the binary registers under these settings. */
export function existingModules(
  release: string,
  launcher: Launcher,
  settings: Readonly<Record<string, Setting>>,
): Existing {
  if (isBootNode(launcher)) return { sure: bootNode, maybe: [] };
  const sure = everyNode.filter((name) => existsAt(release, name));
  const maybe: string[] = [];
  const add = (module: string, setting: Setting | undefined, wanted: boolean) => {
    if (setting?.indeterminate != null) maybe.push(module);
    else if ((setting?.value === true) === wanted) sure.push(module);
  };
  for (const flag of byFlag) add(flag, settings[flag], true);
  if (isConsensusNode(launcher) && existsAt(release, 'auction'))
    add('auction', settings['auction.disable'], false);
  return { sure: sure.sort(), maybe: maybe.sort() };
}

/**
 * The modules that a list offers: unknown names are ignored, klay is kaia, rpc is always offered. list null: the built-in
 * list. Returns null where the list names a module that may not exist.
 */
export function offeredModules(
  release: string,
  existing: Existing,
  list: readonly string[] | null,
): readonly string[] | null {
  const wanted = new Set<string>(
    list === null ? builtInModules : list.flatMap((name) => listedModule(release, name) ?? []),
  );
  if (existing.maybe.some((name) => wanted.has(name))) return null;
  return existing.sure.filter((name) => name === 'rpc' || wanted.has(name));
}
