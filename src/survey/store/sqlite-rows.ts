/** Statements to SQLite. */
import type { Database, Statement } from 'libsql';
import { Refused } from '../protocol/refused.js';
import type { Row, Rows } from './storage.js';

/** Each statement is prepared once. A database that cannot be written is a refusal. */
export function rowsOf(database: Database): Rows {
  const prepared = new Map<string, Statement<unknown[]>>();
  const statement = (sql: string): Statement<unknown[]> => {
    const known = prepared.get(sql) ?? (database.prepare(sql) as Statement<unknown[]>);
    prepared.set(sql, known);
    return known;
  };
  const asked = async <T>(ask: () => T): Promise<T> => {
    try {
      return ask();
    } catch (error) {
      throw unwritable(error);
    }
  };
  return {
    all: <R extends Row>(sql: string, ...values: readonly unknown[]) =>
      asked(
        () =>
          statement(sql)
            .raw()
            .all(...values) as unknown as R[],
      ),
    one: <R extends Row>(sql: string, ...values: readonly unknown[]) =>
      asked(
        () =>
          statement(sql)
            .raw()
            .get(...values) as R | undefined,
      ),
    run: (sql, ...values) => asked(() => statement(sql).run(...values).changes),
  };
}

/** A full disk is an outage that callers read; a statement that is wrong stays what it is. */
export function unwritable(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (!/^SQLITE_(FULL|IOERR)/.test(code ?? '')) return error;
  return new Refused(
    'UNAVAILABLE',
    'the store cannot be written',
    'its disk is full, or fails: tell the operator',
  );
}
