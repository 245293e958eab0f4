/** What `survey join` prints. */
import { type ExitCode, exit, explain, type KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import type { Listed } from '../client/joining.js';
import type { JoinRequest } from '../protocol/wire.js';

export type JoinStatus = 'already-listed' | 'submitted' | 'listed' | 'refused' | 'unsent' | 'unknown';

/** The JSON document of one join. */
export interface JoinReport {
  readonly survey: string;
  readonly groupId: string | null;
  readonly commitment: string;
  readonly account: string;
  readonly status: JoinStatus;
  readonly transaction: string | null;
  readonly block: number | null;
  /** Leaf index. */
  readonly index: number | null;
  /** From acceptance to listing. */
  readonly tookMs: number | null;
  /** What went wrong, in a sentence. */
  readonly problem: string | null;
}

export interface JoinReporter {
  /** Something happened: a line of the text format. */
  tell(news: Partial<JoinReport>): Promise<void>;
  /** The end, with the last news if there is some. */
  end(news: Partial<JoinReport> | null): Promise<ExitCode>;
  /** The bad end: @throws the failure, or says it and ends with 130 when the run was interrupted. */
  fail(status: JoinStatus, failure: KaiactlError): Promise<ExitCode>;
}

/** Tells one join on stdout: a line at a time, or one JSON document at its end. */
export function joinReporter(request: JoinRequest, format: 'text' | 'json', host: Host): JoinReporter {
  const { id: survey, commitment, account } = request;
  const nothing = { transaction: null, block: null, index: null, tookMs: null, problem: null };
  let report: JoinReport = { survey, groupId: null, commitment, account, status: 'unsent', ...nothing };
  const tell = async (news: Partial<JoinReport>) => {
    report = { ...report, ...news };
    if (format === 'text') await print(host.stdout, line(report));
  };
  const document = async () => {
    if (format === 'json') await print(host.stdout, `${JSON.stringify(report)}\n`);
  };
  return {
    tell,
    async end(news) {
      if (news !== null) await tell(news);
      await document();
      return exit.ok;
    },
    async fail(status, failure) {
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
  switch (report.status) {
    case 'already-listed':
      return `listed     before this run (${member}); nothing was sent\n`;
    case 'submitted':
      return `submitted  ${short(report.transaction ?? '')}${report.block === null ? '' : `  block ${report.block}`}\n`;
    case 'listed':
      return `listed     ${(report.tookMs ?? 0) < 100 ? 'at once' : `after ${span(report.tookMs ?? 0)}`} (${member})\n`;
    case 'refused':
    case 'unsent':
    case 'unknown':
      return '';
  }
}

/** What a dry run would have sent; secrets by their length only. */
export function dryRun(request: JoinRequest, base: URL, format: 'text' | 'json'): string {
  const { signature, idToken, ...open } = request;
  const shown = { ...open, signature: [signature].flat().map(hidden).join(', '), idToken: hidden(idToken) };
  const to = `${base.href.replace(/\/$/, '')}/api/group/join`;
  if (format === 'json') return `${JSON.stringify({ dryRun: true, to, request: shown })}\n`;
  const rows = Object.entries(shown).map(([name, value]) => `  ${name.padEnd(12)}${value}\n`);
  return `would POST ${to}\n${rows.join('')}`;
}

function hidden(secret: string): string {
  return `(${secret.length} characters, not shown)`;
}

/** The command that tells whether a commitment is listed. */
export function checkNow(request: JoinRequest): string {
  return `Check with: kaiactl survey members ${request.id} --contains ${request.commitment}`;
}

/** A list that ends at a full page may never show the newcomer. */
export function wallNote(listed: Listed): string[] {
  const size = listed.place?.size ?? 0;
  if (size === 0 || size % 100 !== 0) return [];
  return [
    `The list holds exactly ${size} entries: the original API never lists more, however many have joined.`,
  ];
}

/** 2100 → 2.1 s; two minutes and more in minutes. */
export function span(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 6000) / 10} min` : `${(ms / 1000).toFixed(1)} s`;
}

/** A hash as it is usually shortened. */
function short(hash: string): string {
  return hash.length > 20 ? `${hash.slice(0, 10)}…${hash.slice(-4)}` : hash;
}
