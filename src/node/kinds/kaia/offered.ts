/** The modules that a node has, and those that a list offers. */
import type { Listener, Setting } from '../../facts/settings.js';
import type { Existing, Start } from '../kind.js';
import { listedModules } from '../listening.js';
import {
  builtInModules,
  existsAt,
  isOnGrpc,
  listedModule,
  type ModuleInfo,
  modules,
  type Presence,
} from './modules.js';
import { isBootNode, isConsensusNode, type Launcher, launcherNamed } from './names.js';

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
export function offered(
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

/** All modules of the node, which ipc offers; null: they cannot be known. */
export function everything({ sure, maybe }: Existing): readonly string[] | null {
  return maybe.length > 0 ? null : sure;
}

/** The modules that gRPC offers. */
export function publicOnly(release: string, { sure, maybe }: Existing): readonly string[] | null {
  const isPublic = (name: string) => isOnGrpc(release, name);
  return maybe.some(isPublic) ? null : sure.filter(isPublic);
}

/** The part of a listener that its module list decides. */
export function listOf(
  release: string,
  input: Start,
  flag: string,
  existing: Existing,
): Pick<Listener, 'listed' | 'modules' | 'builtInList'> {
  return listedModules(input, flag, (list) => offeredBy(release, input, list, existing));
}

/** A boot node's built-in list is `net`, a service it does not have. */
function offeredBy(release: string, { launcher }: Start, list: readonly string[] | null, existing: Existing) {
  return offered(release, existing, list === null && isBootNode(launcherNamed(launcher)) ? ['net'] : list);
}
