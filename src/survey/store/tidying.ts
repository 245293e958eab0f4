/** Erases deleted values from the log of an SQLite file, and the order of insertion from the file. */
import type { Database } from 'libsql';
import type pg from 'pg';

/** Delay between a write and emptying the log, in milliseconds. */
const emptyAfter = 1000;

export class Tidying {
  readonly #database: Database;
  readonly #inMemory: boolean;
  readonly #emptying: ReturnType<typeof chore>;
  readonly #layingOut: ReturnType<typeof chore>;
  #layOutAfter = eraseAfter(0);
  #ended = false;

  /** @param isBusy whether a transaction is running; all work waits for its end */
  constructor(database: Database, path: string, isBusy: () => boolean) {
    this.#database = database;
    this.#inMemory = path === ':memory:';
    this.#emptying = chore(() => this.emptyLog(), isBusy);
    this.#layingOut = chore(() => this.layOut(), isBusy);
  }

  later(): void {
    if (this.#ended) return;
    this.#emptying.schedule(emptyAfter);
    this.#layingOut.schedule(this.#layOutAfter);
  }

  emptyLog(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // The disk rejects writes. The log stays complete: retry.
      if (!this.#ended) this.#emptying.schedule(emptyAfter);
    }
  }

  /** Rewrites the file in key order, so that it does not show the order of insertion. */
  layOut(): void {
    if (this.#inMemory) return;
    const began = performance.now();
    try {
      this.#database.exec('VACUUM');
      this.emptyLog();
    } catch {
      // The disk is too full: retry later, at the latest on shutdown.
      if (!this.#ended) this.#layingOut.schedule(this.#layOutAfter);
    }
    this.#layOutAfter = eraseAfter(performance.now() - began);
  }

  end(): void {
    this.#ended = true;
    this.#emptying.cancel();
    this.#layingOut.cancel();
  }
}

/** Work that runs once after a delay, and not while the store is busy. */
export function chore(work: () => void, isBusy = () => false) {
  let timer: NodeJS.Timeout | undefined;
  /** Schedules the work, unless it is scheduled. Does not keep the process alive. */
  const schedule = (afterMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isBusy()) schedule(afterMs);
      else work();
    }, afterMs).unref();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { schedule, cancel };
}

/** Delay between a write and erasing the order of joins: a minute, or 200 times the duration of the last time. */
export function eraseAfter(tookMs: number): number {
  return Math.max(60_000, 200 * tookMs);
}

/** Tables with a row for each person, and the column with the person's keyed hash, by which the primary key sorts. */
const personTables = [
  ['participants', 'person'],
  ['budgets', 'purse'],
] as const;

/** Joins wait while a table is locked; this limits how long they also wait for other users of the table. */
const lockTimeout = "SET LOCAL lock_timeout = '2s'";

export class PostgresTidying {
  readonly #pool: pg.Pool;
  readonly #erasing = chore(() => void this.erase());
  #after = eraseAfter(0);
  #isDue = false;
  #ended = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  later(): void {
    this.#isDue = true;
    if (!this.#ended) this.#erasing.schedule(this.#after);
  }

  /** Rewrites the tables that show an order. Never rejects: after a failure, tries again later. */
  async erase(): Promise<void> {
    const began = performance.now();
    this.#isDue = false;
    this.#erasing.cancel();
    try {
      for (const [table, hash] of personTables)
        if (await this.#showsOrder(table)) await this.#rewrite(table, hash);
    } catch {
      this.later();
    }
    this.#after = eraseAfter(performance.now() - began);
  }

  /** Does what is still to do, once. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#erasing.cancel();
    if (this.#isDue) await this.erase();
  }

  /** Whether more than one transaction wrote the rows. */
  async #showsOrder(table: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${table} HAVING COUNT(DISTINCT xmin::text) > 1`;
    return (await this.#pool.query(sql)).rowCount === 1;
  }

  /**
   * Writes all rows anew in the order of the hashes, in one transaction: none shows its own any more. Not TRUNCATE: a dump
   * that began before it would miss the rows. CLUSTER then writes a new file without the bytes of the old rows.
   */
  async #rewrite(table: string, hash: string): Promise<void> {
    const client = await this.#pool.connect();
    let broken = true;
    try {
      await client.query(`BEGIN; ${lockTimeout}; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      await client.query(
        `WITH old AS (DELETE FROM ${table} RETURNING *) INSERT INTO ${table} SELECT * FROM old ORDER BY ${hash}`,
      );
      await client.query('COMMIT');
      await client.query(`SET lock_timeout = '2s'`);
      await client.query(`CLUSTER ${table} USING ${table}_pkey`);
      await client.query('RESET lock_timeout');
      broken = false;
    } finally {
      // Ends an open transaction.
      client.release(broken);
    }
  }
}
