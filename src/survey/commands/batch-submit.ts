/**
 * Submits the joins of a batch in rounds. A round sends every open join once. Between rounds, the member list settles
 * unknown outcomes, so that no join is sent again before the list was read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { KaiactlError } from '../../errors.js';
import { type Submitted, submit } from '../client/joining.js';
import type { JournalEntry } from '../client/journal.js';
import { backoff, lanes } from '../client/pace.js';
import type { JoinRequest } from '../protocol/wire.js';
import { batchProgress, isOpen, pollList, type Run, unsettled } from './batch-run.js';
import { span } from './join-report.js';
import { requestFor } from './joiner.js';
import { sentenceOf } from './session.js';

/** Time that a server gets to list a join whose answer was lost, in milliseconds: a few blocks. */
const settleMs = 15_000;
/** Faults in a row after which all joins pause. */
const maxStreak = 3;
const maxShown = 10;

type Submission = ReturnType<typeof begin>;
export type Ending = Awaited<ReturnType<typeof submitAll>>;

/** Submits every open join. Ends early after an interrupt, or when a limit of the run is exceeded. */
export async function submitAll(run: Run, groupId: string) {
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
    isEnded = submission.state.why === null;
  } finally {
    shown.end(tools.host.signal.aborted ? 'interrupted' : isEnded ? 'submitted' : 'stopped');
  }
  const isInterrupted = tools.host.signal.aborted;
  return {
    /** Why it ended early; null if every join was submitted. */
    why: isInterrupted ? 'interrupted; the same command continues' : submission.state.why,
    /** Whether the API accepts nothing now, so that waiting is useless. */
    isGone: isInterrupted || submission.state.isGone,
    faults: submission.state.faults,
    unusable: submission.unusable,
  };
}

function begin(run: Run, groupId: string) {
  const { wait, host } = run.tools;
  const halt = new AbortController();
  const halted = AbortSignal.any([host.signal, halt.signal]);
  const done = new Set<string>();
  const now = wait.now();
  const state = {
    faults: 0,
    lastSuccessAt: now,
    why: null as string | null,
    isGone: false,
    /** Faults since the last accepted join. */
    streak: 0,
    /** When a request was last sent whose outcome is unknown. */
    lastUnknownAt: now,
  };
  return {
    run,
    groupId,
    state,
    halt,
    lanes: lanes(run.concurrency),
    /** Aborts once the run is interrupted, or has to stop. */
    halted,
    pace: backoff(wait.intervalMs, wait.intervalMs * 8, halted),
    shown: batchProgress(run, () => ({ done: done.size, faults: state.faults })),
    unusable: new Map<string, KaiactlError>(),
    problems: new Set<string>(),
    /** Joins that this run does not submit again. */
    done,
  };
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
  const { run, done, state } = submission;
  const { lastUnknownAt, lastSuccessAt } = state;
  const open = openJoins(submission, true);
  const deadline = lastUnknownAt + Math.min(run.tools.wait.timeoutMs, settleMs);
  const giveUpAt = Math.max(deadline, lastSuccessAt + run.maxOutageMs);
  const isRead = await pollList(run, unsettled, deadline, giveUpAt);
  if (!isRead) stop(submission, 'the member list could not be read', true);
  for (const commitment of open)
    if (run.journal.latest.get(commitment)?.state === 'listed') done.add(commitment);
  return isRead;
}

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
  const { batch, tools, keepGoing } = submission.run;
  try {
    return await requestFor(await batch.optionsOf(commitment), commitment, tools);
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

function succeed(commitment: string, submission: Submission): void {
  const { run, lanes, pace, done, shown } = submission;
  done.add(commitment);
  submission.state.streak = 0;
  submission.state.lastSuccessAt = run.tools.wait.now();
  pace.reset();
  lanes.widen();
  shown.update();
}

/** Counts a fault, and stops the run or slows it down. */
async function fail(entry: JournalEntry, submitted: Submitted, submission: Submission): Promise<void> {
  const { run, lanes, pace, done, halted, problems } = submission;
  const { session } = run.tools;
  const clientError = submitted.state === 'accepted' ? null : submitted.clientError;
  const isBusy = entry.state === 'unsent' && clientError?.kind === 'unavailable' && clientError.passing;
  const now = run.tools.wait.now();
  const problem = entry.problem ?? '';
  if (entry.state !== 'unsent') submission.state.lastUnknownAt = now;
  if (entry.transaction !== undefined) done.add(entry.commitment);
  submission.state.streak += 1;
  submission.state.faults += 1;
  const leftMs = submission.state.lastSuccessAt + run.maxOutageMs - now;
  const askedMs = clientError?.retryAfterMs ?? null;
  if (submission.state.faults > run.maxFaults) return stop(submission, problem, entry.state === 'unsent');
  if (leftMs <= 0 || (askedMs ?? 0) > run.maxOutageMs)
    return stop(submission, `no join was accepted for ${span(run.maxOutageMs)}: ${problem}`, true);
  if (askedMs !== null && askedMs > 0) {
    const wait = () => sleep(askedMs * 1.25, undefined, { signal: halted }).catch(() => undefined);
    if (lanes.pause(wait)) await session.say(`the API asks for a pause of ${Math.ceil(askedMs / 1000)} s`);
    return;
  }
  if (run.keepGoing && !isBusy && problems.size < maxShown && !problems.has(problem)) {
    problems.add(problem);
    await session.say(`${problem}; retrying`);
  }
  if (isBusy || submission.state.streak >= maxStreak) lanes.narrow();
  if (submission.state.streak >= maxStreak) lanes.pause(() => pace.wait(leftMs));
}

function stop(submission: Submission, problem: string, isGone: boolean): void {
  submission.state.why ??= `stopped: ${problem}; the same command continues`;
  submission.state.isGone ||= isGone;
  submission.halt.abort();
}
