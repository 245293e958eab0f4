/** `survey join --batch`: many joins, several at a time. A journal makes it resumable. With --check, nothing is sent. */
import { resolve } from 'node:path';
import { addPlace, type ExitCode, exit, KaiactlError } from '../../errors.js';
import { print } from '../../host.js';
import { fileLock } from '../../util/file-lock.js';
import { groupDigits } from '../../util/words.js';
import { openJournal } from '../client/journal.js';
import type { JoinRequest } from '../protocol/wire.js';
import { type BatchLine, type BatchSource, mergeOptions, openBatch, readBatch } from './batch-file.js';
import { isOpen, pollList, type Run, recordListed } from './batch-run.js';
import { type Ending, submitAll } from './batch-submit.js';
import { type Claims, claimsOf, type JoinOptions, type JoinTools } from './credentials.js';
import { batchCode, batchReport, batchSummary } from './join-report.js';
import { requestFor, signerKind } from './joiner.js';
import { clientErrorOf } from './session.js';
import { milliseconds, wholeNumber } from './values.js';

/**
 * Submits the joins without an outcome in the journal. Exit 1: some were refused; 2: some lines cannot be used; 3: some
 * have no outcome; 4: accepted, but not all listed in time.
 */
export async function runBatch(file: string, options: JoinOptions, tools: JoinTools): Promise<ExitCode> {
  const { host } = tools;
  refuseSingle(options);
  const source = {
    path: file === '-' ? null : resolve(host.cwd, file),
    ignoreColumns: options.ignoreColumns,
    common: options,
    tools,
  };
  if (options.check) return checkBatch(source, options);
  if (options.journal === undefined)
    throw new KaiactlError('--batch needs a journal, which records what was submitted', {
      hint: 'Give --journal. The file is created if it is missing.',
    });
  const { keepGoing, maxFaults: faults } = options;
  const maxFaults = faults === undefined ? Infinity : wholeNumber(faults, 'max-faults', undefined, 0);
  const limits = {
    concurrency: wholeNumber(options.concurrency, 'concurrency', 256),
    keepGoing,
    maxFaults: keepGoing ? maxFaults : 0,
    maxOutageMs: milliseconds(options.maxOutage, 'max-outage'),
  };
  const path = resolve(host.cwd, options.journal);
  const batch = await openBatch(source);
  try {
    const release = await fileLock(path, host.platform);
    if (release === null)
      throw new KaiactlError(`another run is using ${path}`, {
        hint: 'Wait until that run ends, or end it.',
      });
    try {
      const journal = await openJournal(path, tools.terms.survey);
      const run = { options, batch, journal, tools, ...limits };
      return await work(run).finally(() => journal.close());
    } finally {
      release();
    }
  } finally {
    await batch.close();
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
  const { tools, journal, options, batch } = run;
  const { host, session, terms } = tools;
  const first = await session.client.members(terms.survey);
  if (!first.ok) throw clientErrorOf(first.clientError, session, ['Nothing was sent.']);
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
  const { wait } = run.tools;
  const until = wait.now() + (isGone ? 0 : wait.timeoutMs);
  const states = ['accepted', 'sent'] as const;
  await pollList(run, why === null ? states : [...states, 'failed', 'unknown'], until, until);
}

function unusableLines({ unusable }: Ending): KaiactlError | null {
  const [first] = unusable;
  if (first === undefined) return null;
  const [commitment, error] = first;
  const place = `the join of ${commitment}`;
  if (unusable.size === 1) return addPlace(place, error) as KaiactlError;
  const count = groupDigits(unusable.size - 1);
  return addPlace(`${place}, and ${count} more that cannot be used`, error) as KaiactlError;
}

type Signed = 'token' | 'signature';

interface Problem {
  /** Counts from 1; null for a problem of the whole batch. */
  readonly line: number | null;
  /** Decimal, or null if the line has none. */
  readonly commitment: string | null;
  readonly code:
    | 'malformed'
    | 'duplicate'
    | 'unusable'
    | `expired-${Signed}`
    | 'wrong-signature'
    | 'unknown-survey';
  readonly problem: string;
}

/** Joins per second that a server accepts from one address, unless its --rate-limit is another. */
const usualRate = 25;

/** Exit 1: some lines cannot join; 3: the API could not be asked about the survey, or tokens could not be checked. */
async function checkBatch(source: BatchSource, options: JoinOptions): Promise<ExitCode> {
  const { host, session, terms } = source.tools;
  // The report names each problem; warnings would repeat it.
  const quiet = {
    ...source,
    tools: { ...source.tools, session: { ...session, say: async () => undefined } },
  };
  const problems: Problem[] = [];
  const ready: Ready[] = [];
  const now = host.now() / 1000;
  const list = await session.client.members(terms.survey);
  const members = list.ok ? new Set(list.value.members) : null;
  let [lines, listed] = [0, 0];
  for await (const line of readBatch(quiet)) {
    lines += 1;
    const isListed = 'commitment' in line && members?.has(line.commitment) === true;
    const found = isListed ? null : await judged(line, quiet);
    if (found === null) listed += 1;
    else if ('problem' in found) problems.push(found);
    else ready.push(found);
  }
  if (lines === 0) throw new KaiactlError(`${source.path ?? 'stdin'} holds no joins`);
  const { clientError = null } = list.ok ? {} : list;
  if (clientError?.kind === 'refused') {
    const problem = clientErrorOf(clientError, session).message;
    problems.unshift({ line: null, commitment: null, code: 'unknown-survey', problem });
  }
  // Only the platform can check a token that is no ID token.
  const opaque = ready.filter(({ claims }) => claims === null);
  // Joins per second at which each token does not expire before its turn.
  const rates = ready.flatMap(({ claims }, at) => (claims?.exp == null ? [] : (at + 1) / (claims.exp - now)));
  const expiring = rates.filter((rate) => rate > usualRate).length;
  const minRate = rates.reduce((max, rate) => Math.max(max, rate), 0);
  const report = {
    survey: terms.survey,
    lines,
    listed: members === null ? null : listed,
    problems,
    unchecked: opaque.length,
    expiring: { tokens: expiring, atPerSecond: usualRate },
    minPerSecond: Math.ceil(10 * minRate) / 10,
  };
  const place = (line: number | null) => (line === null ? '' : `${source.path ?? 'stdin'}:${line}  `);
  const text = problems.map((one) => `${place(one.line)}${one.code.padEnd(18)}${one.problem}\n`).join('');
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(report)}\n` : text);
  await session.say(summary(lines, problems, listed, opaque.length));
  for (const sentence of warnings(opaque, expiring, minRate)) await session.say(`warning: ${sentence}`);
  if (clientError !== null && clientError.kind !== 'refused')
    throw clientErrorOf(clientError, session, ['The survey was not checked.']);
  if (problems.length > 0) return exit.failed;
  return opaque.length > 0 ? exit.unseen : exit.ok;
}

/** @param opaque lines whose token is no ID token */
function* warnings(opaque: readonly Ready[], expiring: number, minRate: number): Generator<string> {
  if (opaque.length > 0) {
    const many = `${groupDigits(opaque.length)} tokens are not ID tokens`;
    const what = opaque.length === 1 ? '1 token is not an ID token' : many;
    const which = `${opaque.length === 1 ? 'it' : 'them'} (the first is in line ${opaque[0]?.line})`;
    yield `${what}, so only the messaging platform can check ${which}`;
  }
  if (expiring > 0) {
    const what =
      expiring === 1 ? '1 token expires before its' : `${groupDigits(expiring)} tokens expire before their`;
    const needed = `the batch needs ${groupDigits(Math.ceil(minRate))} joins a second`;
    yield `at ${usualRate} joins a second (the default --rate-limit of a server), ${what} turn; ${needed}`;
  }
}

interface Ready {
  readonly line: number;
  /** Of its token; null if it is no ID token. */
  readonly claims: Claims | null;
}

async function judged(line: BatchLine, source: BatchSource): Promise<Problem | Ready> {
  const { number } = line;
  if ('problem' in line) {
    // The report names the place itself.
    const place = `${source.path ?? 'stdin'}:${number}`;
    const problem = explained(line.problem).replace(place, '').replace(/^:? /, '');
    return { line: number, commitment: null, code: line.code, problem };
  }
  const { commitment } = line;
  const about = { line: number, commitment };
  try {
    const options = mergeOptions(source.common, line.options);
    const request = await requestFor(options, commitment, source.tools);
    const claims = claimsOf(request.idToken);
    const found = expired(request, claims, source);
    if (found !== null) return { ...about, ...found };
    if ((await signerKind(request, options, source.tools.terms)) !== 'other') return { line: number, claims };
    const problem = `${request.account} did not sign this join of the token’s user`;
    return { ...about, code: 'wrong-signature', problem };
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return { ...about, code: 'unusable', problem: explained(error) };
  }
}

function expired({ expiresAt }: JoinRequest, claims: Claims | null, { tools }: BatchSource) {
  const ends = { token: claims?.exp ?? Infinity, signature: expiresAt ?? Infinity };
  const over = (['token', 'signature'] as const).find((one) => ends[one] <= tools.host.now() / 1000);
  if (over === undefined) return null;
  // A token can hold any number.
  const date = new Date(ends[over] * 1000);
  const at = Number.isNaN(date.getTime()) ? ends[over] : date.toISOString();
  return {
    code: `expired-${over}` as const,
    problem: `the ${over === 'token' ? 'id token' : over} expired at ${at}`,
  };
}

function explained({ message, hint }: KaiactlError): string {
  return hint === null ? message : `${message}. ${hint}`;
}

/** “4 lines: 1 can join, 1 cannot, 1 not checked, 1 listed already”. */
function summary(lines: number, problems: readonly Problem[], listed: number, unchecked: number): string {
  const isUnknown = problems.some(({ line }) => line === null);
  const cannot = isUnknown ? lines : problems.length;
  const can = Math.max(0, lines - cannot - unchecked - listed);
  const parts = [`${groupDigits(can)} can join`, `${groupDigits(cannot)} cannot`];
  if (unchecked > 0) parts.push(`${groupDigits(unchecked)} not checked`);
  if (listed > 0) parts.push(`${groupDigits(listed)} listed already`);
  return `${groupDigits(lines)} ${lines === 1 ? 'line' : 'lines'}: ${parts.join(', ')}`;
}
