/** The store of a single server: an SQLite file. */
import { randomUUID } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Database } from 'libsql';
import { fileError, KaiactlError } from '../../errors.js';
import { Refused } from '../protocol/refused.js';
import { createTables, type Secret } from './schema.js';
import type { Libsql } from './sqlite-file.js';
import { cannotOpen, closeWhole, expectUnused, libsql, markOpen, openFile } from './sqlite-file.js';
import { rowsOf, transaction, unwritable } from './sqlite-rows.js';
import type { Row, Rows, Storage, Topic, Transaction } from './storage.js';
import { isDamaged, isReadOnly, readOnly, rewrite, Topics } from './storage.js';
import { Tidying } from './tidying.js';

/**
 * Opens or creates the file, with mode 600 and an exclusive lock. On a read-only or full disk, a store of this version
 * is served read-only, and every write tries again.
 * @throws {KaiactlError} when it is in use, damaged, not a kaiactl store, or a copy without its log (exit 2)
 */
export async function openSqlite(path: string, secret: Secret): Promise<Storage> {
  const storage = new Sqlite(await libsql(), path, secret);
  await storage.start();
  return storage;
}

/** Opens a copy in a temporary folder, which ends with the storage. @throws {KaiactlError} like `openSqlite` */
export async function openCopied(path: string, secret: Secret): Promise<Storage> {
  const Database = await libsql();
  if (existsSync(`${path}-wal`)) expectUnused(Database, path);
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-check-'));
  const copy = join(folder, 'store');
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  const storage = new Copied(Database, copy, secret, () => rmSync(folder, { recursive: true, force: true }));
  try {
    await storage.start();
    return storage;
  } catch (error) {
    await storage.close();
    if (!(error instanceof KaiactlError)) throw error;
    const { exitCode, hint, message } = error;
    throw new KaiactlError(message.replaceAll(copy, path), { exitCode, cause: error, hint });
  }
}

interface Opened {
  readonly database: Database;
  readonly rows: Rows;
  readonly tidying: Tidying;
}

class Sqlite implements Storage {
  readonly kind = 'sqlite';
  readonly owner = randomUUID();
  readonly #Database: Libsql;
  readonly #path: string;
  readonly #secret: Secret;
  /** Null: the file cannot be read. */
  #file: Opened | null = null;
  /** Why the last write failed, or that the file is damaged; null if neither applies. */
  #problem: Refused | null = null;
  #ready = false;
  readonly #topics = new Topics();
  readonly #ended = new AbortController();
  /** Statements wait for the transaction before them: they share a connection. */
  #last: Promise<unknown> = Promise.resolve();
  #transactions = 0;
  readonly #leads: Promise<unknown>[] = [];
  readonly #onClose: () => void;

  constructor(Database: Libsql, path: string, secret: Secret, onClose = (): void => undefined) {
    this.#Database = Database;
    this.#path = path;
    this.#secret = secret;
    this.#onClose = onClose;
  }

