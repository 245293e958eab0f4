/** Checks a copy of an SQLite store without changing it. */
import { existsSync } from 'node:fs';
import { append, noLeaves } from '../group/group.js';
import { groupFaults, readFrontier } from './integrity.js';
import { currentVersion, personOf, type Secret } from './schema.js';
import { libsql, openImmutable } from './sqlite-file.js';
import { rowsOf } from './sqlite-rows.js';
import type { Rows } from './storage.js';

/** What a copy holds. `problem`: why a server could not continue with it; `format`: the version of the tables. */
export type CopyReport = Awaited<ReturnType<typeof verifyCopy>>;

const unread = { format: null, surveys: null, members: null, participants: null };

/**
 * Reads every page, and hashes every member: takes some seconds for 100,000.
 * @param secret the participants' secret that belongs to the copy; null: not checked
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
      const number = async (sql: string) => (await rows.one<[number]>(sql))?.[0] ?? 0;
      const format = await number('PRAGMA user_version');
      return {
        ...{ problem: await problemOf(rows, secret, format), format },
        surveys: await number('SELECT COUNT(*) FROM surveys'),
        members: await number('SELECT COUNT(*) FROM members'),
        participants: await number('SELECT COUNT(*) FROM participants'),
      };
    } finally {
      database.close();
    }
  } catch {
    return { problem: 'it is damaged, or not a kaiactl store', ...unread };
  }
}

async function problemOf(rows: Rows, secret: Secret | null, format: number): Promise<string | null> {
  if (format !== currentVersion)
    return `another version of kaiactl wrote it (its format is ${format}, not ${currentVersion})`;
  const settings = new Map(await rows.all<[string, string]>('SELECT name, value FROM settings'));
  if (settings.has('open')) return 'it was copied from a file in use, without its log';
  if (secret !== null && settings.get('secret') !== personOf(secret, 'secret'))
    return 'the participants’ secret does not belong to it';
  return (await groupFaults(rows))[0]?.what ?? treeProblem(rows);
}

/** Compares each survey's tree with one that is built from its members. */
async function treeProblem(rows: Rows): Promise<string | null> {
  const surveys = await rows.all<[number, string, string]>('SELECT group_id, address, frontier FROM surveys');
  for (const [groupId, survey, text] of surveys) {
    const sql = 'SELECT commitment FROM members WHERE group_id = ? ORDER BY position';
    const members = await rows.all<[string]>(sql, groupId);
    const built = members.reduce((tree, [commitment]) => append(tree, BigInt(commitment)), noLeaves);
    if (String(built.peaks) !== String(readFrontier(text)?.peaks))
      return `the tree of ${survey} is not that of its members`;
  }
  return null;
}
