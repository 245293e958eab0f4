/** Findings of a conf with carriage returns: as it is, and once it has Unix line ends. */
import type { Finding, Undetermined } from '../facts/report.js';
import { compareSeverity } from '../facts/severity.js';
import type { Rule } from './rule/rule.js';

/** What is judged of one reading. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

/** Rules about words: the carriage returns would be found again by each of them. */
export function isAboutWords({ on }: Pick<Rule, 'on'>): boolean {
  return on === 'settings' || on === 'shell';
}

const condition = 'when the file has Unix line ends: ';

/**
 * Findings of both readings, the more severe of each subject. Those that hold only with Unix line ends say so; of the
 * others, those go that a graver finding on the same line is about.
 */
export function withRepaired(written: Judged, repaired: Judged, rules: readonly Rule[]): Judged {
  const words = new Set(rules.filter(isAboutWords).map(({ id }) => id));
  const isWorse = (a: Finding, b: Finding) => compareSeverity(a.severity, b.severity) < 0;
  const more = repaired.findings.filter(
    (one) => !written.findings.some((other) => isSame(one, other) && !isWorse(one, other)),
  );
  const kept = written.findings.filter(
    (one) => !more.some((other) => isSame(one, other) || (isOfSameCause(one, other) && isWorse(other, one))),
  );
  const asked = new Set(written.undetermined.map(questionOf));
  const open = repaired.undetermined.filter((one) => !asked.has(questionOf(one)));
  return {
    findings: [
      ...kept,
      ...more.map((one) =>
        words.has(one.rule) ? one : { ...one, message: `${capitalized(condition)}${one.message}` },
      ),
    ],
    undetermined: [
      ...written.undetermined,
      ...open.map((one) => (words.has(one.rule) ? one : { ...one, reason: `${condition}${one.reason}` })),
    ],
  };
}

function isSame(a: Finding, b: Finding): boolean {
  return a.rule === b.rule && a.subject === b.subject;
}

function isOfSameCause(a: Finding, b: Finding): boolean {
  const isOnSameLine = 'file' in a.at && 'file' in b.at && a.at.file === b.at.file && a.at.line === b.at.line;
  return a.subject === b.subject && b.suppressed === null && isOnSameLine;
}

/** A rule asks one question about a thing, whatever the reason that leaves it open. */
export function questionOf({ rule, about }: Undetermined): string {
  return JSON.stringify([rule, about]);
}

function capitalized(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
