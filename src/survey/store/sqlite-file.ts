/** The file of a store: opened for one process, refused when it is not whole. */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import type { Database } from 'libsql';
import { KaiactlError } from '../../errors.js';
import type { Libsql } from './libsql.js';

/** Statements that are still prepared keep a connection, and with it log and lock, beyond its closing. */
function release(database: Database): void {
  database.exec('PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL; PRAGMA user_version');
  database.close();
}

/**
 * Opens (or makes) it for this process alone, and writes nothing yet; `wasOpen`: the server that had it open was killed.
 * @throws {KaiactlError} when it is in use or a copy without its log (exit 2)
 */
export function openFile(Database: Libsql, path: string): { database: Database; wasOpen: boolean } {
  const hasLog = path === ':memory:' || existsSync(`${path}-wal`);
  if (path !== ':memory:') makeOwn(path);
  const database = new Database(path, { timeout: 1000 } as never);
  try {
    // The lock is kept beyond the transaction.
    database.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    database.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
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

/** Makes the file where there is none, and lets only its owner read it. */
function makeOwn(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    // A read-only disk is read.
    if ((error as NodeJS.ErrnoException).code !== 'EROFS' || !existsSync(path)) throw error;
  }
  for (const one of [path, `${path}-wal`, `${path}-shm`])
    if (existsSync(one) && (statSync(one).mode & 0o777) !== 0o600) chmodSync(one, 0o600);
}

/** Says in the file that its newest rows may be in its log alone. */
export function markOpen(database: Database): void {
  database.exec("INSERT INTO settings VALUES ('open', '1') ON CONFLICT (name) DO NOTHING");
}

/**
 * Closes the file so that it is whole without its log. A disk that takes no writes leaves it as a kill would: the log
 * beside it says that nothing is missing.
 */
export function closeWhole(database: Database, path: string): void {
  try {
    if (isOpen(database)) database.exec("DELETE FROM settings WHERE name = 'open'");
    release(database);
  } catch {
    leave(database, path);
  }
}

/** Closing removes the log where it could move it into the file: then an empty one takes its place. */
function leave(database: Database, path: string): void {
  try {
    release(database);
  } catch {
    database.close();
  }
  if (path === ':memory:') return;
  try {
    closeSync(openSync(`${path}-wal`, 'a', 0o600));
  } catch {
    // On a read-only disk nothing was removed.
  }
}

/** Whether the file says that a server has it open: its newest rows may then be in the log alone. */
function isOpen(database: Database): boolean {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'settings'").get();
  return (
    table !== undefined && database.prepare("SELECT 1 FROM settings WHERE name = 'open'").get() !== undefined
  );
}

/** What to tell who wanted to use it. */
export function cannotOpen(path: string, error: unknown): KaiactlError {
  const busy = (error as { code?: string }).code === 'SQLITE_BUSY';
  const why = busy ? 'another process is using it' : (error as Error).message;
  return new KaiactlError(`cannot open the store ${path}: ${why}`, {
    cause: error,
    hint: busy ? 'One server per file: stop the other one, or name another file.' : 'Is it a kaiactl store?',
  });
}
