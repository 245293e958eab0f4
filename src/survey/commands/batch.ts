/** `survey join --batch`: many joins, one after the other, none submitted twice, resumable at any moment. */
import { resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { print } from '../../host.js';
import { progress } from '../../terminal/progress.js';
import { type Backoff, backoff } from '../client/backoff.js';
import { fileLock } from '../client/file-lock.js';
import { submit, type Wait } from '../client/joining.js';
import { type JournalEntry, openJournal } from '../client/journal.js';
import type { JoinRequest } from '../protocol/wire.js';
import { type BatchLine, inLine, readBatch } from './batch-file.js';
import { awaitAll, noteListed, type Run, settleOpen } from './batch-list.js';
import { batchCode, batchReport, batchSummary } from './batch-report.js';
import type { JoinOptions } from './join-options.js';
import type { JoinTools, Terms } from './join-tools.js';
import { requestFor } from './joiner.js';
import { clientErrorOf, sentenceOf } from './session.js';

/** How often a join is tried that the API turned away for the moment (too many requests, a busy wallet). */
const attempts = 6;

/**
 * Submits what the journal does not account for. Exit 1: something was refused; 3: something has no verdict, or
 * the API went away; 4: accepted, not all listed in time.
 */
export async function runBatch(
  options: JoinOptions,
  file: string,
  terms: Terms,
  wait: Wait,
  tools: JoinTools,
): Promise<ExitCode> {
  const { host } = tools;
  refuseSingle(options);
  if (options.journal === undefined) {
    throw new KaiactlError('--batch needs a journal, or nobody could tell later what was submitted', {
      hint: 'Give --journal; a new file is fine.',
    });
  }
  const path = resolve(host.cwd, options.journal);
  const lines = await readBatch(resolve(host.cwd, file), options, tools);
  const release = await fileLock(path, host.platform);
  try {
    const journal = openJournal(path, terms.survey);
    return await work({ options, lines, journal, terms, wait, tools }).finally(() => journal.close());
  } finally {
    release();
  }
}

function refuseSingle(options: JoinOptions): void {
  for (const name of ['commitment', 'identityFile', 'signature'] as const) {
    if (options[name] === undefined) continue;
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new KaiactlError(`--${option} is for one join, --batch for many`, {
      hint: 'Put it into the file’s lines.',
    });
  }
}

async function work(run: Run): Promise<ExitCode> {
  const { tools, wait, lines, journal, options } = run;
  const { host, session } = tools;
  const first = await session.client.members(run.terms.survey);
  if (!first.ok) throw clientErrorOf(first.clientError, session, exit.failed, ['Nothing was sent.']);
  noteListed(run, first.value);
  await settleOpen(run);
  const remaining = lines.filter(({ commitment }) => isOpen(journal.latest.get(commitment), options));
  if (options.dryRun) {
    await print(host.stdout, `would submit ${remaining.length} of ${lines.length} joins\n`);
    return exit.ok;
  }
  const stopped = await submitAll(run, remaining, first.value.groupId);
  if (stopped?.error !== undefined && journal.latest.size === 0) throw stopped.error;
  if (options.wait) {
    const worth = stopped === null || !stopped.gone;
    await awaitAll(
      run,
      stopped === null ? ['accepted'] : ['accepted', 'unknown'],
      worth ? wait.timeoutMs : 0,
    );
  }
  await print(host.stdout, batchReport(run.terms.survey, lines, journal.latest, options.format));
  await session.say(batchSummary(lines, journal.latest));
  if (stopped !== null) await session.say(stopped.why);
  if (stopped?.error !== undefined) throw stopped.error;
  return batchCode(lines, journal.latest, options.wait, host.signal.aborted);
}

/** Whether a join is to be submitted, given the last that is known of it. */
function isOpen(entry: JournalEntry | undefined, options: JoinOptions): boolean {
  switch (entry?.state) {
    case undefined:
    case 'unsent':
      return true;
    case 'refused':
      return options.retryRefused;
    case 'submitting':
    case 'unknown':
      return options.retryUnknown;
    case 'accepted':
    case 'listed':
      return false;
  }
}

/** Why a batch ended early; `gone` when the API takes nothing now, so that waiting is no use. */
interface Stopped {
  readonly why: string;
  readonly gone: boolean;
  /** What was wrong with the input, for the end. */
  readonly error?: KaiactlError;
}

/** Submits in order; ends early when the API is gone, turns everything away or leaves a join without a verdict. */
async function submitAll(
  run: Run,
  remaining: readonly BatchLine[],
  groupId: string,
): Promise<Stopped | null> {
  const { host } = run.tools;
  const line = progress(remaining.length, 'joins', host, run.options.quiet);
  try {
    for (const one of remaining) {
      if (host.signal.aborted) return { why: `interrupted; ${resume}`, gone: true };
      const where = `the join of ${one.commitment}`;
      const request = await inLine(where, () =>
        requestFor(one.options, one.commitment, run.terms, run.tools),
      ).catch(expected);
      if (request instanceof KaiactlError) return { why: `stopped; ${resume}`, gone: true, error: request };
      const entry = await submitOne(run, request, groupId);
      if (entry.state === 'unsent' || entry.state === 'unknown') {
        return { why: `stopped: ${entry.problem}; ${resume}`, gone: entry.state === 'unsent' };
      }
      line.step();
    }
    return null;
  } finally {
    line.end();
  }
}

/** Bad input found on the way must not hide what was done before it. */
function expected(error: unknown): KaiactlError {
  if (error instanceof KaiactlError) return error;
  throw error;
}

const resume = 'the same command goes on from here';

/** The journal knows of the request before it leaves, and of its answer before anything else happens. */
async function submitOne(run: Run, request: JoinRequest, groupId: string): Promise<JournalEntry> {
  const { journal, tools, wait } = run;
  const { commitment } = request;
  const at = () => tools.host.now();
  const pace = backoff(wait.intervalMs, wait.intervalMs * 8, wait.signal);
  for (let attempt = 1; ; attempt++) {
    journal.record({ commitment, state: 'submitting', at: at() });
    const submitted = await submit(tools.session.client, request, groupId);
    const entry = { commitment, at: at(), ...verdict(submitted, run) };
    journal.record(entry);
    const again = submitted.state === 'refused' && submitted.clientError.passing && attempt < attempts;
    const asked = again ? submitted.clientError.retryAfterMs : null;
    if (!again || wait.signal.aborted || (asked ?? 0) > wait.timeoutMs) return entry;
    await pause(pace, asked, run);
  }
}

/** As long as the server asks for, or else a little longer each time. */
async function pause(pace: Backoff, askedMs: number | null, { tools, wait }: Run): Promise<void> {
  if (askedMs === null) return pace.wait();
  await tools.session.say(`the API wants a pause of ${Math.ceil(askedMs / 1000)} s`);
  await backoff(askedMs * 1.25, askedMs * 1.25, wait.signal).wait();
}

function verdict(
  submitted: Awaited<ReturnType<typeof submit>>,
  { tools }: Run,
): Omit<JournalEntry, 'commitment' | 'at'> {
  if (submitted.state !== 'accepted') {
    const problem = sentenceOf(submitted.clientError, tools.session);
    // Turned away for the moment is as good as not sent: the next run may try it.
    const later = submitted.state === 'refused' && submitted.clientError.passing;
    return { state: later ? 'unsent' : submitted.state, problem };
  }
  const { transaction, proven } = submitted;
  if (proven) return { state: 'accepted', transaction };
  return {
    state: 'unknown',
    transaction,
    problem: 'the receipt holds no MemberAdded event of this commitment',
  };
}
