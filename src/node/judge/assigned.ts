/** The questions that values of other files ask: those with which a target is worse. */
import type { Facts } from '../facts/facts.js';
import type { Finding, Undetermined } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';
import type { OpenSign } from '../facts/sign.js';
import type { Rule } from './rule/rule.js';

interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

function questionOf({ rule, about }: Undetermined): string {
  return JSON.stringify([rule, about]);
}

/**
 * One question for each name, where a finding of high severity or above is new or graver with the values of a file. A value
 * that cannot be read asks where it leaves open what an interface offers, or to whom.
 */
export function raisedBy(
  { assigned = [], ...facts }: Facts,
  known: Judged,
  judge: (facts: Facts) => Judged,
  rules: readonly Rule[],
): OpenSign[] {
  const isExposing = (id: string) =>
    rules.some(({ id: one, on }) => one === id && on !== 'settings' && on !== 'shell');
  const asked = new Set(known.undetermined.map(questionOf));
  const signs = assigned.flatMap(({ conf, sign, isKnown }) => {
    const { findings, undetermined } = judge({ ...facts, conf: seen(conf) });
    const isWorse = findings.some(
      (one) =>
        one.suppressed === null &&
        compareSeverity(one.severity, 'high') <= 0 &&
        !known.findings.some(
          ({ rule, subject, severity }) =>
            rule === one.rule && subject === one.subject && compareSeverity(severity, one.severity) <= 0,
        ),
    );
    const isOpen =
      !isKnown && undetermined.some((one) => isExposing(one.rule) && !asked.has(questionOf(one)));
    return isWorse || isOpen ? [sign] : [];
  });
  return [...new Map(signs.map((one) => [`${one.subject} ${one.at?.file}`, one])).values()];
}
