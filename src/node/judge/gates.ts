/** Which findings count and how much: what a team sets for its own files, after the rules have spoken. */
import type { Finding } from '../facts/report.js';
import { atLeast, type Severity } from '../facts/severity.js';
import type { Judgement } from './judge.js';

export interface Gates {
  /** Findings below it are not reported. */
  readonly minSeverity: Severity;
  /** Ids of the only rules that are asked; null: every rule. */
  readonly only: ReadonlySet<string> | null;
  /** Ids of rules that are not asked. */
  readonly ignore: ReadonlySet<string>;
  /** The severity of a rule's findings, by its id, instead of its own. */
  readonly severity: ReadonlyMap<string, Severity>;
}

/** The judgements that were asked for, with the severities that were set; a rule whose findings all go says nothing. */
export function applyGates(judgements: readonly Judgement[], gates: Gates): Judgement[] {
  const { only, ignore } = gates;
  return judgements
    .filter(({ rule }) => (only?.has(rule.id) ?? true) && !ignore.has(rule.id))
    .map((judgement) => ({ ...judgement, findings: weighed(judgement, gates) }))
    .filter(({ verdict, findings, open }) => verdict !== 'fail' || findings.length + open.length > 0);
}

function weighed({ rule, findings }: Judgement, { severity, minSeverity }: Gates): Finding[] {
  const own = severity.get(rule.id);
  return findings
    .map((finding) => (own === undefined ? finding : { ...finding, severity: own }))
    .filter((finding) => atLeast(finding.severity, minSeverity));
}
