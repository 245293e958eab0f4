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
  return judgements
    .filter(({ rule }) => isAsked(rule.id, gates))
    .map((judgement) => ({ ...judgement, findings: countedFindings(judgement.findings, gates) }))
    .filter(({ verdict, findings, open }) => verdict !== 'fail' || findings.length + open.length > 0);
}

/** The findings that were asked for, with the severities that were set. */
export function countedFindings(findings: readonly Finding[], gates: Gates): Finding[] {
  return findings
    .filter(({ rule }) => isAsked(rule, gates))
    .map((finding) => {
      const own = gates.severity.get(finding.rule);
      return own === undefined ? finding : { ...finding, severity: own };
    })
    .filter(({ severity }) => atLeast(severity, gates.minSeverity));
}

function isAsked(id: string, { only, ignore }: Gates): boolean {
  return (only?.has(id) ?? true) && !ignore.has(id);
}
