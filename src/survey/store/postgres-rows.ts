/** Statements to PostgreSQL, and what its failures are to those who asked. */
import pg from 'pg';
import { Refused } from '../protocol/refused.js';
import type { Row, Rows } from './storage.js';

/** Statements as SQLite has them, too. */
export function rowsOf(client: pg.Pool | pg.ClientBase): Rows {
  const query = async <R extends Row>(sql: string, values: readonly unknown[]) => {
    let count = 0;
    const text = sql.replace(/\?/g, () => `$${++count}`).replace(/ WITHOUT ROWID\b/, '');
    const asked = { text, values: [...values], rowMode: 'array' as const };
    return client.query<R extends unknown[] ? R : never>(asked as never).catch(rethrow);
  };
  return {
    all: async <R extends Row>(sql: string, ...values: readonly unknown[]) =>
      (await query(sql, values)).rows as unknown as R[],
    one: async <R extends Row>(sql: string, ...values: readonly unknown[]) =>
      (await query(sql, values)).rows[0] as unknown as R | undefined,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  };
}

/** Statements that are wrong stay what they are; a database that is away is a refusal that callers read. */
export function rethrow(error: unknown): never {
  throw unavailable(error);
}

/** The refusal for a database that is away; anything else stays as it is. */
export function unavailable(error: unknown): unknown {
  // Only the database's own errors have an SQLSTATE: EPIPE merely looks like one.
  const ours = error instanceof pg.DatabaseError && !/^(08|40|53|57|58)/.test(error.code ?? '');
  return ours || error instanceof Refused
    ? error
    : new Refused('UNAVAILABLE', 'the store could not be reached', 'its database does not answer: try again');
}

/** Whether a transaction whose end got no answer was done, only its rows tell. */
export function unknownEnd(error: unknown): never {
  if (unavailable(error) === error) throw error;
  throw new Refused('TIMEOUT', 'it is not known whether the join was kept', 'look at the members later');
}
