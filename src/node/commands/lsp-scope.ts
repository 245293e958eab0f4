/** What is linted for an open file: a folder as a whole, as long as it is small. */
import { type Dirent, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';

/** Entries of a folder that is linted while someone types. */
const maxEntries = 500;

export interface Scope {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder: `.`, or the only file. */
  readonly path: string;
}

/**
 * The largest folder with at most `limit` entries that holds the file: the folder that the editor has open, else one below
 * it. Without one, or for a file that was never saved, the file alone.
 */
export async function scopeOf(file: string, opened: readonly string[], limit = maxEntries): Promise<Scope> {
  const [top = dirname(file)] = opened
    .filter((folder) => file.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    .sort((a, b) => b.length - a.length);
  const steps = relative(top, dirname(file)).split(sep);
  const folders = ['.', ...steps.map((_, at) => steps.slice(0, at + 1).join(sep))];
  for (const below of existsSync(file) ? new Set(folders.map((one) => resolve(top, one))) : [])
    if (await isSmall(below, limit)) return { folder: below, path: '.' };
  return { folder: dirname(file), path: basename(file) };
}

async function isSmall(root: string, limit: number): Promise<boolean> {
  const folders = [root];
  let left = limit;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0) return false;
    const inside = entries.filter((one) => one.isDirectory() && !['node_modules', '.git'].includes(one.name));
    folders.push(...inside.map(({ name }) => resolve(folder, name)));
  }
  return true;
}
