/** Suppression comments: they suppress findings on their line or on the line below. */

import { closest } from '../../../util/closest.js';
import { oncePer } from '../../../util/once-per.js';
import { joinFirst } from '../../../util/words.js';
import { type Facts, sourceOf } from '../../facts/facts.js';
import { type Reach, reaches, reachOf } from '../../facts/reach.js';
import type { Finding } from '../../facts/report.js';
import { type Listener, linesIn, type Source, type SourceText } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { advise } from '../../fix/proposal/fix.js';
import { complete, type Purpose } from '../finding.js';
import type { Judgement } from '../judge.js';
import type { Draft, Rule } from '../rule/rule.js';
import { inside } from '../settings/setting.js';
import { isLedgerRule } from './open-signs.js';
import { isSuppression, type Named, parseSuppression } from './suppression.js';

/** One rule named by one comment. */
interface Suppression extends Named {
  readonly of: Rule;
  readonly at: Span;
  /** The lines whose findings it covers. */
  readonly lines: readonly number[];
}

/** A finding about a comment itself. */
interface About {
  readonly rule: 'malformed-suppression' | 'expired-suppression' | 'unused-suppression';
  readonly draft: Draft;
}

/** Suppressions beyond this many are ignored. */
const maxSuppressions = 1_000;
/** A suppression comment can be at most this many comment lines above its line. */
const maxCommentLines = 50;

/** The suppression comments of a target, over all its worlds. A finding about a suppression cannot be suppressed. */
export class Comments {
  private readonly source: SourceText | null;
  private readonly today: string;
  private readonly malformed: readonly About[];
  private readonly all: readonly Suppression[];
  private readonly used = new Set<Suppression>();

  /** @param rules every rule that there is, whether or not it is asked in some world */
  constructor(facts: Facts, rules: readonly Rule[]) {
    const source = sourceOf(facts);
    this.source = source;
    this.today = facts.gatheredAt.slice(0, 10);
    const named =
      source === null
        ? []
        : suppressionsIn(source.comments).flatMap((comment) => resolve(source, comment, rules));
    this.malformed = named.flatMap((one) => ('draft' in one ? [one] : []));
    this.all = named.flatMap((one) => ('draft' in one ? [] : [one]));
  }

  /** Marks the findings that comments suppress, with the facts of one world. */
  mark(facts: Facts, judgements: readonly Judgement[]): Judgement[] {
    const source = sourceOf(facts);
    const { all, today, used } = this;
    if (source === null || all.length === 0) return [...judgements];
    const listeners = facts.conf?.state === 'seen' ? facts.conf.value.settings.listeners : [];
    return judgements.map((judgement) => mark(source, listeners, judgement, all, today, used));
  }

  /**
   * The findings about the comments of these rules, once every world was marked. `judged`: what each world showed; a comment
   * is unused only if its rule `isAsked` everywhere and leaves nothing open.
   */
  about(
    facts: Facts,
    rules: readonly Rule[],
    judged: readonly Judgement[],
    isAsked: (rule: Rule) => boolean,
    purpose?: Purpose,
  ): ReadonlyMap<Rule, readonly Finding[]> {
    // The comments of a file whose settings are not read may be those of its other targets.
    const { source } = this;
    if (source === null || facts.conf?.state !== 'seen') return new Map();
    const isOpen = ({ id }: Rule) => judged.some(({ rule, open }) => rule.id === id && open.length > 0);
    const foundAt = (one: Suppression) =>
      judged.flatMap(({ rule, findings }) =>
        rule.id === one.of.id ? findings.filter((finding) => isAt(source, one, finding)) : [],
      );
    const about = [
      ...this.malformed,
      ...this.all.flatMap((one) =>
        checkUse(one, this.used.has(one), this.today, isAsked(one.of) && !isOpen(one.of), foundAt(one)),
      ),
    ];
    if (about.length === 0) return new Map();
    const findings = rules.map((rule) => {
      const drafts = about.flatMap((one) => (one.rule === rule.id ? [one.draft] : []));
      return [rule, complete(facts, rule, drafts, purpose)] as const;
    });
    return new Map(findings.filter(([, all]) => all.length > 0));
  }
}

/** The nodes of a file share its comments. */
const suppressionsIn = oncePer((comments: Source['comments']) =>
  comments.filter(({ text }) => isSuppression(text)).slice(0, maxSuppressions),
);

