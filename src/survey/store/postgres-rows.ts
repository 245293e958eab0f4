/** Statements and transactions of PostgreSQL, and its failures as callers see them. */
import pg from 'pg';
import { Outage, Refused } from '../protocol/refused.js';
import { damageRefusal, type Rows, type Topic, type Topics, type Transaction } from './storage.js';

/** Runs statements in the dialect that SQLite and PostgreSQL share. */
export function rowsOf(client: pg.Pool | pg.ClientBase): Rows {
  const query = (sql: string, values: readonly unknown[]) => {
    let count = 0;
    const text = sql.replace(/\?/g, () => `$${++count}`).replace(/ WITHOUT ROWID\b/, '');
    const asked = client.query({ text, values: [...values], rowMode: 'array' } as pg.QueryArrayConfig);
    return (asked as Promise<pg.QueryResult<never>>).catch(rethrow);
  };
  return {
    all: async (sql, ...values) => (await query(sql, values)).rows,
    one: async (sql, ...values) => (await query(sql, values)).rows[0],
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  };
}

/** For `.catch` of a query. @throws {Refused} when the database is unreachable, else the error itself */
export function rethrow(error: unknown): never {
  throw unavailable(error);
}

/** Maps an unreachable or damaged database to a refusal; other errors stay unchanged. */
export function unavailable(error: unknown): unknown {
  // Class XX: data_corrupted, index_corrupted.
  if (error instanceof pg.DatabaseError && /^XX00[12]/.test(error.code ?? ''))
    return damageRefusal('its database cannot read it');
  // Only the database's own errors have an SQLSTATE: EPIPE merely looks like one.
  const ours = error instanceof pg.DatabaseError && !/^(08|40|53|57|58)/.test(error.code ?? '');
  return ours || error instanceof Refused
    ? error
    : new Outage('the store could not be reached', 'its database does not answer: try again');
}

/** For `.catch` of COMMIT: without an answer, the transaction may or may not be committed. @throws {Refused} TIMEOUT then */
export function unknownEnd(error: unknown): never {
  if (unavailable(error) === error) throw error;
  throw new Refused('TIMEOUT', 'it is not known whether the join was kept', 'check the member list later');
}

export const notifying = 'SELECT pg_notify(?, ?)';

/** Runs a transaction under an advisory lock. @throws {Refused} when it is not known whether it was committed */
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
  const notifications: [Topic, string][] = [];
  const notify = async (topic: Topic, text: string) => {
    notifications.push([topic, text]);
    await rows.run(notifying, topic, text);
  };
  let broken = true;
  try {
    await client.query('BEGIN').catch(rethrow);
    await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [...lock]).catch(rethrow);
    const result = await body({ ...rows, notify });
    // Sent also when the outcome is unknown: listeners read the rows again.
    const notifyAll = () => topics.emitAll(notifications);
    await client.query('COMMIT').finally(notifyAll).catch(unknownEnd);
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

/** Delay before reconnecting, in milliseconds. */
const pauseMs = 250;

/** Keeps a connection open for `use`, until `ended`. @param failed called if the first connection fails */
export async function keepSession(
  config: pg.ClientConfig,
  ended: AbortSignal,
  use: (client: pg.Client, lost: Promise<void>) => Promise<void>,
  failed?: (error: unknown) => void,
): Promise<void> {
  for (let first = failed !== undefined; !ended.aborted; first = false) {
    const client = new pg.Client(config);
    const over = new AbortController();
    const lost = new Promise<void>((resolve) => {
      for (const event of ['error', 'end']) client.once(event, () => resolve());
      ended.addEventListener('abort', () => resolve(), over);
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const closed = lost.then(() => client.end());
      await Promise.all([use(client, lost), closed.catch(() => undefined)]);
    } catch (error) {
      if (first) return failed?.(error);
    }
    over.abort();
    await client.end().catch(() => undefined);
    if (!ended.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
