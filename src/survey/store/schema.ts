/** The tables of a store, and the keyed hashes in them. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { KaiactlError } from '../../errors.js';
import { type Rows, type Storage, settingOf } from './storage.js';

/** WITHOUT ROWID, except where a row number is the key: row ids show the order of insertion. PostgreSQL has none. */
const tables = [
  'settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  `surveys (group_id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, frontier TEXT NOT NULL,
     closed INTEGER NOT NULL DEFAULT 0)`,
  `members (group_id INTEGER NOT NULL, position INTEGER NOT NULL, commitment TEXT NOT NULL,
     PRIMARY KEY (group_id, position), UNIQUE (group_id, commitment)) WITHOUT ROWID`,
  `participants (survey TEXT NOT NULL, person TEXT NOT NULL, claim TEXT, owner TEXT,
     PRIMARY KEY (survey, person)) WITHOUT ROWID`,
  'budgets (purse TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID',
  `transactions (id TEXT PRIMARY KEY, manager TEXT NOT NULL, survey TEXT NOT NULL, commitment TEXT NOT NULL,
     call TEXT NOT NULL, state TEXT NOT NULL, nonce BIGINT, raw TEXT, hash TEXT, reason TEXT, earlier TEXT,
     sent BIGINT, mined BIGINT) WITHOUT ROWID`,
  `chain_groups (chain_group TEXT PRIMARY KEY, block BIGINT NOT NULL, hash TEXT NOT NULL,
     leaves TEXT NOT NULL) WITHOUT ROWID`,
  `chain_surveys (chain BIGINT NOT NULL, survey TEXT NOT NULL, closed INTEGER NOT NULL,
     PRIMARY KEY (chain, survey)) WITHOUT ROWID`,
  // `chosen`: 0 where a server's options gave the policy, 1 where an admin set it.
  `policies (survey TEXT PRIMARY KEY, one_per_user INTEGER NOT NULL, scheme TEXT NOT NULL, closes BIGINT,
     max_members INTEGER, allowlist INTEGER NOT NULL, chosen INTEGER NOT NULL) WITHOUT ROWID`,
  // Keyed hashes of survey and user. `forgotten` keeps erased users from joining again.
  'allowed (survey TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (survey, person)) WITHOUT ROWID',
  'forgotten (survey TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (survey, person)) WITHOUT ROWID',
  `audit (entry INTEGER PRIMARY KEY, at BIGINT NOT NULL, action TEXT NOT NULL, survey TEXT, actor TEXT,
     detail TEXT NOT NULL, persons TEXT)`,
  // Outcomes of joins by the hour (hours since 1970).
  `join_counts (survey TEXT NOT NULL, hour INTEGER NOT NULL, outcome TEXT NOT NULL, count INTEGER NOT NULL,
     PRIMARY KEY (survey, hour, outcome)) WITHOUT ROWID`,
  `payments (id TEXT PRIMARY KEY, status TEXT NOT NULL, problem TEXT, claimed TEXT, updated BIGINT NOT NULL, buyer TEXT,
     item TEXT NOT NULL, gateway TEXT NOT NULL, currency TEXT NOT NULL, price TEXT NOT NULL, test INTEGER NOT NULL)`,
  // The first time of each status that a callback claimed or the portal confirmed.
  `payment_history (payment TEXT NOT NULL, status TEXT NOT NULL, source TEXT NOT NULL, at BIGINT NOT NULL,
     PRIMARY KEY (payment, status, source)) WITHOUT ROWID`,
];

/** The version of the tables that this program writes. */
export const currentVersion = 1;

/** Creates the tables of an empty store. @throws {KaiactlError} when it has another version or secret (exit 2) */
export async function createTables(
  storage: Pick<Storage, 'atomically'>,
  secret: Secret,
  version: { read(rows: Rows): Promise<number>; write(rows: Rows, version: number): Promise<void> },
): Promise<void> {
  await storage.atomically('create', async (rows) => {
    const found = await version.read(rows);
    if (found === 0) {
      for (const table of tables) await rows.run(`CREATE TABLE ${table}`);
      await rows.run('CREATE INDEX payments_updated ON payments (updated, id)');
      await rows.run("INSERT INTO settings VALUES ('secret', ?)", personOf(secret, 'secret'));
      // A restored copy is the same store.
      await rows.run("INSERT INTO settings VALUES ('store', ?)", randomUUID());
      await version.write(rows, currentVersion);
    } else await expectOwn(rows, secret, found);
  });
}

/** @throws {KaiactlError} when the store is of another version, or belongs to another secret (exit 2) */
export async function expectOwn(rows: Rows, secret: Secret, version: number): Promise<void> {
  if (version !== currentVersion)
    throw new KaiactlError(`the store was written by another version of kaiactl (its format is ${version})`, {
      hint: `This one reads and writes format ${currentVersion}: use the other one.`,
    });
  if ((await settingOf(rows, 'secret')) !== personOf(secret, 'secret'))
    throw new KaiactlError('the participant secret does not belong to this store', {
      hint: 'Restore its file: it is beside the store, or where --participant-secret-file says. “survey admin rotate-secret” finishes an interrupted rotation.',
    });
}

/** The participants' secret: a key, or several, the oldest first. A rotation adds one. */
export type Secret = Buffer | readonly Buffer[];

export function keysOf(secret: Secret): readonly Buffer[] {
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
