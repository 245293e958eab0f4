/** What a node is where conditions hold that cannot be known: judged too, and said to depend on them. */
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { seen } from '../facts/seen.js';

/** The findings that only stand where a condition holds; `known` are those that stand anyway. */
export function conditionalFindings(
  facts: Facts,
  known: readonly Finding[],
  findingsOf: (facts: Facts) => readonly Finding[],
): Finding[] {
  // A node that was asked shows which of them holds.
  if (facts.conf?.state !== 'seen' || facts.live !== null) return [];
  const { alternatives = [] } = facts.conf.value;
  if (alternatives.length === 0) return [];
  const met = new Set(known.map(nameOf));
  return alternatives.flatMap(({ when, conf }) =>
    findingsOf({ ...facts, conf: seen(conf) }).flatMap((finding) => {
      if (met.has(nameOf(finding))) return [];
      met.add(nameOf(finding));
      return [{ ...finding, message: `When ${when}: ${finding.message}` }];
    }),
  );
}

function nameOf({ rule, subject, at }: Finding): string {
  return JSON.stringify([rule, subject, at]);
}
