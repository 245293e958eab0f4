/** What a batch comes to: the result on stdout, its sum on stderr, its exit code. */
import { type ExitCode, exit } from '../../errors.js';
import { grouped } from '../../util/words.js';
import type { JournalEntry, JournalState } from '../client/journal.js';
import type { BatchLine } from './batch-file.js';

type Latest = ReadonlyMap<string, JournalEntry>;
/** `open`: to be submitted by the next run. A request whose answer never came is unknown. */
type Status = Exclude<JournalState, 'submitting' | 'unsent' | 'failed'> | 'open';

function statusOf(entry: JournalEntry | undefined): Status {
  switch (entry?.state) {
    case undefined:
    case 'unsent':
    case 'failed':
      return 'open';
    case 'submitting':
      return 'unknown';
    default:
      return entry?.state ?? 'open';
  }
}

/** Every join in the order of the file. */
export function batchReport(
  survey: string,
  lines: readonly BatchLine[],
  latest: Latest,
  format: 'text' | 'json',
): string {
  const joins = lines.map(({ commitment }) => {
    const entry = latest.get(commitment);
    const { transaction = null, index = null, problem = null } = entry ?? {};
    return { commitment, status: statusOf(entry), transaction, index, problem };
  });
  if (format === 'json') return `${JSON.stringify({ survey, joins })}\n`;
  return joins
    .map(({ commitment, status, index, problem }) => {
      const detail = index === null ? problem : `member ${index + 1}`;
      return `${`${status.padEnd(9)}${commitment}  ${detail ?? ''}`.trimEnd()}\n`;
    })
    .join('');
}

const order: readonly Status[] = ['listed', 'accepted', 'sent', 'refused', 'unknown', 'open'];
const words: Readonly<Record<Status, string>> = {
  listed: 'listed',
  accepted: 'accepted but not listed yet',
  sent: 'sent, but not in a block yet',
  refused: 'refused',
  unknown: 'without a verdict (--retry-unknown submits them again)',
  open: 'not submitted',
};

/** “40 joins: 38 listed, 2 refused”. */
export function batchSummary(lines: readonly BatchLine[], latest: Latest): string {
  const counts = order
    .map((status) => ({ status, count: countOf(status, lines, latest) }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${grouped(count)} ${words[status]}`);
  return `${grouped(lines.length)} ${lines.length === 1 ? 'join' : 'joins'}: ${counts.join(', ')}`;
}

/** The first of: interrupted, no verdict or not submitted, refused, not listed in time. */
export function batchCode(
  lines: readonly BatchLine[],
  latest: Latest,
  waited: boolean,
  interrupted: boolean,
): ExitCode {
  const any = (status: Status) => countOf(status, lines, latest) > 0;
  if (interrupted) return exit.interrupted;
  if (any('unknown') || any('open')) return exit.unseen;
  if (any('refused')) return exit.failed;
  return (any('accepted') || any('sent')) && waited ? exit.pending : exit.ok;
}

function countOf(status: Status, lines: readonly BatchLine[], latest: Latest): number {
  return lines.filter(({ commitment }) => statusOf(latest.get(commitment)) === status).length;
}
