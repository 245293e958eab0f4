/**
 * Keeps compiled code for the next start, in the user's cache folder: a start is compiling, most of all. What is read
 * there runs as this user, so nothing is read that others could have written. Node's own cache, from 22 on, looks at
 * neither owner nor mode, and keeps only what was compiled before the first line ran, which is a third of it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

type Env = Readonly<Record<string, string | undefined>>;

/** From now on, for the program's own files. Where it cannot be, nothing is kept and nothing is said. */
export function keepCompiled(env: Env): void {
  // Stacks that name the files of src/ are made of what node reads while it loads by itself.
  const folder = process.sourceMapsEnabled ? null : ownFolder(env);
  if (folder === null) return;
  const ours = dirname(fileURLToPath(import.meta.url));
  const { extensions } = createRequire(import.meta.url);
  const fresh: Fresh[] = [];
  process.once('exit', () => {
    if (fresh.length > 0) tidy(folder);
    for (const { kept, script } of fresh) write(kept, script.createCachedData());
  });
  extensions['.cjs'] = (module, path) => {
    if (dirname(path) !== ours) return extensions['.js']?.(module, path);
    const kept = join(folder, `${basename(path)}.${process.versions.v8}`);
    const script = compiled(path, kept);
    if (script.cachedDataRejected !== false) fresh.push({ kept, script });
    const run = script.runInThisContext() as (...scope: unknown[]) => void;
    run(module.exports, (id: string) => module.require(id), module, path, ours);
  };
}

/** The user's, made where it is missing; null: it is not this user's own, or cannot be made. */
function ownFolder({ HOME = '', XDG_CACHE_HOME }: Env): string | null {
  const folder = join(XDG_CACHE_HOME || join(HOME, '.cache'), 'kaiactl');
  if (!isAbsolute(folder)) return null;
  try {
    // Under sudo it may be the home of somebody else.
    if (!XDG_CACHE_HOME && !isMine(statSync(HOME))) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwnAlone(lstatSync(folder)) ? folder : null;
  } catch {
    return null;
  }
}

/** Nothing was kept of it that fits: what is compiled until the process ends will be. */
interface Fresh {
  readonly kept: string;
  readonly script: Script;
}

/** With what was kept of it. */
function compiled(path: string, kept: string): Script {
  const cachedData = readOurs(kept, statSync(path).mtimeMs);
  const scope = '(exports, require, module, __filename, __dirname)';
  return new Script(`(function ${scope} { ${readFileSync(path, 'utf8')}\n})`, {
    filename: path,
    ...(cachedData === null ? {} : { cachedData }),
  });
}

/** Windows knows no such owner: there it is up to the folder that it is in. */
function isMine({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** No other user owns it or may write to it. */
function isOwnAlone(stats: Stats): boolean {
  return isMine(stats) && (process.getuid === undefined || (stats.mode & 0o022) === 0);
}

/** null: there is none, it is not ours, or the source has changed since. */
function readOurs(path: string, since: number): Buffer | null {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const stats = fstatSync(file);
      return stats.isFile() && isOwnAlone(stats) && stats.mtimeMs > since ? readFileSync(file) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** What other versions left; one that is still in use makes its own anew. Only names that `write` makes. */
const keptName = /\.cjs\.\d[\w.-]*$/;
const oldMs = 30 * 24 * 60 * 60 * 1_000;

function tidy(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path);
      if (keptName.test(name) && stats.isFile() && stats.mtimeMs < Date.now() - oldMs) unlinkSync(path);
    }
  } catch {
    // Another start may have been quicker.
  }
}

/** All of it or nothing. */
function write(path: string, data: Buffer): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, data, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A full disk, or a folder that cannot be written: the next start is as slow as this one.
  }
}
