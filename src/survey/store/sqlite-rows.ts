/** Statements and transactions of SQLite, and its failures as callers see them. */
import type { Database, Statement } from 'libsql';
import { oncePerKey } from '../../util/once-per.js';
import { tryOr } from '../../util/try-or.js';
import { damageRefusal, type Rows, readOnly, type Transaction } from './storage.js';

/** Runs statements, each prepared once. @throws {Refused} when the disk fails */
export function rowsOf(database: Database): Rows {
  const statement = oncePerKey((sql: string) => database.prepare(sql) as Statement<unknown[]>);
  const asked = async (sql: string, ask: (prepared: Statement<unknown[]>) => unknown): Promise<never> => {
    try {
      return ask(statement(sql)) as never;
    } catch (error) {
      throw unwritable(error);
    }
  };
  return {
    all: (sql, ...values) => asked(sql, (prepared) => prepared.raw().all(...values)),
    one: (sql, ...values) => asked(sql, (prepared) => prepared.raw().get(...values)),
    run: (sql, ...values) => asked(sql, (prepared) => prepared.run(...values).changes),
  };
}

/** Runs a transaction. @throws {Refused} when the disk fails */
export async function transaction<T>(
  database: Database,
  rows: Transaction,
  body: (rows: Transaction) => Promise<T>,
): Promise<T> {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = await body(rows);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite itself ends the transaction when the disk is full; ROLLBACK may also fail: nothing was committed.
    tryOr(() => void (database.inTransaction && database.exec('ROLLBACK')), undefined);
    throw unwritable(error);
  }
}

/** Error codes of a full, read-only or failing disk. */
const diskFaults = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EDQUOT|EROFS|EIO)/;

/** Error codes of a damaged file, and of one that is not SQLite's. */
const damages = /^SQLITE_(CORRUPT|NOTADB)/;

/** Maps a failing disk and a damaged file to refusals; other errors stay unchanged. */
export function unwritable(error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (damages.test(code)) return damageRefusal('its file cannot be read');
  if (!diskFaults.test(code)) return error;
  return readOnly('the store cannot be written');
}
