/** The file of a store: opened for one process, refused when it is not whole. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import type { Database } from 'libsql';
import { KaiactlError } from '../../errors.js';
import type { Libsql } from './libsql.js';

/** Statements that are still prepared keep a connection, and with it the lock, beyond its closing. */
export function release(database: Database): void {
  for (const pragma of ['journal_mode=DELETE', 'locking_mode=NORMAL', 'user_version'])
    database.pragma(pragma);
  database.close();
}

/**
 * Opens (or makes) it for this process alone; `wasOpen`: the server that had it open was killed.
 * @throws {KaiactlError} when it is in use, no database, a copy without its log, or not writable (exit 2)
 */
export function openFile(Database: Libsql, path: string): { database: Database; wasOpen: boolean } {
  try {
    if (path !== ':memory:') {
      closeSync(openSync(path, 'a', 0o600));
      for (const one of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(one)) chmodSync(one, 0o600);
    }
    const hasLog = path === ':memory:' || existsSync(`${path}-wal`);
    const database = new Database(path, { timeout: 1000 } as never);
    for (const pragma of [
      'locking_mode=EXCLUSIVE',
      'journal_mode=WAL',
      'synchronous=FULL',
      'secure_delete=ON',
    ]) {
      database.pragma(pragma);
    }
    const wasOpen = isOpen(database);
    if (!hasLog && wasOpen) {
      release(database);
      throw new KaiactlError(
        `the store ${path} is a copy of a file in use, without the log that goes with it`,
        {
          hint: 'What was written last is missing from it. Take a copy with “kaiactl survey backup”.',
        },
      );
    }
    return { database, wasOpen };
  } catch (error) {
    throw error instanceof KaiactlError ? error : cannotOpen(path, error);
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
