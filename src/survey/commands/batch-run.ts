/** The state of a batch's run: its joins by the journal, and by the member list. */
import { backoff } from '../client/backoff.js';
import type { Wait } from '../client/joining.js';
import type { Journal, JournalEntry, JournalState } from '../client/journal.js';
import type { GroupInfo } from '../protocol/wire.js';
import type { Batch } from './batch-file.js';
import type { JoinOptions, JoinTools, Terms } from './join-tools.js';

export interface Run {
  readonly options: JoinOptions;
  readonly batch: Batch;
  readonly journal: Journal;
  readonly terms: Terms;
  /** Most joins under way at once. */
  readonly concurrency: number;
  /** Whether faults are retried. */
  readonly keepGoing: boolean;
  /** The run stops after more faults than this. */
  readonly maxFaults: number;
  /** The run stops after this long without an accepted join. */
  readonly maxOutageMs: number;
  readonly wait: Wait;
  readonly tools: JoinTools;
}

/** States of a join that the server may have accepted. */
export const unsettled: readonly JournalState[] = ['submitting', 'sent', 'failed', 'unknown'];

/**
 * Whether this run submits a join. A join that the server may have accepted is open only after the list was read
 * (`isSettled`).
 */
export function isOpen(entry: JournalEntry | undefined, run: Run, isSettled: boolean): boolean {
  const { keepGoing, options } = run;
  switch (entry?.state) {
    case undefined:
    case 'unsent':
      return true;
    case 'refused':
      return options.retryRefused;
    case 'failed':
      return isSettled;
    case 'submitting':
    case 'unknown':
      // With a transaction, the receipt did not prove the join: a retry would pay again.
      return isSettled && (options.retryUnknown || (keepGoing && entry.transaction === undefined));
    case 'sent':
      return isSettled && options.retryUnknown;
    case 'accepted':
    case 'listed':
      return false;
  }
}

/**
 * Polls the list until it holds every join in one of the states, or until a poll after `deadline` succeeds.
 * @param giveUpAt on the clock of `run.wait`, like `deadline`
 * @returns false if it was interrupted, or if no poll succeeded until `giveUpAt`
 */
export async function pollList(
  run: Run,
  states: readonly JournalState[],
  deadline: number,
  giveUpAt: number,
): Promise<boolean> {
  const { wait, tools, terms } = run;
  const pace = backoff(wait.intervalMs, wait.intervalMs * 8, wait.signal);
  while (hasAny(run, states)) {
    const list = await tools.session.client.members(terms.survey);
    if (list.ok) await recordListed(run, list.value);
    if (!hasAny(run, states)) break;
    const now = wait.now();
    if (list.ok && now >= deadline) return true;
    if (now >= giveUpAt || wait.signal.aborted) return false;
    await pace.wait((list.ok ? deadline : giveUpAt) - now);
  }
  return true;
}

function hasAny({ batch, journal }: Run, states: readonly JournalState[]): boolean {
  for (const commitment of batch.commitments.keys()) {
    const { state } = journal.latest.get(commitment) ?? {};
    if (state !== undefined && states.includes(state)) return true;
  }
  return false;
}

/** Entries that are written at once. */
const maxRecorded = 5_000;

/** Records the joins that the list holds, whatever the journal says of them. */
export async function recordListed({ batch, journal, tools, options }: Run, list: GroupInfo): Promise<void> {
  if (options.dryRun) return;
  const at = tools.host.now();
  let found: JournalEntry[] = [];
  for (const [index, commitment] of list.members.entries()) {
    if (!batch.commitments.has(commitment)) continue;
    const { state, transaction } = journal.latest.get(commitment) ?? {};
    if (state === 'listed') continue;
    const sent = transaction === undefined ? {} : { transaction };
    found.push({ commitment, state: 'listed', at, index, ...sent });
    if (found.length < maxRecorded) continue;
    await journal.record(found);
    found = [];
  }
  if (found.length > 0) await journal.record(found);
}
