/** Checks a store without changing it: a copy of an SQLite file, or a database. */
import { existsSync } from 'node:fs';
import { storedTree } from './embedded.js';
import { currentVersion, personOf, type Secret } from './schema.js';
import { libsql, openImmutable } from './sqlite-file.js';
import { rowsOf } from './sqlite-rows.js';
import type { Rows } from './storage.js';
import { groupFaults } from './survey-rows.js';
import { TreeChecks } from './tree-checks.js';

/** What a store holds. `problem`: why a server could not continue with it; `format`: the version of the tables. */
export type CopyReport = Awaited<ReturnType<typeof verifyCopy>>;

const unread = { format: null, surveys: null, members: null, participants: null };

/**
 * Reads every page, and hashes every member: takes some seconds for 100,000.
 * @param secret the participants' secret that belongs to the copy; null if it is not checked
 * @throws {KaiactlError} when libsql is not installed (exit 2)
 */
export async function verifyCopy(path: string, secret: Secret | null) {
  if (existsSync(`${path}-wal`)) return { problem: 'it is the file of a server, not a backup', ...unread };
  const Database = await libsql();
  try {
    const database = openImmutable(Database, path);
    try {
      const rows = rowsOf(database);
      const [found] = (await rows.one<[string]>('PRAGMA integrity_check(1)')) ?? [];
      if (found !== 'ok') return { problem: 'its pages are damaged', ...unread };
      const [format = 0] = (await rows.one<[number]>('PRAGMA user_version')) ?? [];
      return await verifyRows(rows, secret, format);
    } finally {
      database.close();
    }
  } catch {
    return { problem: 'it is damaged, or not a kaiactl store', ...unread };
  }
}

export async function verifyRows(rows: Rows, secret: Secret | null, format: number) {
  const number = async (sql: string) => Number((await rows.one<[number]>(sql))?.[0] ?? 0);
  return {
    problem: await problemOf(rows, secret, format),
    format,
    surveys: await number('SELECT COUNT(*) FROM surveys'),
    members: await number('SELECT COUNT(*) FROM members'),
    participants: await number('SELECT COUNT(*) FROM participants'),
  };
}

async function problemOf(rows: Rows, secret: Secret | null, format: number): Promise<string | null> {
  if (format !== currentVersion)
    return `another version of kaiactl wrote it (its format is ${format}, not ${currentVersion})`;
  const settings = new Map(await rows.all<[string, string]>('SELECT name, value FROM settings'));
  if (settings.has('open')) return 'it was copied from a file in use, without its log';
  if (secret !== null && settings.get('secret') !== personOf(secret, 'secret'))
    return 'the participants’ secret does not belong to it';
  const [fault] = await groupFaults(rows);
  if (fault !== undefined) return fault.what;
  const surveys = await rows.all<[string]>('SELECT address FROM surveys');
  const list = async () => surveys.map(([survey]) => survey);
  const trees = new TreeChecks({ list, read: (survey) => storedTree(rows, survey) });
  await trees.run();
  return trees.anyFault();
}
