/** `# kaiactl-ignore <rule> [until=YYYY-MM-DD] reason="…"`: on the line or the line above. */

import { closest } from '../../util/closest.js';
import type { ConfFacts } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import type { Span } from '../facts/span.js';
import { assignmentsByLine } from './conf.js';
import { complete, type Judgement } from './judge.js';
import type { Draft, Rule } from './rule.js';

/** One rule named by one comment. */
interface Suppression {
  /** The rule's id of today. */
  readonly rule: string;
  readonly written: string;
  readonly reason: string;
  readonly until: string | null;
  readonly at: Span;
  /** The lines whose findings it covers. */
  readonly lines: readonly number[];
}

type AssignmentAt = ReturnType<typeof assignmentsByLine>;

type Parsed =
  | { readonly ok: true; readonly value: Omit<Suppression, 'rule' | 'lines'>[] }
  | { readonly ok: false; readonly problem: string };

/** The three rules that judge suppressions themselves; `rules` finds them by these ids. */
const own = {
  malformed: 'malformed-suppression',
  expired: 'expired-suppression',
  unused: 'unused-suppression',
} as const;

/** A file with more suppressions than this is no conf; the rest suppress nothing. */
const most = 1_000;
/** A suppression this many comment lines above the line it is for is not found. */
const furthest = 50;

/**
 * Marks what the conf's comments suppress, and adds the findings about the comments themselves.
 * A finding about a suppression cannot be suppressed.
 */
export function suppress(facts: Facts, judgements: readonly Judgement[]): Judgement[] {
  if (facts.conf?.state !== 'seen') return [...judgements];
  const conf = facts.conf.value;
  const comments = conf.comments.filter(({ text }) => /kaiactl-ignore\b/.test(text)).slice(0, most);
  if (comments.length === 0) return [...judgements];
  const today = facts.gatheredAt.slice(0, 10);
  const drafts: Record<string, Draft[]> = { [own.malformed]: [], [own.expired]: [], [own.unused]: [] };
  const valid = comments.flatMap((comment) => understand(conf, comment, judgements, drafts));
  const used = new Set<Suppression>();
  const around = assignmentsByLine(conf);
  const marked = judgements.map((judgement) => mark(around, judgement, valid, today, used));
  for (const one of valid) weigh(one, used.has(one), today, judgements, drafts);
  return marked.map((judgement) => {
    const added = complete(facts, judgement.rule, drafts[judgement.rule.id] ?? []);
    return added.length === 0
      ? judgement
      : { ...judgement, verdict: 'fail', findings: [...judgement.findings, ...added] };
  });
}

function understand(
  conf: ConfFacts,
  comment: ConfFacts['comments'][number],
  judgements: readonly Judgement[],
  drafts: Record<string, Draft[]>,
): Suppression[] {
  const parsed = parse(comment.text, comment.at);
  if (!parsed.ok) {
    drafts[own.malformed]?.push(malformed(comment.at, parsed.problem));
    return [];
  }
  const lines = coveredLines(conf, comment.at);
  return parsed.value.flatMap((one) => {
    const rule = judgements.find(
      ({ rule }) => rule.id === one.written || rule.aliases?.includes(one.written) === true,
    );
    if (rule !== undefined) return [{ ...one, rule: rule.rule.id, lines }];
    const near = closest(
      one.written,
      judgements.map(({ rule }) => rule.id),
    );
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    drafts[own.malformed]?.push(malformed(one.at, `There is no rule ${one.written}.${hint}`));
    return [];
  });
}

function parse(text: string, at: Span): Parsed {
  const rest = text.slice(text.indexOf('kaiactl-ignore') + 'kaiactl-ignore'.length);
  const reason = /\breason=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(rest);
  const until = /\buntil=(\S*)/.exec(rest)?.[1] ?? null;
  const names = rest
    .replace(/\b(?:reason=(?:"[^"]*"?|'[^']*'?|\S+)|until=\S*)/g, ' ')
    .replace(/#.*/, '') // another comment after ours
    .split(/[\s,:]+/)
    .filter((word) => word !== '');
  const why = (reason?.[1] ?? reason?.[2] ?? reason?.[3] ?? '').trim();
  if (names.length === 0) return { ok: false, problem: 'It names no rule.' };
  if (why === '') return { ok: false, problem: 'It gives no reason.' };
  if (until !== null && !isDate(until))
    return { ok: false, problem: `until=${until} is not a date (YYYY-MM-DD).` };
  return { ok: true, value: names.map((written) => ({ written, reason: why, until, at })) };
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The comment's own line; for a comment that stands alone also the next line that is no comment. */
function coveredLines(conf: ConfFacts, at: Span): number[] {
  const own = conf.lines[at.line - 1] ?? '';
  if (own.slice(0, at.column - 1).trim() !== '') return [at.line];
  let next = at.line + 1;
  while (next - at.line < furthest && /^\s*#/.test(conf.lines[next - 1] ?? '')) next += 1;
  return [at.line, next];
}

function mark(
  around: AssignmentAt,
  judgement: Judgement,
  all: readonly Suppression[],
  today: string,
  used: Set<Suppression>,
): Judgement {
  const mine = all.filter(({ rule }) => rule === judgement.rule.id);
  if (mine.length === 0) return judgement;
  const findings = judgement.findings.map((finding) => {
    const lines = linesOf(around, finding);
    const match = mine.filter((one) => one.lines.some((line) => lines.includes(line)));
    for (const one of match) used.add(one);
    const live = match.find(({ until }) => until === null || today <= until);
    return live === undefined
      ? finding
      : { ...finding, suppressed: { reason: live.reason, until: live.until } };
  });
  return { ...judgement, findings };
}

/** The finding's line, and the first and last of the assignment it stands in: where a comment can be written. */
function linesOf(around: AssignmentAt, { at }: Finding): number[] {
  if ('endpoint' in at) return [];
  const assignment = around(at)?.at ?? at;
  return [at.line, assignment.line, assignment.endLine];
}

function weigh(
  one: Suppression,
  used: boolean,
  today: string,
  judgements: readonly Judgement[],
  drafts: Record<string, Draft[]>,
): void {
  if (one.until !== null && one.until < today) {
    drafts[own.expired]?.push({
      subject: one.written,
      at: one.at,
      message: `The suppression of ${one.written} ended on ${one.until}${used ? '; the finding counts again' : ', and nothing here needs it any more'}.`,
      fix: `Mend the finding, or renew: # kaiactl-ignore ${one.written} until=YYYY-MM-DD reason="${one.reason}"`,
    });
    return;
  }
  const open = judgements.some(({ rule, open: questions }) => rule.id === one.rule && questions.length > 0);
  if (used || open) return;
  drafts[own.unused]?.push({
    subject: one.written,
    at: one.at,
    message: `${one.written} finds nothing here any more; the comment would hide the next one.`,
    fix: 'Delete the comment.',
  });
}

function malformed(at: Span, problem: string): Draft {
  return {
    subject: 'kaiactl-ignore',
    at,
    message: `The comment suppresses nothing. ${problem}`,
    fix: '# kaiactl-ignore <rule> until=YYYY-MM-DD reason="why this is acceptable"',
  };
}

/** What suppressions look like to a rule list: for tests that need the ids. */
export const suppressionRules: readonly Rule['id'][] = Object.values(own);
