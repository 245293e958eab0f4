/** The files with keys and passwords that the settings name and this machine has. */
import { opendirSync, type Stats, statSync } from 'node:fs';
import { platform } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { tryOr } from '../../util/try-or.js';
import type { Conf } from '../facts/facts.js';
import type { SecretFile, Settings } from '../facts/settings.js';
import { changeSettings } from '../facts/worlds.js';
import type { Kind, Secret } from '../kinds/kind.js';
import { isInCheckout, trackedAs } from './checkout.js';
import { modeOn, textAt } from './file.js';

/** The limit of entries that are read in one folder. */
const most = 200;
/** The size of a secret of the engine API, with blanks around it. */
const maxSecret = 256;

/** Resolves a path of the node on this machine; null if it is not found. */
export type Locate = (path: string) => string | null;

/** Resolves absolute paths only: the node's folder is not known. */
const onMachine: Locate = (path) => (isAbsolute(path) ? path : null);

/**
 * Adds paths and modes to settings of this kind. Only files that may hold a public secret are read. The result for the same
 * paths is reused: a text is tried with many edits, and few of them change a path.
 */
export function secretFiles(kind: Kind, cwd: string, locate = onMachine): (conf: Conf) => Conf {
  const known = new Map<string, readonly SecretFile[]>();
  const filesOf = ({ values }: Settings) => {
    const paths = kind.secrets.map((one) => pathOf(one, kind.flags.dataFolder ?? '', values, locate));
    const key = JSON.stringify(paths);
    const files = known.get(key) ?? kind.secrets.flatMap((one, at) => filesAt(one, paths[at] ?? null, cwd));
    known.set(key, files);
    return files;
  };
  return (conf) => changeSettings(conf, (settings) => ({ ...settings, secretFiles: filesOf(settings) }));
}

/** Adds secrets to the ones that the settings name. */
export function withMore(conf: Conf, secrets: readonly SecretFile[], cwd: string): Conf {
  if (secrets.length === 0) return conf;
  return changeSettings(conf, ({ secretFiles: own = [], ...settings }) => {
    const known = new Set(own.map(({ path }) => resolve(cwd, path)));
    const more = secrets.filter(({ path }) => !known.has(resolve(cwd, path)));
    return { ...settings, secretFiles: [...own, ...more] };
  });
}

function pathOf(
  { flag, inDataFolder }: Secret,
  dataFolder: string,
  values: Settings['values'],
  locate: Locate,
): string | null {
  const named = (name: string) => {
    const value = values[name]?.value;
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const own = flag === dataFolder ? null : named(flag);
  const data = named(dataFolder);
  const path = own ?? (data === null || inDataFolder === null ? null : join(data, inDataFolder));
  return path === null ? null : locate(path);
}

function filesAt(secret: Secret, path: string | null, cwd: string): SecretFile[] {
  const found = fileAt(secret, path, cwd);
  // Most files are missing: stat detects that ten times as fast as open.
  if (path === null || !secret.isFolder || found.length === 0) return found;
  const entries = entriesOf(resolve(cwd, path)).flatMap((name) => fileAt(secret, join(path, name), cwd));
  // Until a node fills a folder of a checkout, the umask of the clone decides its mode, even if Git ignores it.
  const isKept = entries.every((one) => one.isTracked === true) && isInCheckout(resolve(cwd, path));
  return [...found.filter(({ isTracked }) => isTracked !== true && !isKept), ...entries];
}

function fileAt(
  { flag, holds, isFolder, opens, isPublic }: Secret,
  path: string | null,
  cwd: string,
): SecretFile[] {
  const at = path === null ? null : resolve(cwd, path);
  const stats = at === null ? null : statsOf(at);
  if (path === null || at === null || stats === null || (stats.isDirectory() ? !isFolder : stats.size === 0))
    return [];
  // A password of blanks is none.
  if (!stats.isDirectory() && stats.size < 9 && textAt(at, 'latin1').trim() === '') return [];
  const holdsPublic = isPublic !== undefined && stats.size <= maxSecret && isPublic(textAt(at, 'latin1'));
  return [
    {
      path,
      mode: modeOn(platform(), stats.mode),
      flag,
      holds,
      ...(opens === undefined ? {} : { opens }),
      ...(stats.size > 0 ? trackedAs(at) : {}),
      ...(holdsPublic ? { isPublic: true } : {}),
    },
  ];
}

export function entriesOf(folder: string): string[] {
  try {
    const open = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = open.readSync(); entry !== null && names.length < most; entry = open.readSync())
        if (!/^\.git|^README/.test(entry.name)) names.push(entry.name);
      return names.sort();
    } finally {
      open.closeSync();
    }
  } catch {
    return []; // It is missing or not readable, so other users cannot be assumed to read it.
  }
}

/** Returns null if the file is missing or not accessible. */
export function statsOf(path: string): Stats | null {
  const found = tryOr(() => statSync(path), null);
  return found?.isFile() || found?.isDirectory() ? found : null;
}
