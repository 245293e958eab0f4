/** The result of a batch: the report on stdout, the summary on stderr, the exit code. */
import { type ExitCode, exit, type KaiactlError } from '../../errors.js';
import { grouped } from '../../util/words.js';
import type { JournalEntry, JournalState } from '../client/journal.js';

type Latest = ReadonlyMap<string, JournalEntry>;
/** `open`: the next run submits it. A request without an answer is `unknown`. */
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

/** Joins in one part of a report. */
const partSize = 1_000;

/** Every join in the order of the file, in parts: the report of a large batch is never in memory as a whole. */
export function* batchReport(
  survey: string,
  commitments: readonly string[],
  latest: Latest,
  unusable: ReadonlyMap<string, KaiactlError>,
  format: 'text' | 'json',
): Generator<string> {
  const join = (commitment: string) => {
    const entry = latest.get(commitment);
    const {
      transaction = null,
      index = null,
      problem = unusable.get(commitment)?.message ?? null,
    } = entry ?? {};
    return { commitment, status: statusOf(entry), transaction, index, problem };
  };
  const line = (one: string) => {
    const { commitment, status, index, problem } = join(one);
    const detail = index === null ? problem : `member ${index + 1}`;
    return `${`${status.padEnd(9)}${commitment}  ${detail ?? ''}`.trimEnd()}\n`;
  };
  const isJson = format === 'json';
  if (isJson) yield `{"survey":${JSON.stringify(survey)},"joins":[`;
  for (let at = 0; at < commitments.length; at += partSize) {
    const part = commitments.slice(at, at + partSize);
    if (!isJson) yield part.map(line).join('');
    else yield `${at === 0 ? '' : ','}${part.map((one) => JSON.stringify(join(one))).join(',')}`;
  }
  if (isJson) yield ']}\n';
}

const order: readonly Status[] = ['listed', 'accepted', 'sent', 'refused', 'unknown', 'open'];
const words: Readonly<Record<Status, string>> = {
  listed: 'listed',
  accepted: 'accepted but not listed yet',
  sent: 'sent, but not in a block yet',
  refused: 'refused',
  unknown: 'with an unknown outcome',
  open: 'not submitted',
};

/** “40 joins: 38 listed, 2 refused; 3 faults”. */
export function batchSummary(commitments: readonly string[], latest: Latest, faults: number): string {
  const counts = order
    .map((status) => ({ status, count: countOf(status, commitments, latest) }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${grouped(count)} ${words[status]}`);
  const after = faults === 0 ? '' : `; ${grouped(faults)} ${faults === 1 ? 'fault' : 'faults'}`;
  return `${grouped(commitments.length)} ${commitments.length === 1 ? 'join' : 'joins'}: ${counts.join(', ')}${after}`;
}

/** The first that applies: interrupted, unknown or not submitted, refused, not listed in time. */
export function batchCode(
  commitments: readonly string[],
  latest: Latest,
  waited: boolean,
  interrupted: boolean,
): ExitCode {
  const any = (status: Status) => countOf(status, commitments, latest) > 0;
  if (interrupted) return exit.interrupted;
  if (any('unknown') || any('open')) return exit.unseen;
  if (any('refused')) return exit.failed;
  return (any('accepted') || any('sent')) && waited ? exit.pending : exit.ok;
}

function countOf(status: Status, commitments: readonly string[], latest: Latest): number {
  return commitments.filter((commitment) => statusOf(latest.get(commitment)) === status).length;
}
