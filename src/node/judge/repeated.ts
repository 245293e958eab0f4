/** Findings that repeat what a graver one of the same target says. */
import type { Finding } from '../facts/report.js';
import { compareSeverity } from '../facts/severity.js';
import type { Rule } from './rule/rule.js';

/**
 * The findings; a medium one that says nothing new is low. Its rule names the rules that say as much of the same
 * interface. Of http and ws, the first keeps its severity.
 */
export function withoutRepeats(findings: readonly Finding[], rules: readonly Rule[]): Finding[] {
  const saidBy = new Map(
    rules.flatMap(({ id, saidBy: names }) => (names === undefined ? [] : [[id, names]])),
  );
  const isSaid = (one: Finding) =>
    findings.some(
      (other) =>
        saidBy.get(one.rule)?.includes(other.rule) === true &&
        other.suppressed === null &&
        interfacesOf(other).some((name) => interfacesOf(one).includes(name)) &&
        compareSeverity(other.severity, one.severity) < (other.rule === one.rule ? 0 : 1),
    );
  const first = new Map<string, Finding>();
  return findings.map((one) => {
    if (one.severity !== 'medium' || one.suppressed !== null || !saidBy.has(one.rule)) return one;
    if (!isSaid(one)) {
      const others = interfacesOf(one).filter((name) => name !== 'http' && name !== 'ws');
      const key = JSON.stringify([one.rule, others, one.evidence?.module]);
      if (first.get(key) === undefined) {
        first.set(key, one);
        return one;
      }
    }
    return { ...one, severity: 'low' };
  });
}

function interfacesOf({ evidence }: Finding): readonly unknown[] {
  const { interface: one, interfaces = [one] } = evidence ?? {};
  return Array.isArray(interfaces) ? interfaces : [];
}
