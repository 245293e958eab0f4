/** The table of surveys in an embedded store. */
import type { Frontier } from '../group/group.js';
import { Refused } from '../protocol/refused.js';
import { damaged, readFrontier } from './integrity.js';
import { joinLock, type Rows, type Storage } from './storage.js';

export interface SurveyRow {
  readonly groupId: number;
  readonly closed: boolean;
  /** Null: no limit. */
  readonly maxMembers: number | null;
  frontier: Frontier;
}

/**
 * Registers the surveys that are new, with the next group ids, from 0.
 * @param surveys checksummed addresses
 */
export async function registerSurveys(storage: Storage, surveys: readonly string[]): Promise<void> {
  await storage.atomically(joinLock, async (rows) => {
    for (const survey of surveys) await register(rows, survey);
  });
}

export async function register(rows: Rows, survey: string): Promise<void> {
  await rows.run(
    `INSERT INTO surveys (group_id, address, frontier) SELECT COALESCE(MAX(group_id) + 1, 0), ?, '{"size":0,"peaks":[]}' FROM surveys WHERE true
     ON CONFLICT (address) DO NOTHING`,
    survey,
  );
}

/** By address, in the order of their group ids. @throws {Refused} when one cannot be read */
export async function surveyRows(rows: Rows): Promise<Map<string, SurveyRow>> {
  const found = await rows.all<[string, number, string, number, number | null]>(
    `SELECT address, group_id, frontier, closed, max_members FROM surveys LEFT JOIN policies ON survey = address
     ORDER BY group_id`,
  );
  return new Map(
    found.map(([address, groupId, text, closed, maxMembers]) => {
      const frontier = readFrontier(text);
      if (frontier === null) throw damaged(`the tree of ${address} cannot be read`);
      return [address, { groupId, frontier, closed: closed === 1, maxMembers }];
    }),
  );
}

export function unknownSurvey(): Refused {
  return new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not keep it');
}
