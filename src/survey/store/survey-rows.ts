/** The table of surveys in an embedded store. */
import { type Frontier, noLeaves } from '../group/group.js';
import { Refused } from '../protocol/refused.js';
import { joinLock, type Rows, type Storage } from './storage.js';

export interface SurveyRow {
  readonly groupId: number;
  readonly closed: boolean;
  frontier: Frontier;
}

/**
 * Registers the surveys that are new, with the next group ids, from 0.
 * @param surveys checksummed addresses
 */
export async function registerSurveys(storage: Storage, surveys: readonly string[]): Promise<void> {
  await storage.atomically(joinLock, async (rows) => {
    for (const survey of surveys) {
      await rows.run(
        `INSERT INTO surveys (group_id, address, frontier) SELECT COUNT(*), ?, '{"size":0,"peaks":[]}' FROM surveys WHERE true
         ON CONFLICT (address) DO NOTHING`,
        survey,
      );
    }
  });
}

/** By address, in the order of their group ids. */
export async function surveyRows(rows: Rows): Promise<Map<string, SurveyRow>> {
  const found = await rows.all<[string, number, string, number]>(
    'SELECT address, group_id, frontier, closed FROM surveys ORDER BY group_id',
  );
  return new Map(
    found.map(([address, groupId, frontier, closed]) => [
      address,
      { groupId, frontier: readFrontier(frontier), closed: closed === 1 },
    ]),
  );
}

function readFrontier(text: string): Frontier {
  const { size, peaks } = JSON.parse(text) as { size: number; peaks: string[] };
  return size === 0 ? noLeaves : { size, peaks: peaks.map(BigInt) };
}

export function unknownSurvey(): Refused {
  return new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not keep it');
}
