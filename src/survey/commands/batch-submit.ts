/** The joins of a batch on their way: several at a time, in the journal before they leave and once they are answered. */
import pLimit from 'p-limit';
import { KaiactlError } from '../../errors.js';
import { progress } from '../../terminal/progress.js';
import { backoff } from '../client/backoff.js';
import type { ClientError } from '../client/client-error.js';
import { type Submitted, submit } from '../client/joining.js';
import type { JournalEntry } from '../client/journal.js';
import { type Lanes, lanes } from '../client/lanes.js';
import { type BatchLine, inLine } from './batch-file.js';
import type { Run } from './batch-list.js';
import { requestFor } from './joiner.js';
import { sentenceOf } from './session.js';

/** How often a join is tried that the API could not take for the moment (too many requests, a busy wallet). */
const attempts = 6;

/** Why a batch ended early; `gone` when the API takes nothing now, so that waiting is no use. */
export interface Stopped {
  readonly why: string;
  readonly gone: boolean;
  /** What was wrong with the input, for the end. */
  readonly error?: KaiactlError;
}

const resume = 'the same command goes on from here';

/** What the joins of one run share. */
interface Lot {
  readonly run: Run;
  readonly groupId: string;
  readonly lanes: Lanes;
  readonly halted: AbortSignal;
}

/**
 * Submits in the order of the lines. The first join that an outage leaves without a verdict, or that cannot be
 * signed, ends it when those under way are answered.
 */
export async function submitAll(
  run: Run,
  lines: readonly BatchLine[],
  groupId: string,
): Promise<Stopped | null> {
  const { host } = run.tools;
  const stop = new AbortController();
  const halted = AbortSignal.any([host.signal, stop.signal]);
  const lot = { run, groupId, lanes: lanes(run.concurrency, halted), halted };
  const shown = progress(lines.length, 'joins', host, run.options.quiet);
  let stopped: Stopped | null = null;
  const joined = pLimit(run.concurrency).map(lines, async (line) => {
    const end = await settled(line, lot).catch(expected);
    if (end === null) shown.step();
    else if (end !== 'halted') stopped ??= end;
    if (stopped !== null) stop.abort();
  });
  await joined.finally(shown.end);
  return host.signal.aborted ? { why: `interrupted; ${resume}`, gone: true } : stopped;
}

/** Bad input found on the way must not hide what was done before it. */
function expected(error: unknown): Stopped {
  if (error instanceof KaiactlError) return { why: `stopped; ${resume}`, gone: true, error };
  throw error;
}

/** Null once there is a verdict or the join is on its way. */
async function settled(line: BatchLine, lot: Lot): Promise<Stopped | 'halted' | null> {
  const { run, halted } = lot;
  const pace = backoff(run.wait.intervalMs, run.wait.intervalMs * 8, halted);
  for (let attempt = 1; ; attempt++) {
    const tried = await lot.lanes.use(async () => (halted.aborted ? null : await once(line, lot)));
    if (tried === null) return 'halted';
    const { entry, clientError } = tried;
    if (entry.state !== 'unsent' && entry.state !== 'failed' && entry.state !== 'unknown') {
      lot.lanes.widen();
      return null;
    }
    const asked = clientError?.retryAfterMs ?? null;
    const again = entry.state === 'unsent' && clientError?.passing === true && attempt < attempts;
    if (!again || (asked ?? 0) > run.wait.timeoutMs) {
      return { why: `stopped: ${entry.problem}; ${resume}`, gone: entry.state === 'unsent' };
    }
    if (asked !== null) await rest(asked, lot);
    else {
      lot.lanes.narrow();
      await pace.wait();
    }
  }
}

/** As long as the server asks for, and a little longer; for all joins. */
async function rest(askedMs: number, { lanes, run }: Lot): Promise<void> {
  if (!lanes.pause(askedMs * 1.25)) return;
  await run.tools.session.say(`the API wants a pause of ${Math.ceil(askedMs / 1000)} s`);
}

interface Tried {
  readonly entry: JournalEntry;
  readonly clientError: ClientError | null;
}

/** The journal knows of the request before it leaves, and of its answer before anything else happens. */
async function once({ commitment, options }: BatchLine, { run, groupId }: Lot): Promise<Tried> {
  const { journal, tools, terms } = run;
  const where = `the join of ${commitment}`;
  const request = await inLine(where, () => requestFor(options, commitment, terms, tools));
  journal.record([{ commitment, state: 'submitting', at: tools.host.now() }]);
  const submitted = await submit(tools.session.client, request, groupId);
  const entry = { commitment, at: tools.host.now(), ...verdict(submitted, run) };
  journal.record([entry]);
  return { entry, clientError: submitted.state === 'accepted' ? null : submitted.clientError };
}

function verdict(submitted: Submitted, { tools }: Run): Omit<JournalEntry, 'commitment' | 'at'> {
  if (submitted.state !== 'accepted') {
    if (submitted.state === 'sent') {
      return { state: 'sent', transaction: submitted.transaction, problem: 'not in a block yet' };
    }
    return { state: submitted.state, problem: sentenceOf(submitted.clientError, tools.session) };
  }
  const { transaction, proven } = submitted;
  if (proven) return { state: 'accepted', transaction };
  const problem = 'the receipt holds no MemberAdded event of this commitment';
  return { state: 'unknown', transaction, problem };
}
