/** Replaces a file atomically: readers see the old or the new text. */
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
  /** The text that was read. A file with another text has changed since, and is not replaced. */
  readonly before: string;
  readonly after: string;
  /** True to keep a copy of the old file beside it. */
  readonly backup: boolean;
}

/**
 * Keeps mode and owner, and follows a symbolic link.
 * @throws {KaiactlError} when the file changed since it was read, or cannot be replaced (exit 2); it is unchanged
 */
export function replaceFile(path: string, cwd: string, change: Replacement): void {
  try {
    const target = realpathSync(resolve(cwd, path));
    const stats = statSync(target);
    if (stats.nlink > 1) throw refused(path, 'it has other hard links, which would keep the old text');
    if (!isAsRead(target, change)) throw changed(path);
    if (change.backup) keep(target);
    const temporary = join(dirname(target), `.kaiactl-${crypto.randomUUID()}`);
    try {
      write(temporary, change.after, stats);
      if (!isAsRead(target, change) || statSync(target).ino !== stats.ino) throw changed(path);
      renameSync(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    throw refused(path, visible((error as Error).message, 300), error);
  }
}

function isAsRead(target: string, { before }: Replacement): boolean {
  return readFileSync(target).equals(Buffer.from(before));
}

function write(path: string, text: string, { mode, uid, gid }: Stats): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    const own = fstatSync(file);
    if (own.uid !== uid || own.gid !== gid) fchownSync(file, uid, gid);
    fchmodSync(file, mode & 0o7777);
    fsyncSync(file);
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
