/** Erases the order of joins from PostgreSQL. Rows show it in xmin, in ctid, and in the order of a dump. */
import type pg from 'pg';
import { Chore, eraseAfter } from './chore.js';

/** Tables with a row for each person, and the column with the person's keyed hash. */
const personTables = [
  ['participants', 'person'],
  ['budgets', 'purse'],
] as const;

/** Joins wait while a table is locked; this limits how long they also wait for other users of the table. */
const lockTimeout = "SET LOCAL lock_timeout = '2s'";

export class PostgresTidying {
  readonly #pool: pg.Pool;
  readonly #erasing = new Chore(() => void this.erase());
  #after = eraseAfter(0);
  #isDue = false;
  #ended = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Schedules the work, after a write. */
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
   * Writes all rows anew in the order of the hashes, in one transaction, and removes the old ones. Not TRUNCATE: a dump
   * that began before it would miss the rows.
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
      await client.query(`VACUUM (SKIP_LOCKED) ${table}`);
      broken = false;
    } finally {
      // Ends an open transaction.
      client.release(broken);
    }
  }
}
