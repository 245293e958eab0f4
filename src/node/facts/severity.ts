/** How severe a finding is, given who can reach the interface. */

/** Most severe first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** A value for each severity, in their order. */
export function forSeverities<const T>(critical: T, high: T, medium: T, low: T, info: T) {
  return { critical, high, medium, low, info } as const;
}

/** Compares for sorting, most severe first: negative when `a` is more severe than `b`. */
export function compareSeverity(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}

/** Whether `severity` is at or above the threshold. */
export function atLeast(severity: Severity, threshold: Severity): boolean {
  return compareSeverity(severity, threshold) <= 0;
}

/** The most severe of them. At least one. */
export function mostSevere(all: readonly Severity[]): Severity {
  return all.reduce((a, b) => (compareSeverity(b, a) < 0 ? b : a));
}

/** Findings at or above this severity fail the run (exit 1); `none`: no finding does. */
export type FailOn = Severity | 'none';

/** Whether the finding fails the run. */
export function fails(finding: { severity: Severity; suppressed: object | null }, failOn: FailOn): boolean {
  return finding.suppressed === null && failOn !== 'none' && atLeast(finding.severity, failOn);
}

/** Whether it is a finding that fails the run; with --fail-on none, one that would fail it by default. Text shows it whole. */
export function isWhole(finding: Parameters<typeof fails>[0], failOn: FailOn): boolean {
  return fails(finding, failOn === 'none' ? 'high' : failOn);
}

/** Who can reach an interface, from the smallest reach to the largest. An interface that browsers reach counts as `any`. */
export const reaches = ['ipc', 'loopback', 'private', 'any'] as const;
export type Reach = (typeof reaches)[number];

const rank = (reach: Reach | null) => (reach === null ? -1 : reaches.indexOf(reach));

/** The wider reach of two; null means no client. */
export function wider<T extends Reach | null>(a: T, b: T): T {
  return rank(b) > rank(a) ? b : a;
}

/** The narrower reach of two; null means no client. */
export function narrower<T extends Reach | null>(a: T, b: T): T {
  return rank(b) < rank(a) ? b : a;
}

/** A severity stated for any address → the severity with a smaller reach. */
const table: Readonly<Record<Severity, Readonly<Record<Reach, Severity>>>> = {
  critical: { any: 'critical', private: 'high', loopback: 'medium', ipc: 'info' },
  high: { any: 'high', private: 'medium', loopback: 'low', ipc: 'info' },
  medium: { any: 'medium', private: 'low', loopback: 'info', ipc: 'info' },
  low: { any: 'low', private: 'info', loopback: 'info', ipc: 'info' },
  info: { any: 'info', private: 'info', loopback: 'info', ipc: 'info' },
};

/** A severity stated for callers without a login → the severity where each has to show a token. */
const withToken = forSeverities<Severity>('medium', 'low', 'low', 'info', 'info');

/** What decides the severity beside the reach. */
export interface Held {
  /** What each caller has to show. */
  readonly login?: 'token';
  /** The reach without browsers, where only a check that this kind of node does not have would stop them. */
  readonly unchecked?: Reach;
}

/** The severity of a finding, given the reach of the interface. Browsers that no setting stops add at most medium. */
export function bySeverityAndReach(base: Severity, reach: Reach, { login, unchecked }: Held = {}): Severity {
  const by = table[login === undefined ? base : withToken[base]];
  if (unchecked === undefined) return by[reach];
  return mostSevere([by[unchecked], atLeast('medium', by[reach]) ? by[reach] : 'medium']);
}
