/** The files with keys and passwords that the settings name and this machine has. */
import { opendirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { SecretFile, Settings } from '../facts/settings.js';
import type { Kind, Secret } from '../kinds/kind.js';

/** The limit of entries that are read in one folder. */
const most = 200;

/**
 * Finds paths and modes, and never reads the files. Relative paths are skipped: the node's folder is not known. The result
 * for the same paths is reused: a text is tried with many edits, and few of them change a path.
 */
export function secretFiles({
  secrets,
  flags: { dataFolder },
}: Pick<Kind, 'secrets' | 'flags'>): (settings: Settings) => readonly SecretFile[] {
  const known = new Map<string, readonly SecretFile[]>();
  return ({ values }) => {
    const paths = secrets.map((one) => pathOf(one, dataFolder ?? '', values));
    const key = JSON.stringify(paths);
    const files = known.get(key) ?? secrets.flatMap((one, at) => filesAt(one, paths[at] ?? null));
    known.set(key, files);
    return files;
  };
}

function pathOf(
  { flag, inDataFolder }: Secret,
  dataFolder: string,
  values: Settings['values'],
): string | null {
  const own = flag === dataFolder ? null : absolute(values[flag]?.value);
  const data = absolute(values[dataFolder]?.value);
  return own ?? (data === null || inDataFolder === null ? null : join(data, inDataFolder));
}

function absolute(value: unknown): string | null {
  return typeof value === 'string' && isAbsolute(value) ? value : null;
}

function filesAt({ isFolder, flag, holds }: Secret, path: string | null): SecretFile[] {
  return isFolder ? folderAt(path, flag, holds) : fileAt(path, flag, holds);
}

function fileAt(path: string | null, flag: string, holds: string): SecretFile[] {
  const mode = path === null ? null : modeOf(path);
  return path === null || mode === null ? [] : [{ path, mode, flag, holds }];
}

/** The folder and its entries. */
function folderAt(path: string | null, flag: string, holds: string): SecretFile[] {
  const folder = fileAt(path, flag, holds);
  // Most are missing, and stat finds that out ten times as fast as opening them.
  if (path === null || folder.length === 0) return [];
  return [...folder, ...entriesOf(path).flatMap((one) => fileAt(one, flag, holds))];
}

function entriesOf(folder: string): string[] {
  try {
    const open = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = open.readSync(); entry !== null && names.length < most; entry = open.readSync())
        names.push(join(folder, entry.name));
      return names.sort();
    } finally {
      open.closeSync();
    }
  } catch {
    return []; // It is missing or not readable, so other users cannot be assumed to read it.
  }
}

/** null: missing, or not accessible. */
function modeOf(path: string): number | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() || found?.isDirectory() ? found.mode : null;
  } catch {
    return null;
  }
}
