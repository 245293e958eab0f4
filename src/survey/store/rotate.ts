/** A rotation of the participants' secret: every stored hash of a person is hashed again under a new key. */
import { existsSync, renameSync } from 'node:fs';
import { KaiactlError } from '../../errors.js';
import { Refused } from '../protocol/refused.js';
import { type AuditEntry, auditLock, record } from './audit.js';
import { decisionsPath, newestOnly } from './decisions.js';
import { openStorage } from './open.js';
import { readParticipantSecret, rotatedPath, writeRotated } from './participant-secret.js';
import { ended } from './participants.js';
import { personOf } from './schema.js';
import { insertAll, ownerLock, type Rows, type Storage, settingOf } from './storage.js';

/** Who rotates, and when. */
type By = Pick<AuditEntry, 'at' | 'actor'>;

/** Resolves with the number of keys. @throws {KaiactlError} when a server uses the store, or it cannot be opened */
export async function rotateSecret(place: string, path: string, by: By, drops: boolean): Promise<number> {
  const done = await finishInterrupted(place, path);
  if (done !== null) return done;
  const keys = readParticipantSecret(path);
  const storage = await newestOnly(await openStorage(place, keys), decisionsPath(path));
  try {
    const rotated = writeRotated(path, drops ? [] : keys);
    const [key] = rotated.slice(-1);
    if (key !== undefined) await rotate(storage, key, by, drops);
    renameSync(rotatedPath(path), path);
    return rotated.length;
  } catch (error) {
    if (error instanceof Refused) throw new KaiactlError(error.sentence);
    throw error;
  } finally {
    await storage.close();
  }
}

/** After a crash between the store's change and the file's, the new file belongs to the store. */
async function finishInterrupted(place: string, path: string): Promise<number | null> {
  if (!existsSync(rotatedPath(path))) return null;
  const keys = readParticipantSecret(rotatedPath(path));
  const opened = await openStorage(place, keys).catch(() => null);
  if (opened === null) return null;
  await opened.close();
  renameSync(rotatedPath(path), path);
  return keys.length;
}

/** Tables of persons, with their columns: the person is the second. */
const tables = [
  ['participants', 'survey, person, claim, owner'],
  ['allowed', 'survey, person'],
  ['forgotten', 'survey, person'],
] as const;

/**
 * Rotates in one transaction. No server may use the store, since it would go on with the old secret.
 * @param drops whether the former keys are dropped, and with them every record of a person
 * @throws {Refused} when a server uses the store, or an open survey needs the former keys
 */
export async function rotate(storage: Storage, key: Buffer, by: By, drops = false): Promise<void> {
  const again = (hash: string) => (hash === ended ? ended : personOf(key, hash));
  await storage.atomically(auditLock, async (rows) => {
    if (storage.kind === 'postgres') await refuseInUse(rows, 'the secret cannot be rotated');
    if (drops) await dropPersons(rows, by.at);
    for (const [name, columns] of tables) {
      const kept = await rows.all<[string, string, ...rest: unknown[]]>(`SELECT ${columns} FROM ${name}`);
      await rows.run(`DELETE FROM ${name}`);
      const hashed = kept.map(([survey, person, ...rest]) => [survey, again(person), ...rest] as const);
      // Sorted, so that the rows do not keep their former order.
      hashed.sort(([, a], [, b]) => (a < b ? -1 : 1));
      await insertAll(rows, `${name} (${columns})`, hashed);
    }
    await rehash(rows, 'budgets', 'purse', again);
    await rehash(rows, 'payments', 'buyer', again);
    const erased = 'SELECT entry, persons FROM audit WHERE persons IS NOT NULL';
    for (const [entry, persons] of await rows.all<[number, string]>(erased)) {
      const hashed = JSON.stringify((JSON.parse(persons) as string[]).map(again));
      await rows.run('UPDATE audit SET persons = ? WHERE entry = ?', hashed, entry);
    }
    const hash = again(drops ? 'secret' : await settingOf(rows, 'secret'));
    await rows.run("UPDATE settings SET value = ? WHERE name = 'secret'", hash);
    await record(rows, { ...by, action: 'rotate-secret', survey: null, detail: drops ? { drops } : {} });
  });
}

/** Erases every record of a person. Surveys that had one take no more joins of one per user. */
async function dropPersons(rows: Rows, at: number): Promise<void> {
  const recorded = tables.map(([name]) => `SELECT survey FROM ${name}`).join(' UNION ');
  const [open] =
    (await rows.one<[string]>(
      `SELECT survey FROM (${recorded}) AS recorded WHERE survey NOT IN (
         SELECT address FROM surveys WHERE closed = 1 UNION SELECT survey FROM chain_surveys WHERE closed = 1
         UNION SELECT survey FROM policies WHERE closes <= ?) ORDER BY survey`,
      at,
    )) ?? [];
  if (open !== undefined) {
    const reason = `survey ${open} is open, and needs them to know who has joined: close it first`;
    throw new Refused('INVALID_ARGUMENT', 'the keys cannot be dropped', reason);
  }
  const surveys = await rows.all<[string]>(recorded);
  for (const [name] of tables) await rows.run(`DELETE FROM ${name}`);
  const tombstones = surveys.map(([survey]) => [survey, ended]);
  await insertAll(rows, 'forgotten (survey, person)', tombstones);
  await rows.run("DELETE FROM budgets WHERE purse NOT LIKE 'survey %'");
  await rows.run('UPDATE payments SET buyer = NULL');
  await rows.run('UPDATE audit SET persons = NULL');
}

/** Hashes each value of the column again; a purse of a survey is no hash. */
async function rehash(rows: Rows, table: string, column: string, again: (hash: string) => string) {
  const sql = `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`;
  const found = await rows.all<[string]>(sql);
  for (const [hash] of found)
    if (!hash.startsWith('survey '))
      await rows.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, again(hash), hash);
}

/** Every server of a database holds an advisory lock, this process too. */
export async function refuseInUse(rows: Rows, sentence: string): Promise<void> {
  const [count = 0] =
    (await rows.one<[number]>(
      `SELECT COUNT(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
       WHERE locktype = 'advisory' AND classid = ? AND datname = current_database() AND granted`,
      ownerLock,
    )) ?? [];
  if (count > 1) {
    const reason = 'a server uses the store: stop all of them first';
    throw new Refused('STORE_IN_USE', sentence, reason);
  }
}
