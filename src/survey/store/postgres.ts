/** The store that several servers share: a PostgreSQL database. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { exit, KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import { Refused } from '../protocol/refused.js';
import { inTransaction, keepSession, notifying, rowsOf } from './postgres-rows.js';
import { createTables, type Secret } from './schema.js';
import type { Rows, Storage, Topic, Transaction } from './storage.js';
import { ownerLock, readOnly, Topics, topics } from './storage.js';
import { PostgresTidying } from './tidying.js';

/** First halves of the advisory locks, by purpose; the second is the hash of a name. */
const locks = { owner: ownerLock, transaction: 0x6b61_0002, lead: 0x6b61_0003 } as const;
const bigintType = 20;
const types = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === bigintType ? Number : pg.types.getTypeParser(type, format as 'text'),
};

/**
 * Opens the database, and creates its tables.
 * @param url postgres://…; libpq variables such as PGHOST, PGUSER and PGPASSWORD supply what it lacks
 * @throws {KaiactlError} when it does not answer (exit 3), or its tables are of another version or secret (exit 2)
 */
export async function openPostgres(url: string, secret: Secret): Promise<Storage> {
  const config = { connectionString: url, types, application_name: 'kaiactl', keepAlive: true };
  const storage = new Postgres({ ...config, connectionTimeoutMillis: 5000 });
  try {
    await storage.start();
    await createTables(storage, secret, {
      async read(rows) {
        await rows.run('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
        return (await rows.one<[number]>('SELECT version FROM schema_version'))?.[0] ?? 0;
      },
      async write(rows, version) {
        await rows.run('DELETE FROM schema_version');
        await rows.run('INSERT INTO schema_version VALUES (?)', version);
      },
    });
    // A killed server left the rows in the order of the joins.
    await storage.tidying.erase();
    return storage;
  } catch (error) {
    await storage.close();
    throw error instanceof KaiactlError ? error : cannotUse(error, url);
  }
}

/** A database that is only read; null if it has no tables. @throws {KaiactlError} as `openPostgres` does */
export async function readPostgres(url: string): Promise<{ storage: Storage; version: number } | null> {
  const limits = { max: 2, connectionTimeoutMillis: 5000 };
  const pool = new pg.Pool({ connectionString: url, types, ...limits, options: readOnlySession });
  pool.on('error', () => undefined);
  const { all, one } = rowsOf(pool);
  const refuse = async (): Promise<never> => {
    throw readOnly('the store is only checked');
  };
  try {
    if (!(await hasSettings(url))) return await pool.end().then(() => null);
    const [version = 0] = (await one<[number]>('SELECT version FROM schema_version')) ?? [];
    const nothing = async () => null;
    const reads = { kind: 'postgres', owner: randomUUID(), all, one } as const;
    const writes = { run: refuse, atomically: refuse, copyTo: refuse };
    const alone = { isAlive: async () => false, listen: () => () => undefined, lead: () => undefined };
    const state = { room: nothing, problem: nothing, notify: async () => undefined };
    return { storage: { ...reads, ...writes, ...alone, ...state, close: () => pool.end() }, version };
  } catch (error) {
    await pool.end();
    throw error instanceof KaiactlError ? error : cannotUse(error, url);
  }
}

const readOnlySession = '-c default_transaction_read_only=on';

/** Whether the database has settings, which a store with a secret has. @throws {KaiactlError} as `openPostgres` does */
export async function hasSettings(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("SELECT to_regclass('settings') IS NOT NULL AS found");
    return rows[0]?.found === true;
  } catch (error) {
    throw cannotUse(error, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What libpq and PostgreSQL's own words say, by SQLSTATE or the system's code; `who` is the database, its role and its host. */
const failures: Readonly<Record<string, (who: Where) => string>> = {
  '3D000': ({ database, host }) => `there is no database “${database}” on ${host}`,
  '28000': ({ role, host }) =>
    `${host} does not let the role “${role}” in: it does not exist, or pg_hba.conf forbids it`,
  '28P01': ({ role, host }) => `${host} does not accept the password of the role “${role}”`,
  '42501': ({ role, database }) => `the role “${role}” may not create tables in the database “${database}”`,
  '53300': ({ host }) => `${host} has no connection left`,
  ECONNREFUSED: ({ host }) => `nothing listens on ${host}`,
  ENOENT: ({ host }) => `there is no socket at ${host}`,
  ENOTFOUND: ({ host }) => `the name of the host ${host} is not known`,
  EAI_AGAIN: ({ host }) => `the name of the host ${host} cannot be looked up now`,
  ETIMEDOUT: ({ host }) => `${host} does not answer`,
};

type Where = ReturnType<typeof whereOf>;

/** The parts of a connection as the driver completes them, without the password. */
function whereOf(url: string) {
  const { database, user, host, port } = new pg.Client({ connectionString: url });
  const at = host.startsWith('/') ? host : `${host}:${port}`;
  return { database: visible(database ?? '', 80), role: visible(user ?? '', 80), host: visible(at, 120) };
}

function cannotUse(error: unknown, url: string): KaiactlError {
  const { code } = error as { code?: string };
  const known = code === undefined ? undefined : failures[code];
  const why =
    known?.(whereOf(url)) ?? `it does not answer${code === undefined ? '' : ` as it should (${code})`}`;
  return new KaiactlError(`the database (--store) cannot be used: ${why}`, {
    exitCode: exit.unseen,
    hint: 'A role and its database: createuser survey; createdb --owner survey survey. A password is best in PGPASSFILE.',
  });
}

class Postgres implements Storage {
  readonly kind = 'postgres';
  readonly owner = randomUUID();
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #rows: Rows;
  readonly all: Rows['all'];
  readonly one: Rows['one'];
  readonly tidying: PostgresTidying;
  readonly #topics = new Topics();
  readonly #ended = new AbortController();
  readonly #tasks: Promise<void>[] = [];
  /** The last transaction under each lock. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(config: pg.ClientConfig) {
    this.#config = config;
    this.#pool = new pg.Pool({ ...config, max: 8 });
    // The pool replaces lost connections. Without these listeners, losing an idle one would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#rows = rowsOf(this.#pool);
    this.all = this.#rows.all;
    this.one = this.#rows.one;
    this.tidying = new PostgresTidying(this.#pool);
  }

  /** Resolves once this process holds its liveness lock and receives notifications. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      let started = false;
      const session = keepSession(
        this.#config,
        this.#ended.signal,
        async (client, lost) => {
          client.on('notification', ({ channel, payload }) =>
            this.#topics.emit(channel as Topic, payload ?? ''),
          );
          for (const topic of topics) await client.query(`LISTEN "${topic}"`);
          await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [locks.owner, this.owner]);
          // Notifications were lost during the gap: an empty text tells listeners to read again.
          if (started) for (const topic of topics) this.#topics.emit(topic, '');
          started = true;
          resolve();
          await lost;
        },
        reject,
      );
      this.#tasks.push(session);
    });
  }

  run(sql: string, ...values: readonly unknown[]): Promise<number> {
    this.tidying.later();
    return this.#rows.run(sql, ...values);
  }

  /** Transactions of this process queue here: waiting for the lock in the database would take a connection each. */
  atomically<T>(lock: string, body: (rows: Transaction) => Promise<T>): Promise<T> {
    this.tidying.later();
    const before = this.#turns.get(lock) ?? Promise.resolve();
    const turn = before.then(() => inTransaction(this.#pool, [locks.transaction, lock], this.#topics, body));
    const settled = turn.catch(() => undefined);
    this.#turns.set(lock, settled);
    return turn;
  }

  async isAlive(owner: string): Promise<boolean> {
    const sql = 'SELECT pg_try_advisory_xact_lock(?, hashtext(?))';
    return (await this.one<[boolean]>(sql, locks.owner, owner))?.[0] !== true;
  }

  async notify(topic: Topic, text: string): Promise<void> {
    this.#topics.emit(topic, text);
    await this.run(notifying, topic, text);
  }

  readonly listen = (topic: Topic, heard: (text: string) => void) => this.#topics.listen(topic, heard);

  lead(name: string, lead: (signal: AbortSignal) => Promise<void>): void {
    const session = keepSession(this.#config, this.#ended.signal, async (client, lost) => {
      await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [locks.lead, name]);
      const over = new AbortController();
      void lost.then(() => over.abort());
      await lead(over.signal);
    });
    this.#tasks.push(session);
  }

  async copyTo(): Promise<void> {
    const reason = 'a database is backed up by its own means: pg_dump';
    throw new Refused('BACKUP_FAILED', 'the copy cannot be written', reason);
  }

  readonly problem = async () => null;

  async room(): Promise<null> {
    await this.one('SELECT 1');
    return null;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled(this.#tasks);
    await this.tidying.end();
    await this.#pool.end();
  }
}
