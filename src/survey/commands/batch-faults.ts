/** The state of a batch's submission: successes and faults, and the limits that stop it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KaiactlError } from '../../errors.js';
import type { Backoff } from '../client/backoff.js';
import type { Submitted } from '../client/joining.js';
import type { JournalEntry } from '../client/journal.js';
import type { Lanes } from '../client/lanes.js';
import type { BatchProgress } from './batch-progress.js';
import type { Run } from './batch-run.js';
import { span } from './join-report.js';

/** Faults in a row after which all joins pause. */
const maxStreak = 3;
/** Different faults that are shown. */
const maxShown = 10;

/** The state of one submission. */
export interface Submission {
  readonly run: Run;
  readonly groupId: string;
  readonly lanes: Lanes;
  readonly pace: Backoff;
  /** Aborts once the run is interrupted, or has to stop. */
  readonly halted: AbortSignal;
  readonly halt: AbortController;
  readonly shown: BatchProgress;
  readonly unusable: Map<string, KaiactlError>;
  readonly problems: Set<string>;
  /** Joins that this run does not submit again. */
  readonly done: Set<string>;
  faults: number;
  /** Faults since the last accepted join. */
  streak: number;
  lastSuccessAt: number;
  /** When a request was last sent whose outcome is unknown. */
  lastUnknownAt: number;
  why: string | null;
  isGone: boolean;
}

/** A join was accepted or refused. */
export function succeed(commitment: string, submission: Submission): void {
  const { run, lanes, pace, done, shown } = submission;
  done.add(commitment);
  submission.streak = 0;
  submission.lastSuccessAt = run.wait.now();
  pace.reset();
  lanes.widen();
  shown.update();
}

/** Counts a fault, and stops the run or slows it down. */
export async function fail(entry: JournalEntry, submitted: Submitted, submission: Submission): Promise<void> {
  const { run, lanes, pace, done, halted, problems } = submission;
  const { session } = run.tools;
  const clientError = submitted.state === 'accepted' ? null : submitted.clientError;
  const isBusy = entry.state === 'unsent' && clientError?.kind === 'unavailable' && clientError.passing;
  const now = run.wait.now();
  const problem = entry.problem ?? '';
  if (entry.state !== 'unsent') submission.lastUnknownAt = now;
  if (entry.transaction !== undefined) done.add(entry.commitment);
  submission.streak += 1;
  if (!isBusy) submission.faults += 1;
  const leftMs = submission.lastSuccessAt + run.maxOutageMs - now;
  const askedMs = clientError?.retryAfterMs ?? null;
  if (submission.faults > run.maxFaults) return stop(submission, problem, entry.state === 'unsent');
  if (leftMs <= 0 || (askedMs ?? 0) > run.maxOutageMs) {
    return stop(submission, `no join was accepted for ${span(run.maxOutageMs)}: ${problem}`, true);
  }
  if (askedMs !== null && askedMs > 0) {
    const wait = () => sleep(askedMs * 1.25, undefined, { signal: halted }).catch(() => undefined);
    if (lanes.pause(wait)) await session.say(`the API asks for a pause of ${Math.ceil(askedMs / 1000)} s`);
    return;
  }
  if (run.keepGoing && !isBusy && problems.size < maxShown && !problems.has(problem)) {
    problems.add(problem);
    await session.say(`${problem}; retrying`);
  }
  if (isBusy || submission.streak >= maxStreak) lanes.narrow();
  if (submission.streak >= maxStreak) lanes.pause(() => pace.wait(leftMs));
}

/** Ends the run once the joins under way are answered. */
export function stop(submission: Submission, problem: string, isGone: boolean): void {
  submission.why ??= `stopped: ${problem}; the same command continues`;
  submission.isGone ||= isGone;
  submission.halt.abort();
}
