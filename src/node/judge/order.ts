/** The order findings are reported in. */
import type { Finding, Place } from '../facts/report.js';
import { compareSeverity } from '../facts/severity.js';

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
