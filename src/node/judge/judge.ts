/** Rules × facts → judgements. Pure; a rule that throws becomes a defect and the others still run. */

import { shortHash } from '../../util/hash.js';
import { redact } from '../../util/redact.js';
import type { FactName, Facts } from '../facts/facts.js';
import type { Finding, Place } from '../facts/report.js';
import { type BlindSpot, blindSpot } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';
import type { Draft, Rule } from './rule.js';

/** What became of one rule on one target. */
export interface Judgement {
  readonly rule: Rule;
  readonly verdict: 'pass' | 'fail' | 'undetermined' | 'not-applicable' | 'defect';
  readonly findings: readonly Finding[];
  /** What stays open, and why; with `defect`, what went wrong. */
  readonly open: readonly BlindSpot[];
}

/** Runs every rule over one target's facts, in the order given. */
export function judge(facts: Facts, rules: readonly Rule[]): Judgement[] {
  return rules.map((rule) => judgeOne(facts, rule));
}

function judgeOne(facts: Facts, rule: Rule): Judgement {
  const missing = missingFacts(facts, rule);
  if (missing === 'absent') return { rule, verdict: 'not-applicable', findings: [], open: [] };
  if (missing !== null) return { rule, verdict: 'undetermined', findings: [], open: missing };
  try {
    const { findings, blindSpots, applicable = true } = rule.check(facts);
    const verdict =
      findings.length > 0
        ? 'fail'
        : blindSpots.length > 0
          ? 'undetermined'
          : applicable
            ? 'pass'
            : 'not-applicable';
    return {
      rule,
      verdict,
      findings: complete(facts, rule, findings),
      open: distinct(blindSpots),
    };
  } catch (error) {
    const reason = `kaiactl failed here: ${error instanceof Error ? error.message : String(error)}`;
    const open = [{ code: 'defect' as const, about: null, reason: redact(reason) }];
    return { rule, verdict: 'defect', findings: [], open };
  }
}

/** Null when the rule can run; `absent` when a fact was never asked for; else why a fact could not be seen. */
function missingFacts(facts: Facts, rule: Rule): null | 'absent' | BlindSpot[] {
  const states = rule.needs.map((need) => stateOf(facts, need));
  const open = states.filter((state) => typeof state !== 'string');
  if (rule.needsAny === true && states.includes('seen')) return null;
  if (open.length > 0) return open;
  return states.includes('absent') ? 'absent' : null;
}

function stateOf(facts: Facts, need: FactName): 'seen' | 'absent' | BlindSpot {
  if (need === 'live') return facts.live === null ? 'absent' : 'seen';
  if (facts.conf === null) return 'absent';
  return facts.conf.state === 'seen' ? 'seen' : blindSpot(null, facts.conf);
}

/** Each once, secrets masked. */
function distinct(blindSpots: readonly BlindSpot[]): BlindSpot[] {
  const all = blindSpots.map((one) => ({ ...one, reason: redact(one.reason) }));
  return [...new Map(all.map((one) => [`${one.about} ${one.reason}`, one])).values()];
}

/** Drafts become findings: rule id, title, source lines, fingerprints; no secret gets past here. */
export function complete(
  facts: Facts,
  rule: Pick<Rule, 'id' | 'title' | 'severity'>,
  drafts: readonly Draft[],
): Finding[] {
  const lines = facts.conf?.state === 'seen' ? facts.conf.value.lines : [];
  return drafts.map((draft) => {
    const severity = draft.severity ?? rule.severity;
    const source = sourceLine(lines, draft.at);
    return {
      rule: rule.id,
      severity,
      title: rule.title,
      message: redact(draft.message),
      fix: maskedFix(draft.fix),
      subject: redact(draft.subject),
      at: draft.at,
      source,
      related: (draft.related ?? []).map(({ at, note }) => ({ at, note, source: sourceLine(lines, at) })),
      evidence: draft.evidence ?? null,
      fingerprint: shortHash(rule.id, placeName(draft.at), draft.subject, severity, squeeze(source ?? '')),
      suppressed: null,
    };
  });
}

/** What is masked must not be pasted as it stands. */
function maskedFix(fix: string): string {
  const masked = redact(fix);
  return masked === fix ? fix : `${masked}    (with your own value where * stands)`;
}

/** A line longer than this is cut: nobody reads it, and a report must stay small. */
const longestLine = 2_000;

function sourceLine(lines: readonly string[], at: Place): string | null {
  if ('endpoint' in at || (at.endLine === at.line && at.endColumn === at.column && at.column === 1))
    return null;
  const line = lines[at.line - 1];
  return line === undefined ? null : redact(line.slice(0, longestLine));
}

/** A file's name without a leading ./, an endpoint as it is: never the line, so that moving it changes nothing. */
function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : at.file.replace(/^(?:\.\/)+/, '');
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Most severe first; then by place; then by rule. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      compareSeverity(a.severity, b.severity) || comparePlaces(a.at, b.at) || compareText(a.rule, b.rule),
  );
}

function comparePlaces(a: Place, b: Place): number {
  if ('endpoint' in a || 'endpoint' in b) {
    if ('endpoint' in a && 'endpoint' in b) return compareText(a.endpoint, b.endpoint);
    return 'endpoint' in a ? 1 : -1;
  }
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** By code unit: the same on every machine, unlike a locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
