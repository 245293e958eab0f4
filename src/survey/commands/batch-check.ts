/** `survey join --batch --check`: lists the lines that cannot join, and sends nothing. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { print } from '../../host.js';
import { grouped } from '../../util/words.js';
import type { JoinRequest } from '../protocol/wire.js';
import { type BatchLine, type BatchSource, readBatch } from './batch-file.js';
import { merged } from './batch-rows.js';
import type { JoinOptions, Terms } from './join-tools.js';
import { requestFor, signerKind } from './joiner.js';
import { clientErrorOf } from './session.js';
import { claimsOf } from './token.js';

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

/** Exit 1: some lines cannot join; 3: the API could not be asked about the survey. */
export async function checkBatch(source: BatchSource, options: JoinOptions, terms: Terms): Promise<ExitCode> {
  const { host, session } = source.tools;
  // The report names each problem; warnings would repeat it.
  const tools = { ...source.tools, session: { ...session, say: async () => undefined } };
  const problems: Problem[] = [];
  const commitments = new Set<string>();
  let lines = 0;
  for await (const line of readBatch({ ...source, tools })) {
    lines += 1;
    const problem = await problemOf(line, { ...source, tools }, terms);
    if (problem !== null) problems.push(problem);
    if ('commitment' in line) commitments.add(line.commitment);
  }
  const list = await session.client.members(terms.survey);
  const { clientError = null } = list.ok ? {} : list;
  if (clientError?.kind === 'refused') {
    const problem = clientErrorOf(clientError, session, exit.failed).message;
    problems.unshift({ line: null, commitment: null, code: 'unknown-survey', problem });
  }
  const listed = list.ok ? list.value.members.filter((member) => commitments.has(member)).length : null;
  const report = { survey: terms.survey, lines, listed, problems };
  const text = problems.map((one) => textOf(one, source.path)).join('');
  await print(host.stdout, options.format === 'json' ? `${JSON.stringify(report)}\n` : text);
  await session.say(summary(lines, problems, listed));
  if (clientError !== null && clientError.kind !== 'refused') {
    throw clientErrorOf(clientError, session, exit.unseen, ['The survey was not checked.']);
  }
  return problems.length === 0 ? exit.ok : exit.failed;
}

async function problemOf(line: BatchLine, source: BatchSource, terms: Terms): Promise<Problem | null> {
  const { number } = line;
  if ('problem' in line) {
    return { line: number, commitment: null, code: line.code, problem: explained(line.problem) };
  }
  const { commitment } = line;
  const about = { line: number, commitment };
  try {
    const options = merged(source.common, line.options);
    const request = await requestFor(options, commitment, terms, source.tools);
    const found = expired(request, source);
    if (found !== null) return { ...about, ...found };
    if ((await signerKind(request, options, terms)) !== 'other') return null;
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

function expired({ idToken, expiresAt }: JoinRequest, { tools }: BatchSource): Found | null {
  const exp = claimsOf(idToken)?.exp ?? null;
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

/** “3 lines: 1 can join, 1 is listed, 1 cannot join”. */
function summary(lines: number, problems: readonly Problem[], listed: number | null): string {
  const isUnknown = problems.some(({ line }) => line === null);
  const cannot = isUnknown ? lines : problems.length;
  const parts = [`${grouped(lines - cannot)} can join`, `${grouped(cannot)} cannot`];
  if (listed !== null && listed > 0) parts.push(`${grouped(listed)} listed already`);
  return `${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}: ${parts.join(', ')}`;
}
