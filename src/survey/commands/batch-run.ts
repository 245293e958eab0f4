/** The state of a batch's run: its joins by the journal and by the member list, and its progress. */
import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { failure } from '../../errors.js';
import { type Progress, progress } from '../../terminal/progress.js';
import { recentRate } from '../../util/recent-rate.js';
import { tryOr } from '../../util/try-or.js';
import { groupDigits } from '../../util/words.js';
import type { Journal, JournalEntry, JournalState } from '../client/journal.js';
import { backoff } from '../client/pace.js';
import type { GroupInfo } from '../protocol/wire.js';
import type { Batch } from './batch-file.js';
import type { JoinOptions, JoinTools } from './credentials.js';

export interface Run {
  readonly options: JoinOptions;
  readonly batch: Batch;
  readonly journal: Journal;
  readonly concurrency: number;
  readonly keepGoing: boolean;
  readonly maxFaults: number;
  /** The run stops after this long without an accepted join. */
  readonly maxOutageMs: number;
  readonly tools: JoinTools;
}

/** States of a join that the server may have accepted. */
export const unsettled: readonly JournalState[] = ['submitting', 'sent', 'failed', 'unknown'];

/** Whether this run submits a join. One that may have been accepted is open only after the list was read. */
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
 * @param giveUpAt on the clock of `tools.wait`, like `deadline`
 * @returns false if it was interrupted, or if no poll succeeded until `giveUpAt`
 */
export async function pollList(
  run: Run,
  states: readonly JournalState[],
  deadline: number,
  giveUpAt: number,
): Promise<boolean> {
  const { wait, session, terms } = run.tools;
  const pace = backoff(wait.intervalMs, wait.intervalMs * 8, wait.signal);
  while (hasAny(run, states)) {
    const list = await session.client.members(terms.survey);
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
  for (const [commitment, { state }] of journal.latest)
    if (states.includes(state) && batch.commitments.has(commitment)) return true;
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

const betweenWritesMs = 2_000;

/** Shows what `counts` returns. The file (--progress) is replaced every two seconds while the batch runs. */
export function batchProgress({ options, tools }: Run, counts: () => { done: number; faults: number }) {
  const { host, terms, wait } = tools;
  const path = options.progress === undefined ? null : resolve(host.cwd, options.progress);
  const rate = recentRate(wait.now());
  let total = 0;
  let shown: Progress | null = null;
  let timer: NodeJS.Timeout | undefined;
  const write = (state: string): void => {
    if (path === null) return;
    const { done, faults } = counts();
    const perSecond = Math.round(10 * rate(done, wait.now())) / 10;
    const isKnown = state === 'running' && perSecond > 0;
    const secondsLeft = done === total ? 0 : isKnown ? Math.ceil((total - done) / perSecond) : null;
    const at = new Date(host.now()).toISOString();
    const report = { survey: terms.survey, at, state, total, done, faults, perSecond, secondsLeft };
    // A reader never sees half a file.
    writeFileSync(`${path}.part`, `${JSON.stringify(report)}\n`);
    renameSync(`${path}.part`, path);
  };
  return {
    /** Starts to show progress towards `count` joins. @throws {KaiactlError} if the file cannot be written (exit 2) */
    begin(count: number) {
      total = count;
      const faultsText = () => {
        const { faults } = counts();
        return faults === 0 ? '' : `, ${groupDigits(faults)} ${faults === 1 ? 'fault' : 'faults'}`;
      };
      shown = progress(total, 'joins', host, options.quiet, faultsText);
      try {
        write('running');
      } catch (error) {
        throw failure(`cannot write the progress file ${path}`, error);
      }
      // From here on, the file is best effort: a full disk does not end a batch.
      timer = setInterval(() => tryOr(() => write('running'), null), betweenWritesMs).unref();
    },
    update: () => shown?.update(counts().done),
    end(state: 'submitted' | 'stopped' | 'interrupted') {
      clearInterval(timer);
      shown?.end();
      tryOr(() => write(state), null);
    },
  };
}
