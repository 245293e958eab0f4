/** Finds the sources of settings that paths lead to. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { tryOr } from '../../util/try-or.js';
import { selectScripted } from '../kinds/find.js';
import type { Kind, KindScripts } from '../kinds/kind.js';
import { Found } from './found.js';
import type { SearchOptions } from './search.js';

/**
 * A file is taken as it is; a folder is searched for files with recognised content; `-` is stdin. Without paths, the
 * confs that packages installed are taken. A missing path is returned too: reading it gives the error.
 * @throws {KaiactlError} when no path was given and there is none (exit 2)
 */
export async function findConfs(
  kinds: readonly Kind[],
  paths: readonly string[],
  cwd: string,
  options: SearchOptions = {},
): Promise<Found> {
  const asked = paths.length === 0 ? installedConfs(kinds) : paths;
  const folders = asked.filter((path) => path !== '-' && isFolder(resolve(cwd, path)));
  if (folders.length === 0) return Object.assign(new Found(), { paths: [...new Set(asked)] });
  const { Search } = await import('./search.js');
  const search = new Search(kinds, cwd, options);
  for (const path of asked) {
    if (folders.includes(path)) await search.root(path);
    else search.paths.push(path);
  }
  return { ...search, paths: [...new Set(search.paths)] };
}

function installedConfs(kinds: readonly KindScripts[]): string[] {
  const paths = selectScripted(kinds).flatMap(({ launchers }) =>
    launchers.installedConfs.filter((path) => existsSync(path)),
  );
  if (paths.length > 0) return paths;
  throw new KaiactlError('no conf was named, and no package installed one', {
    hint: 'Name a file or a folder, or - for stdin.',
  });
}

export function isFolder(path: string): boolean {
  return tryOr(() => statSync(path).isDirectory(), false);
}
