/** The SQLite file of a store: opened by one process at a time, rejected if its log is missing. */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Database } from 'libsql';
import { KaiactlError } from '../../errors.js';
import { isDamaged } from './storage.js';

/**
 * Opens or creates the file with an exclusive lock; writes nothing. `wasOpen`: the previous server was killed.
 * @throws {KaiactlError} when it is in use, damaged, or a copy without its log (exit 2)
 */
export function openFile(Database: Libsql, path: string): { database: Database; wasOpen: boolean } {
  const hasLog = path === ':memory:' || existsSync(`${path}-wal`);
  if (path !== ':memory:') makeOwn(path);
  const database = new Database(path, { timeout: 1000 } as never);
  try {
    // The lock outlives the transaction.
    database.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    database.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
    // Reads every page once: its time is bounded by the size of the file.
    const [[found] = []] = database.prepare('PRAGMA quick_check(1)').raw().all() as string[][];
    if (found !== 'ok') throw damagedFile(path);
    const wasOpen = isOpen(database);
    if (hasLog || !wasOpen) return { database, wasOpen };
    throw new KaiactlError(
      `the store ${path} is a copy of a file in use, without the log that goes with it`,
      {
        hint: 'What was written last is missing from it. Take a copy with “kaiactl survey backup”.',
      },
    );
  } catch (error) {
    database.close();
    throw error;
  }
}

/** @throws {KaiactlError} when another process has the file open; its log stays */
export function expectUnused(Database: Libsql, path: string): void {
  const database = new Database(path, { timeout: 100 } as never);
  try {
    database.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    throw cannotOpen(path, error);
  } finally {
    database.close();
    // Closing moves the log into the file; an empty one shows that none is missing.
    if (!existsSync(`${path}-wal`)) closeSync(openSync(`${path}-wal`, 'a', 0o600));
  }
}

function damagedFile(path: string, cause?: unknown): KaiactlError {
  return new KaiactlError(`the store ${path} is damaged`, {
    cause,
    hint: 'Check a backup with “kaiactl survey backup --verify FILE”, and restore it (docs/survey-restore.md).',
  });
}

/** Creates the file if it is missing, with mode 600. */
function makeOwn(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    // A store on a read-only disk can still be read.
    if ((error as NodeJS.ErrnoException).code !== 'EROFS' || !existsSync(path)) throw error;
  }
  for (const one of [path, `${path}-wal`, `${path}-shm`])
    if (existsSync(one) && (statSync(one).mode & 0o777) !== 0o600) chmodSync(one, 0o600);
}

/** Marks the file as open: its newest rows may be in the log only. */
export function markOpen(database: Database): void {
  database.exec("INSERT INTO settings VALUES ('open', '1') ON CONFLICT (name) DO NOTHING");
}

/** Closes the file complete without its log; if the disk rejects writes, the log stays, as after a kill. */
export function closeWhole(database: Database, path: string): void {
  let isWhole = true;
  const tried = (work: () => void) => {
    try {
      work();
    } catch {
      isWhole = false;
    }
  };
  tried(() => void (isOpen(database) && database.exec("DELETE FROM settings WHERE name = 'open'")));
  // Closes the log and the lock, which prepared statements would otherwise keep open.
  tried(() => database.exec('PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL; PRAGMA user_version'));
  database.close();
  // Closing may remove the log; an empty one then shows that no log is missing. On a read-only disk nothing was removed.
  if (!isWhole && path !== ':memory:') tried(() => closeSync(openSync(`${path}-wal`, 'a', 0o600)));
}

function isOpen(database: Database): boolean {
  const sql = "SELECT 1 FROM settings WHERE name = 'open'";
  const isMade = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'settings'").get() !== undefined;
  return isMade && database.prepare(sql).get() !== undefined;
}

/** Opens a file without a lock, and writes nothing: for files that no server uses. */
export function openImmutable(Database: Libsql, path: string): Database {
  return new Database(`${pathToFileURL(path).href}?immutable=1`);
}

export function cannotOpen(path: string, error: unknown): KaiactlError {
  const { code = '' } = error as { code?: string };
  if (isDamaged(error) || code.startsWith('SQLITE_CORRUPT')) return damagedFile(path, error);
  const busy = code === 'SQLITE_BUSY';
  const why = busy ? 'another process is using it' : (error as Error).message;
  return new KaiactlError(`cannot open the store ${path}: ${why}`, {
    cause: error,
    hint: busy ? 'One server per file: stop the other one, or name another file.' : 'Is it a kaiactl store?',
  });
}

export type Libsql = typeof import('libsql');

/** @throws {KaiactlError} when libsql is not installed for this platform (exit 2) */
export async function libsql(): Promise<Libsql> {
  const { default: Libsql } = await import('libsql').catch((cause) => {
    const [reason] = String(cause.message).split('\n');
    throw new KaiactlError(
      'a store in a file needs the package libsql, which is not installed for this platform',
      {
        notes: [`${reason}`],
        hint: 'Install it beside kaiactl: npm install --global libsql@0.5 (without --global where kaiactl is not global).',
        cause,
      },
    );
  });
  return Libsql;
}
