/** A transaction under an advisory lock: what other servers do under the same name waits. */
import type pg from 'pg';
import { rethrow, rowsOf, unavailable, unknownEnd } from './postgres-rows.js';
import type { Topic, Transaction } from './storage.js';
import type { Topics } from './topics.js';

/** Tells the other servers. */
export const notifying = 'SELECT pg_notify(?, ?)';

/**
 * What was told in it is heard by all once it is written.
 * @throws {Refused} when the database is away, or it is not known whether it was written
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  lock: readonly [purpose: number, name: string],
  topics: Topics,
  body: (rows: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  const rows = rowsOf(client);
  const told: [Topic, string][] = [];
  const notify = async (topic: Topic, text: string) => {
    told.push([topic, text]);
    await rows.run(notifying, topic, text);
  };
  let broken = true;
  try {
    await client.query('BEGIN').catch(rethrow);
    await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [...lock]).catch(rethrow);
    const result = await body({ ...rows, notify });
    // Also when it is not known whether it was written: whoever hears of it looks.
    const hears = () => topics.tellAll(told);
    await client.query('COMMIT').finally(hears).catch(unknownEnd);
    broken = false;
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}
