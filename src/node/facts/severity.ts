/** Severities, most severe first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Negative when `a` is more severe than `b`: for sorting, most severe first. */
export function compareSeverity(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}

/** True when `severity` is at or above the threshold. */
export function atLeast(severity: Severity, threshold: Severity): boolean {
  return compareSeverity(severity, threshold) <= 0;
}

/** The most severe of them. At least one. */
export function mostSevere(all: readonly Severity[]): Severity {
  return all.reduce((a, b) => (compareSeverity(b, a) < 0 ? b : a));
}

/** Findings at or above this make a run end with 1; `none`: nothing does. */
export type FailOn = Severity | 'none';

/** True when the finding does. */
export function fails(finding: { severity: Severity; suppressed: object | null }, failOn: FailOn): boolean {
  return finding.suppressed === null && failOn !== 'none' && atLeast(finding.severity, failOn);
}
