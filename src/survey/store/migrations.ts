/** The tables, version by version. Opening a store migrates it to the current version. */
import { createHash, createHmac } from 'node:crypto';
import { KaiactlError } from '../../errors.js';
import type { Rows, Storage } from './storage.js';

/** A step from one version to the next. Steps are never changed once released: later ones build on them. */
type Step = (rows: Rows, secret: Secret) => Promise<void>;

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

/** What was ordered, null in payments of earlier versions; `problem`: why a confirmation does not count. */
const sixth = [
  ...['item TEXT', 'gateway TEXT', 'currency TEXT', 'price TEXT', 'test INTEGER', 'problem TEXT'].map(
    (column) => `ALTER TABLE payments ADD COLUMN ${column}`,
  ),
  'CREATE INDEX payments_updated ON payments (updated, id)',
];

/**
 * Policies of surveys, by address, embedded or on a chain. `chosen`: 0 where a server's options gave it, 1 where an admin set
 * it. `allowed` and `forgotten` hold keyed hashes of survey and user; `forgotten` keeps erased users from joining again.
 */
const seventh = [
  `CREATE TABLE policies (survey TEXT PRIMARY KEY, one_per_user INTEGER NOT NULL, scheme TEXT NOT NULL, closes BIGINT,
     max_members INTEGER, allowlist INTEGER NOT NULL, chosen INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE allowed (survey TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (survey, person)) WITHOUT ROWID`,
  `CREATE TABLE forgotten (survey TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (survey, person)) WITHOUT ROWID`,
];

/** The admin's actions, and outcomes of joins by the hour (hours since 1970). */
const eighth = [
  `CREATE TABLE audit (entry INTEGER PRIMARY KEY, at BIGINT NOT NULL, action TEXT NOT NULL, survey TEXT, actor TEXT,
     detail TEXT NOT NULL)`,
  `CREATE TABLE join_counts (survey TEXT NOT NULL, hour INTEGER NOT NULL, outcome TEXT NOT NULL, count INTEGER NOT NULL,
     PRIMARY KEY (survey, hour, outcome)) WITHOUT ROWID`,
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
  (rows) => each(rows, sixth),
  (rows) => each(rows, seventh),
  (rows) => each(rows, eighth),
];

/** The version this program writes. */
export const currentVersion = steps.length;

/**
 * Migrates the tables to the current version in one transaction.
 * @throws {KaiactlError} when the store is of a later version, or belongs to another secret (exit 2)
 */
export async function migrate(
  storage: Pick<Storage, 'atomically'>,
  secret: Secret,
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
        hint: 'Restore its file: it is beside the store, or where --participant-secret-file says. “survey admin rotate-secret” finishes an interrupted rotation.',
      });
    }
  });
}

/** The participants' secret: a key, or several, the oldest first. A rotation adds one. */
export type Secret = Buffer | readonly Buffer[];

function keysOf(secret: Secret): readonly Buffer[] {
  return Buffer.isBuffer(secret) ? [secret] : secret;
}

/**
 * The keyed hash that identifies a person in a store: a hash under each key of the hash before.
 * @param hash digest of survey and user
 */
export function personOf(secret: Secret, hash: string): string {
  return keysOf(secret).reduce((last, key) => hmac(key, last), hash);
}

/** SHA-256 in hexadecimal. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The keyed hash of the commitment a person joins with, kept until the join is settled. */
export function claimOf(secret: Secret, person: string, commitment: string): string {
  const [newest] = keysOf(secret).slice(-1);
  return newest === undefined ? '' : hmac(newest, `${person}\n${commitment}`);
}

/** The claims of a person from the time of each key: a rotation leaves claims as they are. */
export function claimsOf(secret: Secret, hash: string, commitment: string): string[] {
  const keys = keysOf(secret);
  return keys.map((_, at) => {
    const then = keys.slice(0, at + 1);
    return claimOf(then, personOf(then, hash), commitment);
  });
}

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

async function each(rows: Rows, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await rows.run(statement);
}
