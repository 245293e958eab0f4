/**
 * Submits the joins of a batch in rounds. A round sends every open join once. Between rounds, the member list settles
 * unknown outcomes, so that no join is sent again before the list was read.
 */
import { KaiactlError } from '../../errors.js';
import { backoff } from '../client/backoff.js';
import { type Submitted, submit } from '../client/joining.js';
import type { JournalEntry } from '../client/journal.js';
import { lanes } from '../client/lanes.js';
import type { JoinRequest } from '../protocol/wire.js';
import { fail, type Submission, stop, succeed } from './batch-faults.js';
import { batchProgress } from './batch-progress.js';
import { isOpen, pollList, type Run, unsettled } from './batch-run.js';
import { requestFor } from './joiner.js';
import { sentenceOf } from './session.js';

/** Time that a server gets to list a join whose answer was lost, in milliseconds: a few blocks. */
const settleMs = 15_000;
/** How the submission ended. */
export interface Ending {
  /** Why it ended early; null if every join was submitted. */
  readonly why: string | null;
  /** Whether the API accepts nothing now, so that waiting is useless. */
  readonly isGone: boolean;
  readonly faults: number;
  /** Lines that cannot be signed or sent, by commitment. */
  readonly unusable: ReadonlyMap<string, KaiactlError>;
}

/** Submits every open join. Ends early after an interrupt, or when a limit of the run is exceeded. */
export async function submitAll(run: Run, groupId: string): Promise<Ending> {
  const submission = begin(run, groupId);
  const { halted, shown } = submission;
  const { tools } = run;
  const total = openJoins(submission, true).length;
  let isEnded = false;
  shown.begin(total);
  try {
    for (let isSettled = false; total > 0 && !halted.aborted; isSettled = await settle(submission)) {
      const open = openJoins(submission, isSettled);
      await round(open, submission);
      if (openJoins(submission, true).length === 0) break;
      if (open.length > 0) await submission.pace.wait();
    }
    isEnded = submission.why === null;
  } finally {
    shown.end(tools.host.signal.aborted ? 'interrupted' : isEnded ? 'submitted' : 'stopped');
  }
  const { why, isGone, faults, unusable } = submission;
  if (!tools.host.signal.aborted) return { why, isGone, faults, unusable };
  return { why: 'interrupted; the same command continues', isGone: true, faults, unusable };
}

function begin(run: Run, groupId: string): Submission {
  const { wait, tools, concurrency } = run;
  const halt = new AbortController();
  const halted = AbortSignal.any([tools.host.signal, halt.signal]);
  const done = new Set<string>();
  const submission: Submission = {
    ...{ run, groupId, halt, halted, done },
    lanes: lanes(concurrency),
    pace: backoff(wait.intervalMs, wait.intervalMs * 8, halted),
    shown: batchProgress(run, () => ({ done: done.size, faults: submission.faults })),
    unusable: new Map(),
    problems: new Set(),
    ...{
      faults: 0,
      streak: 0,
      lastSuccessAt: wait.now(),
      lastUnknownAt: wait.now(),
      why: null,
      isGone: false,
    },
  };
  return submission;
}

/** New joins come first, so that one join that always fails does not keep the others back. */
function openJoins({ run, done }: Submission, isSettled: boolean): string[] {
  const [fresh, again]: [string[], string[]] = [[], []];
  for (const commitment of run.batch.commitments.keys()) {
    const entry = run.journal.latest.get(commitment);
    if (done.has(commitment) || !isOpen(entry, run, isSettled)) continue;
    (entry === undefined ? fresh : again).push(commitment);
  }
  return [...fresh, ...again];
}

/** Looks for joins with an unknown outcome in the list. False: the list could not be read for too long. */
async function settle(submission: Submission): Promise<boolean> {
  const { run, lastUnknownAt, lastSuccessAt, done } = submission;
  const open = openJoins(submission, true);
  const deadline = lastUnknownAt + Math.min(run.wait.timeoutMs, settleMs);
  const isRead = await pollList(
    run,
    unsettled,
    deadline,
    Math.max(deadline, lastSuccessAt + run.maxOutageMs),
  );
  if (!isRead) stop(submission, 'the member list could not be read', true);
  for (const commitment of open)
    if (run.journal.latest.get(commitment)?.state === 'listed') done.add(commitment);
  return isRead;
}

/** Sends each join once, several at a time. */
async function round(commitments: readonly string[], submission: Submission): Promise<void> {
  const { run, halted, halt, lanes } = submission;
  const next = commitments.values();
  const work = async () => {
    for (const commitment of next) {
      if (halted.aborted) return;
      await lanes.use(async () => (halted.aborted ? undefined : await attempt(commitment, submission)));
    }
  };
  const workers = Array.from({ length: Math.min(run.concurrency, commitments.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    halt.abort();
    await Promise.allSettled(workers);
    throw error;
  }
}

/** The journal records the request before it is sent, and its outcome before anything else happens. */
async function attempt(commitment: string, submission: Submission): Promise<void> {
  const { journal, tools } = submission.run;
  const request = await requestOf(commitment, submission);
  if (request === null) return;
  await journal.record([{ commitment, state: 'submitting', at: tools.host.now() }]);
  const submitted = await submit(tools.session.client, request, submission.groupId);
  const entry = { commitment, at: tools.host.now(), ...outcome(submitted, submission.run) };
  await journal.record([entry]);
  if (entry.state === 'accepted' || entry.state === 'sent' || entry.state === 'refused') {
    succeed(commitment, submission);
  } else if (!tools.host.signal.aborted) await fail(entry, submitted, submission);
}

/** The signed request; null if the line cannot be used, which ends the run unless it keeps going. */
async function requestOf(commitment: string, submission: Submission): Promise<JoinRequest | null> {
  const { batch, terms, tools, keepGoing } = submission.run;
  try {
    return await requestFor(await batch.optionsOf(commitment), commitment, terms, tools);
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    submission.unusable.set(commitment, error);
    submission.done.add(commitment);
    if (!keepGoing) stop(submission, 'a line cannot be used', true);
    return null;
  }
}

function outcome(submitted: Submitted, { tools }: Run): Omit<JournalEntry, 'commitment' | 'at'> {
  switch (submitted.state) {
    case 'accepted': {
      const { transaction, proven } = submitted;
      if (proven) return { state: 'accepted', transaction };
      const problem = 'the receipt holds no MemberAdded event of this commitment';
      return { state: 'unknown', transaction, problem };
    }
    case 'sent':
      return { state: 'sent', transaction: submitted.transaction, problem: 'not in a block yet' };
    case 'refused':
      // The contract refuses a member: an earlier request, whose answer was lost, was accepted.
      if (submitted.clientError.code === 'LeafAlreadyExists') return { state: 'accepted' };
      return { state: 'refused', problem: sentenceOf(submitted.clientError, tools.session) };
    default:
      return { state: submitted.state, problem: sentenceOf(submitted.clientError, tools.session) };
  }
}
