/** What a node is where conditions hold that cannot be known: judged too, and said to depend on them. */

import { groupBy } from '../../util/group-by.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';

/** The findings, `known` being those that stand anyway, with those that only stand, or are worse, where a condition holds. */
export function withConditional(
  facts: Facts,
  known: readonly Finding[],
  findingsOf: (facts: Facts) => readonly Finding[],
): readonly Finding[] {
  // A node that was asked shows which of them holds.
  if (facts.conf?.state !== 'seen' || facts.live !== null) return known;
  const { alternatives = [] } = facts.conf.value;
  if (alternatives.length === 0) return known;
  const worst = groupBy(known, nameOf);
  for (const { when, conf } of alternatives)
    for (const finding of findingsOf({ ...facts, conf: seen(conf) })) {
      const before = worst.get(nameOf(finding)) ?? [];
      if (before.every((one) => isWorse(finding, one)))
        worst.set(nameOf(finding), [{ ...finding, message: `When ${when}: ${finding.message}` }]);
    }
  return [...worst.values()].flat();
}

/** A suppressed finding is never the worse one. */
function isWorse(a: Finding, b: Finding): boolean {
  if (a.suppressed !== null || b.suppressed !== null) return a.suppressed === null && b.suppressed !== null;
  return compareSeverity(a.severity, b.severity) < 0;
}

/** The same thing in another reading may stand elsewhere. */
function nameOf({ rule, subject }: Finding): string {
  return JSON.stringify([rule, subject]);
}
