/** The store in a file of its own, for one server. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'libsql';
import { KaiactlError } from '../../errors.js';
import { Refused } from '../protocol/refused.js';
import { libsql } from './libsql.js';
import { migrate } from './migrations.js';
import { cannotOpen, openFile, release } from './sqlite-file.js';
import { rowsOf, unwritable } from './sqlite-rows.js';
import { Tidying } from './sqlite-tidying.js';
import type { Row, Rows, Storage, Topic, Transaction } from './storage.js';
import { Topics } from './topics.js';

/**
 * Opens (or makes) the file, for this process alone; only its owner may read it.
 * @throws {KaiactlError} when it is in use, no database of ours, a copy without its log, or not writable (exit 2)
 */
export async function openSqlite(path: string, secret: Buffer): Promise<Storage> {
  const { database, wasOpen } = openFile(await libsql(), path);
  const storage = new Sqlite(database, path);
  try {
    await migrate(storage, secret, {
      read: async (rows) => (await rows.one<[number]>('PRAGMA user_version'))?.[0] ?? 0,
      write: async (rows, version) => void (await rows.run(`PRAGMA user_version = ${version}`)),
    });
    // Killed, its server left the rows in the order they came in.
    if (wasOpen) storage.layOut();
    await storage.markOpen();
    return storage;
  } catch (error) {
    storage.abandon();
    throw error instanceof KaiactlError ? error : cannotOpen(path, error);
  }
}

class Sqlite implements Storage {
  readonly kind = 'sqlite';
  readonly owner = randomUUID();
  readonly #database: Database;
  readonly #path: string;
  readonly #rows: Rows;
  readonly #topics = new Topics();
  readonly #ended = new AbortController();
  /** Statements wait for the transaction before them; one connection knows no other way. */
  #last: Promise<unknown> = Promise.resolve();
  #transactions = 0;
  readonly #tidying: Tidying;
  readonly #leads: Promise<unknown>[] = [];

  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#rows = rowsOf(database);
    this.#tidying = new Tidying(database, path, () => this.#transactions > 0);
  }

  all<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R[]> {
    return this.#inTurn(() => this.#rows.all<R>(sql, ...values));
  }

  one<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R | undefined> {
    return this.#inTurn(() => this.#rows.one<R>(sql, ...values));
  }

  run(sql: string, ...values: readonly unknown[]): Promise<number> {
    this.#tidying.later();
    return this.#inTurn(() => this.#rows.run(sql, ...values));
  }

  atomically<T>(_: string, body: (rows: Transaction) => Promise<T>): Promise<T> {
    this.#tidying.later();
    this.#transactions += 1;
    const done = this.#last.then(async () => {
      const told: [Topic, string][] = [];
      const notify = async (...one: [Topic, string]) => void told.push(one);
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = await body({ ...this.#rows, notify });
        this.#database.exec('COMMIT');
        this.#topics.tellAll(told);
        return result;
      } catch (error) {
        // A full disk ends the transaction by itself.
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
        throw unwritable(error);
      } finally {
        this.#transactions -= 1;
      }
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async isAlive(owner: string): Promise<boolean> {
    return owner === this.owner;
  }

  async notify(topic: Topic, text: string): Promise<void> {
    this.#topics.tell(topic, text);
  }

  listen(topic: Topic, heard: (text: string) => void): () => void {
    return this.#topics.listen(topic, heard);
  }

  lead(_: string, lead: (signal: AbortSignal) => Promise<void>): void {
    this.#leads.push(lead(this.#ended.signal));
  }

  async room(): Promise<number | null> {
    if (this.#path === ':memory:') return null;
    const { bavail, bsize } = await statfs(dirname(this.#path));
    return bavail * bsize;
  }

  async copyTo(path: string): Promise<void> {
    const Database = await libsql();
    await this.#inTurn(async () => {
      try {
        closeSync(openSync(path, 'wx', 0o600));
      } catch (error) {
        throw new Refused('BACKUP_FAILED', 'the copy cannot be written', (error as Error).message);
      }
      this.#database.prepare('VACUUM INTO ?').run(path);
      const copy = new Database(path);
      copy.exec("DELETE FROM settings WHERE name = 'open'");
      copy.close();
    });
  }

  /** From now on the file alone is not everything. */
  async markOpen(): Promise<void> {
    await this.run("INSERT INTO settings VALUES ('open', '1') ON CONFLICT (name) DO NOTHING");
    this.#tidying.emptyLog();
  }

  /** Lays rows out anew: see Tidying. */
  layOut(): void {
    this.#tidying.layOut();
  }

  /** Closes what was never in use. */
  abandon(): void {
    this.#tidying.end();
    release(this.#database);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#tidying.end();
    await Promise.allSettled(this.#leads);
    await this.#last;
    this.#database.exec("DELETE FROM settings WHERE name = 'open'");
    this.layOut();
    release(this.#database);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#transactions === 0 ? work() : this.#last.then(work);
  }
}
