/** `survey join --batch --check`: lists the lines that cannot join, without sending a join. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { print } from '../../host.js';
import { grouped } from '../../util/words.js';
import type { JoinRequest } from '../protocol/wire.js';
import { type BatchLine, type BatchSource, readBatch } from './batch-file.js';
import { merged } from './batch-rows.js';
import type { JoinOptions, Terms } from './join-tools.js';
import { requestFor, signerKind } from './joiner.js';
import { clientErrorOf } from './session.js';
import { type Claims, claimsOf } from './token.js';

interface Problem {
  /** Counts from 1; null for a problem of the whole batch. */
  readonly line: number | null;
  /** Decimal, or null if the line has none. */
  readonly commitment: string | null;
  readonly code:
    | 'malformed'
    | 'duplicate'
    | 'unusable'
    | 'expired-token'
    | 'expired-signature'
    | 'wrong-signature'
    | 'unknown-survey';
  readonly problem: string;
}

/** What is known of the lines without a problem. */
interface Outlook {
  /** Lines whose token is no ID token, and the first of them: only the platform can check it. */
  unchecked: number;
  firstUnchecked: number | null;
  /** Tokens that expire before their turn at `usualRate`. */
  expiring: number;
  /** Rate at which no token expires before its turn, in joins per second. */
  minRate: number;
}

/** Joins per second that a server accepts from one address, unless its --rate-limit is another. */
const usualRate = 25;

/** Exit 1: some lines cannot join; 3: the API could not be asked about the survey, or tokens could not be checked. */
export async function checkBatch(source: BatchSource, options: JoinOptions, terms: Terms): Promise<ExitCode> {
  const { host, session } = source.tools;
  // The report names each problem; warnings would repeat it.
  const tools = { ...source.tools, session: { ...session, say: async () => undefined } };
  const problems: Problem[] = [];
  const outlook: Outlook = { unchecked: 0, firstUnchecked: null, expiring: 0, minRate: 0 };
  const list = await session.client.members(terms.survey);
  const members = list.ok ? new Set(list.value.members) : null;
  let [lines, listed, turn] = [0, 0, 0];
  for await (const line of readBatch({ ...source, tools })) {
    lines += 1;
    if ('commitment' in line && members?.has(line.commitment) === true) {
      listed += 1;
      continue;
    }
    const found = await judged(line, { ...source, tools }, terms);
    if ('problem' in found) problems.push(found);
    else lookAhead(found.claims, ++turn, line.number, host.now() / 1000, outlook);
  }
  const { clientError = null } = list.ok ? {} : list;
  if (clientError?.kind === 'refused') {
    const problem = clientErrorOf(clientError, session, exit.failed).message;
    problems.unshift({ line: null, commitment: null, code: 'unknown-survey', problem });
  }
  const { unchecked, expiring, minRate } = outlook;
  const report = {
    ...{ survey: terms.survey, lines, listed: members === null ? null : listed, problems, unchecked },
    ...{ expiring: { tokens: expiring, atPerSecond: usualRate }, minPerSecond: Math.ceil(10 * minRate) / 10 },
  };
  const text = problems.map((one) => textOf(one, source.path ?? 'stdin')).join('');
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(report)}\n` : text);
  await session.say(summary(lines, problems, listed, unchecked));
  for (const sentence of warnings(outlook)) await session.say(`warning: ${sentence}`);
  if (clientError !== null && clientError.kind !== 'refused') {
    throw clientErrorOf(clientError, session, exit.unseen, ['The survey was not checked.']);
  }
  if (problems.length > 0) return exit.failed;
  return unchecked > 0 ? exit.unseen : exit.ok;
}

/** Adds a line without a problem, which is sent as the `turn`th. @param now seconds since 1970 */
function lookAhead(claims: Claims | null, turn: number, line: number, now: number, outlook: Outlook): void {
  if (claims === null) {
    outlook.unchecked += 1;
    outlook.firstUnchecked ??= line;
    return;
  }
  if (claims.exp === null) return;
  const rate = turn / (claims.exp - now);
  if (rate > usualRate) outlook.expiring += 1;
  outlook.minRate = Math.max(outlook.minRate, rate);
}

function* warnings({ unchecked, firstUnchecked, expiring, minRate }: Outlook): Generator<string> {
  if (unchecked > 0) {
    const what =
      unchecked === 1 ? '1 token is not an ID token' : `${grouped(unchecked)} tokens are not ID tokens`;
    yield `${what}, so only the messaging platform can check ${unchecked === 1 ? 'it' : 'them'} (the first is in line ${firstUnchecked})`;
  }
  if (expiring > 0) {
    const what = expiring === 1 ? '1 token expires' : `${grouped(expiring)} tokens expire`;
    yield `at ${usualRate} joins a second (the default --rate-limit of a server), ${what} before ${expiring === 1 ? 'its' : 'their'} turn; the batch needs ${grouped(Math.ceil(minRate))} joins a second`;
  }
}

type Judged = Problem | { readonly claims: Claims | null };

async function judged(line: BatchLine, source: BatchSource, terms: Terms): Promise<Judged> {
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
    const options = merged(source.common, line.options);
    const request = await requestFor(options, commitment, terms, source.tools);
    const claims = claimsOf(request.idToken);
    const found = expired(request, claims, source);
    if (found !== null) return { ...about, ...found };
    if ((await signerKind(request, options, terms)) !== 'other') return { claims };
    return {
      ...about,
      code: 'wrong-signature',
      problem: `${request.account} did not sign this join of the token’s user`,
    };
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return { ...about, code: 'unusable', problem: explained(error) };
  }
}

type Found = Pick<Problem, 'code' | 'problem'>;

function expired({ expiresAt }: JoinRequest, claims: Claims | null, { tools }: BatchSource): Found | null {
  const exp = claims?.exp ?? null;
  const now = tools.host.now() / 1000;
  if (exp !== null && exp <= now) {
    return { code: 'expired-token', problem: `the id token expired at ${timeOf(exp)}` };
  }
  if (expiresAt === undefined || expiresAt > now) return null;
  return { code: 'expired-signature', problem: `the signature expired at ${timeOf(expiresAt)}` };
}

/** Seconds since 1970 as a date; a token can hold any number. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

function explained({ message, hint }: KaiactlError): string {
  return hint === null ? message : `${message}. ${hint}`;
}

function textOf({ line, code, problem }: Problem, path: string): string {
  const place = line === null ? '' : `${path}:${line}  `;
  return `${place}${code.padEnd(18)}${problem}\n`;
}

/** “4 lines: 1 can join, 1 cannot, 1 not checked, 1 listed already”. */
function summary(lines: number, problems: readonly Problem[], listed: number, unchecked: number): string {
  const isUnknown = problems.some(({ line }) => line === null);
  const cannot = isUnknown ? lines : problems.length;
  const can = Math.max(0, lines - cannot - unchecked - listed);
  const parts = [`${grouped(can)} can join`, `${grouped(cannot)} cannot`];
  if (unchecked > 0) parts.push(`${grouped(unchecked)} not checked`);
  if (listed > 0) parts.push(`${grouped(listed)} listed already`);
  return `${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}: ${parts.join(', ')}`;
}
