/** `survey join --batch`: many joins, several at a time. A journal makes it resumable. */
import { resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError, located } from '../../errors.js';
import { print } from '../../host.js';
import { grouped } from '../../util/words.js';
import { fileLock } from '../client/file-lock.js';
import type { Wait } from '../client/joining.js';
import { openJournal } from '../client/journal.js';
import { openBatch } from './batch-file.js';
import { batchCode, batchReport, batchSummary } from './batch-report.js';
import { isOpen, pollList, type Run, recordListed } from './batch-run.js';
import { type Ending, submitAll } from './batch-submit.js';
import type { JoinOptions, JoinTools, Terms } from './join-tools.js';
import { clientErrorOf, milliseconds, wholeNumber } from './session.js';

/**
 * Submits the joins without an outcome in the journal. Exit 1: some were refused; 2: some lines cannot be used; 3: some
 * have no outcome; 4: accepted, but not all listed in time.
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
  const source = {
    path: file === '-' ? null : resolve(host.cwd, file),
    ignoreColumns: options.ignoreColumns,
    ...{ common: options, scheme: terms.scheme, tools },
  };
  if (options.check) {
    const { checkBatch } = await import('./batch-check.js');
    return checkBatch(source, options, terms);
  }
  if (options.journal === undefined) {
    throw new KaiactlError('--batch needs a journal, which records what was submitted', {
      hint: 'Give --journal. The file is created if it is missing.',
    });
  }
  const keepGoing = options.keepGoing ?? true;
  const maxFaults =
    options.maxFaults === undefined ? Number.POSITIVE_INFINITY : faultLimit(options.maxFaults);
  const limits = {
    concurrency: wholeNumber(options.concurrency, 'concurrency', 256),
    ...{ keepGoing, maxFaults: keepGoing ? maxFaults : 0 },
    maxOutageMs: milliseconds(options.maxOutage, 'max-outage'),
  };
  const path = resolve(host.cwd, options.journal);
  const batch = await openBatch(source);
  try {
    const release = await fileLock(path, host.platform);
    try {
      const journal = await openJournal(path, terms.survey);
      const run = { options, batch, journal, terms, wait, tools, ...limits };
      return await work(run).finally(() => journal.close());
    } finally {
      release();
    }
  } finally {
    await batch.close();
  }
}

function faultLimit(text: string): number {
  return text === '0' ? 0 : wholeNumber(text, 'max-faults');
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
  const { tools, journal, options, batch, terms } = run;
  const { host, session } = tools;
  const first = await session.client.members(terms.survey);
  if (!first.ok) throw clientErrorOf(first.clientError, session, exit.failed, ['Nothing was sent.']);
  await recordListed(run, first.value);
  if (options.dryRun) {
    const open = [...batch.commitments.keys()].filter((one) => isOpen(journal.latest.get(one), run, true));
    await print(host.stdout, `would submit ${open.length} of ${batch.commitments.size} joins\n`);
    return exit.ok;
  }
  const ending = await submitAll(run, first.value.groupId);
  const unusable = unusableLines(ending);
  if (unusable !== null && journal.latest.size === 0) throw unusable;
  if (options.wait) await awaitListing(run, ending);
  const commitments = [...batch.commitments.keys()];
  for (const part of batchReport(terms.survey, commitments, journal.latest, ending.unusable, options.format))
    await print(host.stdout, part);
  await session.say(batchSummary(commitments, journal.latest, ending.faults));
  if (ending.why !== null) await session.say(ending.why);
  if (unusable !== null) throw unusable;
  return batchCode(commitments, journal.latest, options.wait, host.signal.aborted);
}

/** Waits until the accepted joins are listed; after an early end also for those with an unknown outcome. */
async function awaitListing(run: Run, { why, isGone }: Ending): Promise<void> {
  const until = run.wait.now() + (isGone ? 0 : run.wait.timeoutMs);
  const states = ['accepted', 'sent'] as const;
  await pollList(run, why === null ? states : [...states, 'failed', 'unknown'], until, until);
}

/** One error for all lines that cannot be used, or null. */
function unusableLines({ unusable }: Ending): KaiactlError | null {
  const [first] = unusable;
  if (first === undefined) return null;
  const [commitment, error] = first;
  const place = `the join of ${commitment}`;
  if (unusable.size === 1) return located(place, error) as KaiactlError;
  const count = grouped(unusable.size - 1);
  return located(`${place}, and ${count} more that cannot be used`, error) as KaiactlError;
}
