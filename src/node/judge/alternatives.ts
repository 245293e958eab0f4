/** Findings of settings that depend on a condition unknown offline, such as an if in a conf. */

import { groupBy } from '../../util/group-by.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';

/** Adds to `known` the findings that appear, or become more severe, only under a condition; their message names it. */
export function withConditional(
  facts: Facts,
  known: readonly Finding[],
  findingsOf: (facts: Facts) => readonly Finding[],
): readonly Finding[] {
  // A live node shows which condition holds.
  if (facts.conf?.state !== 'seen' || facts.live !== null) return known;
  const { alternatives = [] } = facts.conf.value;
  if (alternatives.length === 0) return known;
  const worst = groupBy(known, keyOf);
  for (const { when, conf } of alternatives)
    for (const finding of findingsOf({ ...facts, conf: seen(conf) })) {
      const before = worst.get(keyOf(finding)) ?? [];
      if (before.every((one) => isWorse(finding, one)))
        worst.set(keyOf(finding), [{ ...finding, message: `When ${when}: ${finding.message}` }]);
    }
  return [...worst.values()].flat();
}

/** A suppressed finding is never worse. */
function isWorse(a: Finding, b: Finding): boolean {
  if (a.suppressed !== null || b.suppressed !== null) return a.suppressed === null && b.suppressed !== null;
  return compareSeverity(a.severity, b.severity) < 0;
}

/** Without the place, which differs between conditions. */
function keyOf({ rule, subject }: Finding): string {
  return JSON.stringify([rule, subject]);
}
