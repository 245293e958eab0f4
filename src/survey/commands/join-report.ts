/** The output of `survey join`: of one join, and of a batch. */
import { type ExitCode, exit, explain, type KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { groupBy } from '../../util/group-by.js';
import { groupDigits } from '../../util/words.js';
import type { Listed } from '../client/joining.js';
import type { JournalEntry, JournalState } from '../client/journal.js';
import type { JoinRequest } from '../protocol/wire.js';

export interface JoinReport {
  readonly survey: string;
  readonly groupId: string | null;
  readonly commitment: string;
  readonly account: string;
  readonly status: 'already-listed' | 'submitted' | 'listed' | 'refused' | 'unsent' | 'unknown';
  readonly transaction: string | null;
  readonly block: number | null;
  /** Leaf index. */
  readonly index: number | null;
  /** From acceptance to listing, in milliseconds. */
  readonly tookMs: number | null;
  readonly problem: string | null;
}

/** Reports one join on stdout: line by line, or as one JSON document at the end. */
export function joinReporter(request: JoinRequest, format: 'text' | 'json', host: Host) {
  const { id: survey, commitment, account } = request;
  const nothing = { transaction: null, block: null, index: null, tookMs: null, problem: null };
  let report: JoinReport = { survey, groupId: null, commitment, account, status: 'unsent', ...nothing };
  const note = async (update: Partial<JoinReport>): Promise<void> => {
    report = { ...report, ...update };
    if (format === 'text') await print(host.stdout, line(report));
  };
  const document = async () => {
    if (format === 'json') await print(host.stdout, `${JSON.stringify(report)}\n`);
  };
  return {
    note,
    async end(update: Partial<JoinReport> | null): Promise<ExitCode> {
      if (update !== null) await note(update);
      await document();
      return exit.ok;
    },
    /** Ends the report with an error. @throws the failure; after an interrupt it prints the failure and resolves with 130. */
    async fail(status: JoinReport['status'], failure: KaiactlError): Promise<ExitCode> {
      report = { ...report, status, problem: failure.message };
      await document();
      if (!host.signal.aborted) throw failure;
      await print(host.stderr, `${explain(failure).join('\n')}\n`);
      return exit.interrupted;
    },
  };
}

function line(report: JoinReport): string {
  const member =
    report.index === null ? 'in the contract, not in the API’s list' : `member ${report.index + 1}`;
  const { status, transaction, block, tookMs } = report;
  switch (status) {
    case 'already-listed':
      return `listed     before this run (${member}); nothing was sent\n`;
    case 'submitted': {
      const hash = (transaction ?? '').replace(/^(.{10}).{7,}(.{4})$/, '$1…$2');
      return `submitted  ${hash}${block === null ? '' : `  block ${block}`}\n`;
    }
    case 'listed':
      return `listed     ${(tookMs ?? 0) < 100 ? 'at once' : `after ${span(tookMs ?? 0)}`} (${member})\n`;
    default:
      return '';
  }
}

/** The request of a dry run; secrets are replaced by their length. */
export function dryRun(request: JoinRequest, base: URL, format: 'text' | 'json'): string {
  const { signature, idToken, ...open } = request;
  const hidden = (secret: string) => `(${secret.length} characters, not shown)`;
  const shown = { ...open, signature: [signature].flat().map(hidden).join(', '), idToken: hidden(idToken) };
  const to = `${base.href.replace(/\/$/, '')}/api/group/join`;
  if (format === 'json') return `${JSON.stringify({ dryRun: true, to, request: shown })}\n`;
  const rows = Object.entries(shown).map(([name, value]) => `  ${name.padEnd(12)}${value}\n`);
  return `would POST ${to}\n${rows.join('')}`;
}

export function checkNow({ id, commitment }: JoinRequest, { href }: URL): string {
  return `Check with: kaiactl survey members ${id} --contains ${commitment} --api-url ${href}`;
}

/** A list that ends at a full page may never show the new member. */
export function wallNote(listed: Listed): string[] {
  const size = listed.place?.size ?? 0;
  if (size === 0 || size % 100 !== 0) return [];
  return [
    `The list holds exactly ${size} entries: the original API never lists more, however many have joined.`,
  ];
}

/** 2100 → 2.1 s; from two minutes, in minutes. */
export function span(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 6000) / 10} min` : `${(ms / 1000).toFixed(1)} s`;
}

type Latest = ReadonlyMap<string, JournalEntry>;
/** `open`: the next run submits it. A request without an answer is `unknown`. */
type BatchStatus = Exclude<JournalState, 'submitting' | 'unsent' | 'failed'> | 'open';

function batchStatusOf(entry: JournalEntry | undefined): BatchStatus {
  const state = entry?.state ?? 'unsent';
  if (state === 'unsent' || state === 'failed') return 'open';
  return state === 'submitting' ? 'unknown' : state;
}

const partSize = 1_000;

/** Every join in the order of the file, in parts: the report of a large batch is never in memory as a whole. */
export function* batchReport(
  survey: string,
  commitments: readonly string[],
  latest: Latest,
  unusable: ReadonlyMap<string, KaiactlError>,
  format: 'text' | 'json',
): Generator<string> {
  const join = (commitment: string) => {
    const entry = latest.get(commitment);
    const unsent = unusable.get(commitment)?.message ?? null;
    const { transaction = null, index = null, problem = unsent } = entry ?? {};
    return { commitment, status: batchStatusOf(entry), transaction, index, problem };
  };
  const line = (one: string) => {
    const { commitment, status, index, problem } = join(one);
    const detail = index === null ? problem : `member ${index + 1}`;
    return `${`${status.padEnd(9)}${commitment}  ${detail ?? ''}`.trimEnd()}\n`;
  };
  const isJson = format === 'json';
  if (isJson) yield `{"survey":${JSON.stringify(survey)},"joins":[`;
  for (let at = 0; at < commitments.length; at += partSize) {
    const part = commitments.slice(at, at + partSize);
    if (!isJson) yield part.map(line).join('');
    else yield `${at === 0 ? '' : ','}${part.map((one) => JSON.stringify(join(one))).join(',')}`;
  }
  if (isJson) yield ']}\n';
}

/** In the order of the summary. */
const words: Readonly<Record<BatchStatus, string>> = {
  listed: 'listed',
  accepted: 'accepted but not listed yet',
  sent: 'sent, but not in a block yet',
  refused: 'refused',
  unknown: 'with an unknown outcome',
  open: 'not submitted',
};

/** “40 joins: 38 listed, 2 refused; 3 faults”. */
export function batchSummary(commitments: readonly string[], latest: Latest, faults: number): string {
  const found = groupBy(commitments, (one) => batchStatusOf(latest.get(one)));
  const counts = Object.entries(words).flatMap(([status, text]) => {
    const count = found.get(status as BatchStatus)?.length;
    return count === undefined ? [] : [`${groupDigits(count)} ${text}`];
  });
  const after = faults === 0 ? '' : `; ${groupDigits(faults)} ${faults === 1 ? 'fault' : 'faults'}`;
  return `${groupDigits(commitments.length)} ${commitments.length === 1 ? 'join' : 'joins'}: ${counts.join(', ')}${after}`;
}

/** The first that applies: interrupted, unknown or not submitted, refused, not listed in time. */
export function batchCode(
  commitments: readonly string[],
  latest: Latest,
  waited: boolean,
  interrupted: boolean,
): ExitCode {
  if (interrupted) return exit.interrupted;
  const found = new Set(commitments.map((one) => batchStatusOf(latest.get(one))));
  if (found.has('unknown') || found.has('open')) return exit.unseen;
  if (found.has('refused')) return exit.failed;
  return (found.has('accepted') || found.has('sent')) && waited ? exit.pending : exit.ok;
}
