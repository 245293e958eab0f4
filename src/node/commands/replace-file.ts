/** Replaces files atomically: readers see the old or the new text of each, and a failure leaves all of them unchanged. */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

export interface Replacement {
  readonly path: string;
  /** The text that was read. A file with another text has changed since, and is not replaced. */
  readonly before: string;
  readonly after: string;
  /** True to keep a copy of the old file beside it. */
  readonly backup: boolean;
}

/** A replacement that is written beside the file and takes its place when it is renamed. */
interface Prepared extends Replacement {
  readonly target: string;
  readonly temporary: string;
  readonly stats: Stats;
}

/**
 * Keeps mode and owner, and follows symbolic links. All new texts are written before the first file is replaced.
 * @throws {KaiactlError} when a file changed since it was read, or cannot be replaced (exit 2); all are unchanged
 */
export function replaceFiles(changes: readonly Replacement[], cwd: string): void {
  const prepared: Prepared[] = [];
  const replaced: Prepared[] = [];
  try {
    for (const change of changes) attempt(change, () => prepared.push(prepare(change, cwd)));
    for (const one of prepared) {
      attempt(one, () => replace(one));
      replaced.push(one);
    }
  } catch (error) {
    // A file that another program has changed since keeps that text.
    for (const one of replaced)
      if (isAsRead(one.target, one.after)) renameSync(written(one, one.before), one.target);
    throw error;
  } finally {
    for (const { temporary } of prepared) rmSync(temporary, { force: true });
  }
}

/** @throws {KaiactlError} that names the file */
function attempt({ path }: Pick<Replacement, 'path'>, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    throw refused(path, visible((error as Error).message, 300), error);
  }
}

function prepare(change: Replacement, cwd: string): Prepared {
  const target = realpathSync(resolve(cwd, change.path));
  const stats = statSync(target);
  if (stats.nlink > 1) throw refused(change.path, 'it has other hard links, which would keep the old text');
  if (!isAsRead(target, change.before)) throw changed(change.path);
  return { ...change, target, stats, temporary: written({ target, stats }, change.after) };
}

function replace({ path, target, temporary, stats, before, backup }: Prepared): void {
  if (!isAsRead(target, before) || statSync(target).ino !== stats.ino) throw changed(path);
  if (backup) keep(target);
  renameSync(temporary, target);
}

function isAsRead(target: string, before: string): boolean {
  return readFileSync(target).equals(Buffer.from(before));
}

/** Writes a text to a new file beside the target, with its mode and owner; returns the path. */
function written(
  { target, stats: { mode, uid, gid } }: Pick<Prepared, 'target' | 'stats'>,
  text: string,
): string {
  const path = join(dirname(target), `.kaiactl-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    const own = fstatSync(file);
    if (own.uid !== uid || own.gid !== gid) fchownSync(file, uid, gid);
    fchmodSync(file, mode & 0o7777);
    fsyncSync(file);
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Copies to the first free name: older backups are kept. */
function keep(target: string): void {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${target}.bak` : `${target}.bak.${number}`;
    try {
      copyFileSync(target, name, constants.COPYFILE_EXCL);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || number >= 1000) throw error;
    }
  }
}

function changed(path: string): KaiactlError {
  return new KaiactlError(`${visible(path)} changed since it was read, so it was not fixed`, {
    hint: 'Try again.',
  });
}

function refused(path: string, why: string, cause?: unknown): KaiactlError {
  return new KaiactlError(`${visible(path)} was not fixed: ${why}`, { cause });
}
