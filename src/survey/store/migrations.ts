/** The tables, version by version. Opening a store migrates it to the current version. */
import { createHmac } from 'node:crypto';
import { KaiactlError } from '../../errors.js';
import type { Rows, Storage } from './storage.js';

/** A step from one version to the next. Steps are never changed once released: later ones build on them. */
type Step = (rows: Rows, secret: Buffer) => Promise<void>;

/** Version 1 was SQLite only; PostgreSQL starts with the same tables, without WITHOUT ROWID. */
const first = [
  'CREATE TABLE IF NOT EXISTS surveys (group_id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, frontier TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS members (group_id INTEGER NOT NULL, position INTEGER NOT NULL, commitment TEXT NOT NULL,
     PRIMARY KEY (group_id, position), UNIQUE (group_id, commitment)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS participants (survey TEXT NOT NULL, person TEXT NOT NULL, commitment TEXT,
     since BIGINT NOT NULL, PRIMARY KEY (survey, person)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS chain_groups (chain_group TEXT PRIMARY KEY, block BIGINT NOT NULL, hash TEXT NOT NULL,
     leaves TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT NOT NULL, verified INTEGER NOT NULL,
     updated BIGINT NOT NULL)`,
];

const second = [
  'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  'ALTER TABLE participants RENAME TO participants_1',
  `CREATE TABLE participants (survey TEXT NOT NULL, person TEXT NOT NULL, claim TEXT, owner TEXT,
     PRIMARY KEY (survey, person)) WITHOUT ROWID`,
  'ALTER TABLE payments ADD COLUMN claimed TEXT',
  'CREATE TABLE budgets (purse TEXT PRIMARY KEY, used INTEGER NOT NULL)',
  `CREATE TABLE transactions (id TEXT PRIMARY KEY, manager TEXT NOT NULL, survey TEXT NOT NULL, commitment TEXT NOT NULL,
     call TEXT NOT NULL, state TEXT NOT NULL, nonce BIGINT, raw TEXT, hash TEXT, reason TEXT)`,
];

/** WITHOUT ROWID: row ids of budgets showed the order in which users first joined. */
const fourth = [
  `CREATE TABLE chain_surveys (chain BIGINT NOT NULL, survey TEXT NOT NULL, closed INTEGER NOT NULL,
     PRIMARY KEY (chain, survey)) WITHOUT ROWID`,
  'ALTER TABLE budgets RENAME TO budgets_3',
  'CREATE TABLE budgets (purse TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID',
  'INSERT INTO budgets SELECT purse, used FROM budgets_3 ORDER BY purse',
  'DROP TABLE budgets_3',
];

const steps: readonly Step[] = [
  (rows) => each(rows, first),
  async (rows, secret) => {
    await each(rows, second);
    const old = await rows.all<[string, string, string | null]>(
      'SELECT survey, person, commitment FROM participants_1 ORDER BY person',
    );
    for (const [survey, hash, commitment] of old) {
      const person = personOf(secret, hash);
      const claim = commitment === null ? null : claimOf(secret, person, commitment);
      await rows.run('INSERT INTO participants VALUES (?, ?, ?, ?)', survey, person, claim, null);
    }
    await rows.run('DROP TABLE participants_1');
    await rows.run("INSERT INTO settings VALUES ('secret', ?)", personOf(secret, 'secret'));
  },
  (rows) => each(rows, ['ALTER TABLE surveys ADD COLUMN closed INTEGER NOT NULL DEFAULT 0']),
  (rows) => each(rows, fourth),
  (rows) => each(rows, ['ALTER TABLE payments ADD COLUMN buyer TEXT']),
];

/** The version this program writes. */
export const currentVersion = steps.length;

/**
 * Migrates the tables to the current version in one transaction.
 * @throws {KaiactlError} when the store is of a later version, or belongs to another secret (exit 2)
 */
export async function migrate(
  storage: Pick<Storage, 'atomically'>,
  secret: Buffer,
  version: { read(rows: Rows): Promise<number>; write(rows: Rows, version: number): Promise<void> },
): Promise<void> {
  await storage.atomically('migrate', async (rows) => {
    const found = await version.read(rows);
    if (found > currentVersion) {
      throw new KaiactlError(`the store was written by a later version of kaiactl (its format is ${found})`, {
        hint: `This one knows formats up to ${currentVersion}: use the later one.`,
      });
    }
    for (const step of steps.slice(found)) await step(rows, secret);
    if (found < currentVersion) await version.write(rows, currentVersion);
    const [kept] = (await rows.one<[string]>("SELECT value FROM settings WHERE name = 'secret'")) ?? [];
    if (kept !== personOf(secret, 'secret')) {
      throw new KaiactlError('the participant secret does not belong to this store', {
        hint: 'Restore its file: it is beside the store, or where --participant-secret-file says.',
      });
    }
  });
}

/**
 * The keyed hash that identifies a person in a store.
 * @param hash digest of survey and user
 */
export function personOf(secret: Buffer, hash: string): string {
  return createHmac('sha256', secret).update(hash).digest('base64url');
}

/** The keyed hash of the commitment a person joins with, kept until the join is settled. */
export function claimOf(secret: Buffer, person: string, commitment: string): string {
  return createHmac('sha256', secret).update(`${person}\n${commitment}`).digest('base64url');
}

async function each(rows: Rows, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await rows.run(statement);
}