  /** Opens the file. A disk that rejects writes is not an error. */
  start(): Promise<void> {
    return this.#exclusively(async () => void (await this.#prepare())).catch((error: unknown) => {
      if (!isReadOnly(error)) throw error;
    });
  }

  all<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R[]> {
    return this.#inTurn(() => this.#readable().rows.all<R>(sql, ...values));
  }

  one<R extends Row>(sql: string, ...values: readonly unknown[]): Promise<R | undefined> {
    return this.#inTurn(() => this.#readable().rows.one<R>(sql, ...values));
  }

  run(sql: string, ...values: readonly unknown[]): Promise<number> {
    if (!this.#ready) return this.#exclusively(async () => (await this.#prepare()).rows.run(sql, ...values));
    return this.#inTurn(() => this.#noted(() => this.#writable().rows.run(sql, ...values)));
  }

  atomically<T>(_: string, body: (rows: Transaction) => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      const { database, rows } = await this.#prepare();
      const notifications: [Topic, string][] = [];
      const notify = async (...one: [Topic, string]) => void notifications.push(one);
      const result = await transaction(database, { ...rows, notify }, body);
      this.#topics.emitAll(notifications);
      return result;
    });
  }

  readonly isAlive = async (owner: string) => owner === this.owner;
  readonly notify = async (topic: Topic, text: string) => this.#topics.emit(topic, text);
  readonly listen = (topic: Topic, heard: (text: string) => void) => this.#topics.listen(topic, heard);

  lead(_: string, lead: (signal: AbortSignal) => Promise<void>): void {
    this.#leads.push(lead(this.#ended.signal));
  }

  async room(): Promise<number | null> {
    if (this.#path === ':memory:') return null;
    const { bavail, bsize } = await statfs(dirname(this.#path));
    return bavail * bsize;
  }

  async problem(): Promise<Refused | null> {
    if (this.#problem !== null && !isDamaged(this.#problem)) await rewrite(this).catch(() => undefined);
    return this.#problem;
  }

  copyTo(path: string): Promise<void> {
    return this.#inTurn(async () => {
      const { database } = this.#readable();
      try {
        closeSync(openSync(path, 'wx', 0o600));
      } catch (error) {
        throw notCopied(error);
      }
      try {
        database.prepare('VACUUM INTO ?').run(path);
        const copy = new this.#Database(path);
        copy.exec("DELETE FROM settings WHERE name = 'open'");
        copy.close();
      } catch (error) {
        rmSync(path);
        throw notCopied(error);
      }
    });
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled(this.#leads);
    await this.#last;
    this.#closeFile();
    this.#onClose();
  }

  #closeFile(): void {
    if (this.#file === null) return;
    const { database, tidying } = this.#file;
    this.#file = null;
    tidying.end();
    if (this.#ready) tidying.layOut();
    this.#ready = false;
    closeWhole(database, this.#path);
  }

  /** @throws {Refused} when the file cannot be read */
  #readable(): Opened {
    if (this.#file === null) throw readOnly('the store cannot be read');
    return this.#file;
  }

  #writable(): Opened {
    const file = this.#readable();
    file.tidying.later();
    return file;
  }

  /** Reopens the file if it is not open for writing. @throws {Refused} when its disk rejects writes */
  async #prepare(): Promise<Opened> {
    if (!this.#ready && !this.#ended.signal.aborted) await this.#open();
    return this.#writable();
  }

  async #open(): Promise<void> {
    this.#closeFile();
    try {
      const { database, wasOpen } = openFile(this.#Database, this.#path);
      const rows = rowsOf(database);
      const tidying = new Tidying(database, this.#path, () => this.#transactions > 0);
      const file = { database, rows, tidying };
      try {
        await this.#createTables(file);
      } catch (error) {
        closeWhole(database, this.#path);
        throw error;
      }
      this.#file = file;
      database.pragma('journal_mode=WAL');
      // A killed server left the rows in the order of insertion.
      if (wasOpen) tidying.layOut();
      markOpen(database);
      tidying.emptyLog();
      this.#ready = true;
    } catch (error) {
      const outage = unwritable(error);
      const isKnown = outage instanceof Refused || outage instanceof KaiactlError;
      if (isKnown && !isDamaged(outage)) throw outage;
      throw cannotOpen(this.#path, error);
    }
  }

  /** Creates the tables of a new file; writes nothing otherwise. */
  #createTables({ database, rows }: Opened): Promise<void> {
    const atomically = <T>(_: string, body: (rows: Transaction) => Promise<T>) =>
      transaction(database, { ...rows, notify: async () => undefined }, body);
    return createTables({ atomically }, this.#secret, {
      read: async (rows) => (await rows.one<[number]>('PRAGMA user_version'))?.[0] ?? 0,
      write: async (rows, version) => void (await rows.run(`PRAGMA user_version = ${version}`)),
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#transactions === 0 ? work() : this.#last.then(work);
    return done.catch((error: unknown) => {
      if (isDamaged(error)) this.#problem = error;
      throw error;
    });
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.#transactions += 1;
    const done = this.#last
      .then(() => this.#noted(work))
      .finally(() => {
        this.#transactions -= 1;
      });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Records whether the write succeeded. */
  async #noted<T>(write: () => Promise<T>): Promise<T> {
    try {
      if (isDamaged(this.#problem)) throw this.#problem;
      const result = await write();
      this.#problem = null;
      return result;
    } catch (error) {
      if (isReadOnly(error) || isDamaged(error)) this.#problem = error;
      throw error;
    }
  }
}

function notCopied(error: unknown): Refused {
  const isLacking = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const why = isLacking ? 'its folder does not exist' : (fileError(error) ?? (error as Error).message);
  return new Refused('BACKUP_FAILED', 'the copy cannot be written', why);
}

/** Sends nothing. */
class Copied extends Sqlite {
  override lead(): void {}
}
