/** The project of a file that was named by itself: the files around it that may be read with it. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Ignores } from '../../util/ignored.js';
import { nameFrom } from '../../util/name-from.js';
import { tryOr } from '../../util/try-or.js';
import { checkoutOf } from '../sources/checkout.js';
import { textAt } from '../sources/file.js';
import { familyOf } from './ledger/family.js';

/** Entries of a folder, and bytes of a file, that are searched for the name of a file below. */
const [maxEntries, maxBytes] = [1_000, 1 << 18];

/** Folders whose files belong to what lies beside the folder. */
const partsOf =
  /^(.*?)(?:^|\/)(?:templates|charts|roles|tasks|playbooks|group_vars|host_vars|inventor(?:y|ies)|overlays|base|[\w@.-]+\.(?:service|socket|container)\.d)(?:\/|$)/;

interface Project {
  readonly folder: string;
  /** Outside of a checkout, folders below it that are no parts of a project by their names. */
  readonly isOutside: Ignores;
}

/** Returns null if nothing else lies in its folder, or too much. */
export function projectOf(path: string, cwd: string): Project | null {
  const file = resolve(cwd, path);
  const root = checkoutOf(dirname(file));
  const own = partsOf.exec(
    relative(root ?? dirname(dirname(file)), dirname(file))
      .split(sep)
      .join('/'),
  )?.[1];
  const start = own === undefined ? dirname(file) : resolve(root ?? dirname(dirname(file)), own);
  const folder = root === null ? start : highestNaming(file, start, root);
  const { length: entries } = namesIn(folder);
  if (entries < 2 || entries > maxEntries) return null;
  return {
    folder: dirname(path).startsWith(sep) ? folder : join(dirname(path), relative(dirname(file), folder)),
    isOutside: (one, isFolder) =>
      root === null && isFolder && !file.startsWith(`${one}${sep}`) && !partsOf.test(relative(folder, one)),
  };
}

/** The highest folder of the checkout with a file that names this one, or the folder of its project. */
function highestNaming(file: string, start: string, root: string): string {
  let found = start;
  for (let folder = start; folder !== root && folder !== dirname(folder); ) {
    folder = dirname(folder);
    const [own, project] = [file, start].map((one) => nameFrom(folder, one));
    const names = (text: string) => text.includes(own ?? '') || text.includes(`./${project}`);
    if (namesIn(folder).some((name) => names(readSettings(join(folder, name))))) found = folder;
  }
  return found;
}

/** Empty for a file that is no text of settings, or cannot be read. */
function readSettings(path: string): string {
  return familyOf(basename(path)) === 'settings' ? textAt(path, 'utf8', maxBytes) : '';
}

/** Empty for a folder that cannot be read. */
export function namesIn(folder: string): string[] {
  return tryOr(() => readdirSync(folder), []);
}
