/** `survey join --batch`: many joins, several at a time, none submitted twice, resumable at any moment. */
import { resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { print } from '../../host.js';
import { fileLock } from '../client/file-lock.js';
import type { Wait } from '../client/joining.js';
import { type JournalEntry, openJournal } from '../client/journal.js';
import { type BatchLine, readBatch } from './batch-file.js';
import { awaitAll, noteListed, type Run, settleOpen } from './batch-list.js';
import { batchCode, batchReport, batchSummary } from './batch-report.js';
import { submitAll } from './batch-submit.js';
import type { JoinOptions, JoinTools, Terms } from './join-tools.js';
import { clientErrorOf, wholeNumber } from './session.js';

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
  const concurrency = wholeNumber(options.concurrency, 'concurrency', 256);
  const path = resolve(host.cwd, options.journal);
  const lines = await readBatch(resolve(host.cwd, file), options, terms.scheme, tools);
  const release = await fileLock(path, host.platform);
  try {
    const journal = openJournal(path, terms.survey);
    return await work({ options, lines, journal, terms, concurrency, wait, tools }).finally(() =>
      journal.close(),
    );
  } finally {
    release();
  }
}

function refuseSingle(options: JoinOptions): void {
  for (const name of ['commitment', 'identityFile', 'signature', 'signatureFile'] as const) {
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
  const remaining = toSubmit(run);
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
      stopped === null ? ['accepted', 'sent'] : ['accepted', 'sent', 'failed', 'unknown'],
      worth ? wait.timeoutMs : 0,
    );
  }
  await print(host.stdout, batchReport(run.terms.survey, lines, journal.latest, options.format));
  await session.say(batchSummary(lines, journal.latest));
  if (stopped !== null) await session.say(stopped.why);
  if (stopped?.error !== undefined) throw stopped.error;
  return batchCode(lines, journal.latest, options.wait, host.signal.aborted);
}

/** In the order of the file; what failed before comes last, so that one odd join cannot keep the others out. */
function toSubmit({ lines, journal, options }: Run): BatchLine[] {
  const last = ({ commitment }: BatchLine) => journal.latest.get(commitment);
  const open = lines.filter((line) => isOpen(last(line), options));
  const fresh = (line: BatchLine) => last(line) === undefined;
  return [...open.filter(fresh), ...open.filter((line) => !fresh(line))];
}

/** Whether a join is to be submitted, given the last that is known of it. */
function isOpen(entry: JournalEntry | undefined, options: JoinOptions): boolean {
  switch (entry?.state) {
    case undefined:
    case 'unsent':
    case 'failed':
      return true;
    case 'refused':
      return options.retryRefused;
    case 'submitting':
    case 'sent':
    case 'unknown':
      return options.retryUnknown;
    case 'accepted':
    case 'listed':
      return false;
  }
}
