/** Whether a store is whole: what is checked at every start, and what is checked in a backup. */
import { type Frontier, noLeaves } from '../group/group.js';
import { Refused } from '../protocol/refused.js';
import type { Rows } from './storage.js';

/** The refusal of a store that is damaged (503): nothing was done. */
export function damaged(what: string): Refused {
  const reason = `${what}: check a backup (of a file: “kaiactl survey backup --verify FILE”), and restore it`;
  return new Refused('STORE_DAMAGED', 'the store is damaged', reason);
}

export function isDamaged(error: unknown): error is Refused {
  return error instanceof Refused && error.code === 'STORE_DAMAGED';
}

/** A refusal as one sentence, for the operator. */
export function sentenceOf({ message, reason }: Refused): string {
  return `${message}: ${reason}`;
}

type Columns = [survey: string, frontier: string, count: number, first: number | null, last: number | null];

/**
 * Surveys whose members, their positions and their frontier do not agree. Counts rows only: its time is bounded by reading
 * the index of the members once.
 */
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
