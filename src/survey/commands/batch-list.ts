/** A batch against the member list: whoever is in it has joined, whatever the journal says. */

import { backoff } from '../client/backoff.js';
import type { Wait } from '../client/joining.js';
import type { Journal, JournalEntry, JournalState } from '../client/journal.js';
import type { GroupInfo } from '../protocol/wire.js';
import type { BatchLine } from './batch-file.js';
import type { JoinOptions, JoinTools, Terms } from './join-tools.js';

/** What one run works with. */
export interface Run {
  readonly options: JoinOptions;
  readonly lines: readonly BatchLine[];
  readonly journal: Journal;
  readonly terms: Terms;
  /** Joins under way at once, at most. */
  readonly concurrency: number;
  readonly wait: Wait;
  readonly tools: JoinTools;
}

const noVerdict: readonly JournalState[] = ['submitting', 'failed', 'unknown'];

/**
 * An outage or a kill leaves joins without a verdict; they may be on their way, so the list gets its time, counted
 * from the last that was heard of them.
 */
export async function settleOpen(run: Run): Promise<void> {
  const { journal, wait, tools, options } = run;
  const open = unlisted(run, noVerdict);
  const heard = open.reduce(
    (last, { commitment }) => Math.max(last, journal.latest.get(commitment)?.at ?? 0),
    0,
  );
  const left = Math.min(heard + wait.timeoutMs - wait.now(), wait.timeoutMs);
  if (left <= 0 || options.dryRun) return;
  await tools.session.say(
    `${open.length} without a verdict from an earlier run; looking for them in the list`,
  );
  await awaitAll(run, noVerdict, left);
}

/** Looks until every join in one of the states is listed, the time is over or the run is interrupted. */
export async function awaitAll(run: Run, states: readonly JournalState[], timeoutMs: number): Promise<void> {
  const { wait, tools, terms } = run;
  const started = wait.now();
  const pace = backoff(wait.intervalMs, wait.intervalMs * 8, wait.signal);
  while (unlisted(run, states).length > 0) {
    const list = await tools.session.client.members(terms.survey);
    if (list.ok) noteListed(run, list.value);
    const left = timeoutMs - (wait.now() - started);
    if (unlisted(run, states).length === 0 || left <= 0 || wait.signal.aborted) return;
    await pace.wait(left);
  }
}

function unlisted({ lines, journal }: Run, states: readonly JournalState[]): BatchLine[] {
  return lines.filter(({ commitment }) =>
    states.some((state) => state === journal.latest.get(commitment)?.state),
  );
}

/** Whoever is in the list is listed, however it came there. */
export function noteListed({ lines, journal, tools, options }: Run, list: GroupInfo): void {
  if (options.dryRun) return;
  const places = new Map(list.members.map((leaf, index) => [leaf, index]));
  const news = lines.flatMap(({ commitment }): JournalEntry[] => {
    const index = places.get(commitment);
    const before = journal.latest.get(commitment);
    if (index === undefined || before?.state === 'listed') return [];
    const transaction = before?.transaction === undefined ? {} : { transaction: before.transaction };
    return [{ commitment, state: 'listed', at: tools.host.now(), index, ...transaction }];
  });
  if (news.length > 0) journal.record(news);
}
