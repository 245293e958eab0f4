/** The tables of surveys and members in an embedded store, and whether they agree. */
import { type Frontier, noLeaves } from '../group/group.js';
import { Refused } from '../protocol/refused.js';
import { damageRefusal, joinLock, type Rows, type Storage } from './storage.js';

export interface SurveyRow {
  readonly groupId: number;
  readonly closed: boolean;
  /** Null: no limit. */
  readonly maxMembers: number | null;
  frontier: Frontier;
}

/** Registers the surveys that are new, with the next group ids, from 0. @param surveys checksummed addresses */
export async function registerSurveys(storage: Storage, surveys: readonly string[]): Promise<void> {
  await storage.atomically(joinLock, async (rows) => {
    for (const survey of surveys) await register(rows, survey);
  });
}

export async function register(rows: Rows, survey: string): Promise<void> {
  await rows.run(
    `INSERT INTO surveys (group_id, address, frontier) SELECT COALESCE(MAX(group_id) + 1, 0), ?, ? FROM surveys WHERE true
     ON CONFLICT (address) DO NOTHING`,
    survey,
    frontierText(noLeaves),
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
      if (frontier === null) throw damageRefusal(`the tree of ${address} cannot be read`);
      return [address, { groupId, frontier, closed: closed === 1, maxMembers }];
    }),
  );
}

/** Whether servers of a chain used the store, and it keeps no survey itself: only they know which surveys they serve. */
export async function isOnChain(rows: Rows): Promise<boolean> {
  const sql = `SELECT survey FROM chain_surveys UNION SELECT survey FROM policies UNION SELECT chain_group FROM chain_groups`;
  return (await rows.one(sql)) !== undefined && (await rows.one('SELECT 1 FROM surveys')) === undefined;
}

export function unknownSurvey(): Refused {
  return new Refused('UNKNOWN_SURVEY', 'no such survey', 'this server does not serve it');
}

type Columns = [survey: string, frontier: string, count: number, first: number | null, last: number | null];

/** Surveys whose members, positions and frontier do not agree. Reads the index of the members once. */
export async function groupFaults(rows: Rows): Promise<{ survey: string; what: string }[]> {
  const groups = await rows.all<Columns>(
    `SELECT address, frontier, COUNT(position), MIN(position), MAX(position) FROM surveys
     LEFT JOIN members ON members.group_id = surveys.group_id GROUP BY surveys.group_id, address, frontier`,
  );
  return groups.flatMap((group) => {
    const what = faultOf(group);
    return what === null ? [] : [{ survey: group[0], what }];
  });
}

function faultOf([survey, text, count, first, last]: Columns): string | null {
  const frontier = readFrontier(text);
  if (frontier === null) return `the tree of ${survey} cannot be read`;
  if (count !== frontier.size) return `${survey} has ${count} members, but its tree has ${frontier.size}`;
  const isWhole = count === 0 || (first === 0 && last === count - 1);
  return isWhole ? null : `the positions of the members of ${survey} have a gap`;
}

export function frontierText({ size, peaks }: Frontier): string {
  return JSON.stringify({ size, peaks: peaks.map(String) });
}

/** A stored frontier; null when it is none: a tree has a peak for each set bit of its size. */
export function readFrontier(text: string): Frontier | null {
  try {
    const { size, peaks } = JSON.parse(text) as { size: number; peaks: string[] };
    const bits = size.toString(2).replaceAll('0', '').length;
    if (!Number.isSafeInteger(size) || size < 0 || peaks.length !== bits) return null;
    return size === 0 ? noLeaves : { size, peaks: peaks.map(BigInt) };
  } catch {
    return null;
  }
}
