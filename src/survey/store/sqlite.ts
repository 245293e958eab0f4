/** The file of an embedded survey server: groups, members, who has joined, payments. Every write is on disk when it returns. */
import Libsql from 'libsql';
import { KaiactlError } from '../../errors.js';

const schema = `
CREATE TABLE IF NOT EXISTS surveys (group_id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, frontier TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS members (
  group_id INTEGER NOT NULL, position INTEGER NOT NULL, commitment TEXT NOT NULL,
  PRIMARY KEY (group_id, position), UNIQUE (group_id, commitment)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS participants (survey TEXT NOT NULL, person TEXT NOT NULL, commitment TEXT, since INTEGER NOT NULL,
  PRIMARY KEY (survey, person)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chain_groups (chain_group TEXT PRIMARY KEY, block INTEGER NOT NULL, hash TEXT NOT NULL,
  leaves TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT NOT NULL, verified INTEGER NOT NULL, updated INTEGER NOT NULL);
`;

/** The file's version of the tables above; a file of a later version is refused. */
const version = 1;

export interface Sqlite {
  /** All rows, as arrays of columns. */
  all<R extends readonly unknown[]>(sql: string, ...values: unknown[]): R[];
  /** The first row, or undefined. */
  one<R extends readonly unknown[]>(sql: string, ...values: unknown[]): R | undefined;
  /** How many rows changed. */
  run(sql: string, ...values: unknown[]): number;
  /** All or nothing; a throwing body leaves no trace. */
  atomically<T>(body: () => T): T;
  close(): void;
}

/**
 * Opens (or makes) the file, for this process alone.
 * @throws {KaiactlError} when it is in use, no database of ours, or not writable (exit 2)
 */
export function openSqlite(path: string): Sqlite {
  try {
    const database = new Libsql(path, { timeout: 1000 } as never);
    database.pragma('locking_mode=EXCLUSIVE');
    database.pragma('journal_mode=WAL');
    database.pragma('synchronous=FULL');
    const found = database.prepare('PRAGMA user_version').raw().get() as [number];
    if (found[0] > version) throw new Error(`it was written by a later version (${found[0]})`);
    database.exec(schema);
    database.exec(`PRAGMA user_version = ${version}`);
    return wrap(database);
  } catch (error) {
    const busy = (error as { code?: string }).code === 'SQLITE_BUSY';
    const why = busy ? 'another process is using it' : (error as Error).message;
    throw new KaiactlError(`cannot open the store ${path}: ${why}`, {
      cause: error,
      hint: busy
        ? 'One server per file: stop the other one, or name another file.'
        : 'Is it a kaiactl store?',
    });
  }
}

function wrap(database: Libsql.Database): Sqlite {
  const prepared = new Map<string, Libsql.Statement<unknown[]>>();
  const statement = (sql: string): Libsql.Statement<unknown[]> => {
    const known = prepared.get(sql) ?? (database.prepare(sql) as Libsql.Statement<unknown[]>);
    prepared.set(sql, known);
    return known;
  };
  return {
    all: <R extends readonly unknown[]>(sql: string, ...values: unknown[]) =>
      statement(sql)
        .raw()
        .all(...values) as unknown as R[],
    one: <R extends readonly unknown[]>(sql: string, ...values: unknown[]) =>
      statement(sql)
        .raw()
        .get(...values) as R | undefined,
    run: (sql, ...values) => statement(sql).run(...values).changes,
    atomically: (body) => database.transaction(body).immediate() as never,
    close: () => void database.close(),
  };
}