function resolve(
  source: SourceText,
  { text, at }: Source['comments'][number],
  rules: readonly Rule[],
): (Suppression | About)[] {
  const parsed = parseSuppression(text);
  if ('problem' in parsed) return [malformed(at, parsed.problem)];
  const lines = coveredLines(source, at);
  return parsed.named.flatMap((one): (Suppression | About)[] => {
    if (isLedgerRule(one.rule)) return [];
    const rule = rules.find(({ id, aliases = [] }) => id === one.rule || aliases.includes(one.rule));
    if (rule?.perModule === true && one.subjects === null)
      return [malformed(at, `It names no module: write ${rule.id}(<module>).`)];
    if (rule !== undefined) return [{ ...one, of: rule, at, lines }];
    const near = closest(
      one.rule,
      rules.map(({ id }) => id),
    );
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    return [malformed(at, `There is no rule ${one.rule}.${hint}`)];
  });
}

/** The comment's own line; for a comment that stands alone also the next line that is not a comment. */
function coveredLines(source: SourceText, at: Span): number[] {
  const lines = linesIn(source, at.file);
  const own = lines[at.line - 1] ?? '';
  if (own.slice(0, at.column - 1).trim() !== '') return [at.line];
  let next = at.line + 1;
  while (next - at.line < maxCommentLines && /^\s*#/.test(lines[next - 1] ?? '')) next += 1;
  return [at.line, next];
}

function mark(
  source: SourceText,
  listeners: readonly Listener[],
  judgement: Judgement,
  all: readonly Suppression[],
  today: string,
  used: Set<Suppression>,
): Judgement {
  const mine = all.filter(({ of }) => of === judgement.rule);
  if (mine.length === 0) return judgement;
  const findings = judgement.findings.map((finding) => {
    const match = mine.filter((one) => isAt(source, one, finding) && covers(one, finding));
    for (const one of match) used.add(one);
    const live = match.find(
      ({ until, reach }) => (until === null || today <= until) && isWithin(reach, finding, listeners),
    );
    return live === undefined
      ? finding
      : { ...finding, suppressed: { reason: live.reason, until: live.until } };
  });
  return { ...judgement, findings };
}

/** False where the interface of a finding is reached from farther away; of a finding without one, any interface. */
function isWithin(limit: Reach | null, finding: Finding, listeners: readonly Listener[]): boolean {
  if (limit === null) return true;
  const open = listeners.filter(({ state }) => state !== 'off');
  const own = open.filter(({ kind }) => kind === finding.evidence?.interface);
  const reached = (own.length === 0 ? open : own).map((one) => reachOf(one).reach);
  const said = reaches.filter((one) => one === finding.evidence?.reach);
  return [...reached, ...said].every((one) => reaches.indexOf(one) <= reaches.indexOf(limit));
}

/** `personal` covers `http personal`, so that one comment covers every interface of a line. */
function covers({ subjects }: Suppression, { subject, evidence }: Finding): boolean {
  return subjects?.some((one) => subject === one || subject === `${evidence?.interface} ${one}`) ?? true;
}

function isAt(source: SourceText, comment: Suppression, finding: Finding): boolean {
  const { file, lines } = linesOf(source, finding);
  return comment.at.file === file && comment.lines.some((line) => lines.includes(line));
}

/** The line of a finding, and the first and last line of its multi-line value: where a comment is possible. */
function linesOf({ multiline }: SourceText, { at }: Finding): { file: string | null; lines: number[] } {
  if ('endpoint' in at) return { file: null, lines: [] };
  const whole = multiline.find((one) => inside(at, one)) ?? at;
  return { file: at.file, lines: [at.line, whole.line, whole.endLine] };
}

function checkUse(
  { rule, at, until }: Suppression,
  used: boolean,
  today: string,
  isSettled: boolean,
  others: readonly Finding[],
): About[] {
  if (until !== null && until < today) {
    const message = `The suppression of ${rule} ended on ${until}${used ? '; the finding counts again' : ', and no finding here needs it'}.`;
    const fix = advise('Resolve the finding, or set a new date with a reason that is still true.');
    return [{ rule: 'expired-suppression', draft: { subject: rule, at, message, fix } }];
  }
  if (used || !isSettled) return [];
  const names = joinFirst([...new Set(others.map(({ subject }) => subject))], 3);
  const message =
    names === ''
      ? `${rule} finds nothing here; the comment would hide its next finding.`
      : `The comment does not name what ${rule} finds here: ${names}.`;
  const fix = advise(names === '' ? 'Delete the comment.' : 'Delete the comment, or name what it accepts.');
  return [{ rule: 'unused-suppression', draft: { subject: rule, at, message, fix } }];
}

function malformed(at: Span, problem: string): About {
  const message = `The comment suppresses nothing. ${problem}`;
  const fix = advise('Name a rule, and give a reason in quotes.');
  return { rule: 'malformed-suppression', draft: { subject: 'kaiactl-ignore', at, message, fix } };
}
