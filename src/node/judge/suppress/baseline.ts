/** A baseline: findings that were accepted, so that only new ones count. */
import { groupBy } from '../../../util/group-by.js';
import type { Finding, TargetReport } from '../../facts/report.js';
import { atLeast, type Severity } from '../../facts/severity.js';
import { placeName } from '../finding.js';

/** One entry of the file; `count`: how often the finding occurs in the target. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly target: string;
  readonly subject: string;
  readonly at: string;
  readonly count: number;
}

/** The accepted findings, by key; `named` converts the name of a target to that of the baseline. */
export interface Baseline {
  readonly entries: ReadonlyMap<string, readonly BaselineEntry[]>;
  readonly keyOf: KeyOf;
  named(target: string): string;
}

/** The fingerprint of a finding, with its place named as in the baseline. */
export type KeyOf = (finding: Finding) => string;

/** Entries by fingerprint, which includes the file name and the text of the line, not its number. */
export function byFingerprint(entries: readonly BaselineEntry[]): Map<string, BaselineEntry[]> {
  return groupBy(entries, ({ fingerprint }) => fingerprint);
}

/** The entry of this target. The name of a target that is seen running may change: there the endpoint tells. */
export function entryFor(
  entries: readonly BaselineEntry[] | undefined,
  { at }: Pick<Finding, 'at'>,
  target: string,
): BaselineEntry | undefined {
  const all = (entries ?? []).filter((one) => 'endpoint' in at || one.target === target);
  return all.toSorted((a, b) => b.count - a.count)[0];
}

/** The open and the already accepted findings of a target as entries. `named` converts places to those of the baseline. */
export function entriesOf(
  { name, findings }: Pick<TargetReport, 'name' | 'findings'>,
  keyOf: KeyOf,
  named: (place: string) => string,
): BaselineEntry[] {
  const open = findings.filter(({ suppressed }) => suppressed === null || suppressed.baseline === true);
  const counts = new Map<string, number>();
  for (const one of open) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return open.map((one) => ({
    fingerprint: keyOf(one),
    rule: one.rule,
    severity: one.severity,
    target: named(name),
    subject: one.subject,
    at: named(placeName(one.at)),
    count: counts.get(keyOf(one)) ?? 1,
  }));
}

/**
 * Marks the findings of a target that the baseline covers: up to `count` of each, and none that became more severe.
 */
export function accept(
  { name, findings }: Pick<TargetReport, 'name' | 'findings'>,
  { entries, keyOf, named }: Baseline,
): Finding[] {
  const used = new Map<string, number>();
  return findings.map((finding) => {
    const key = keyOf(finding);
    const entry = entryFor(entries.get(key), finding, named(name));
    const before = used.get(key) ?? 0;
    if (finding.suppressed !== null || entry === undefined || before >= entry.count) return finding;
    if (!atLeast(entry.severity, finding.severity)) return finding;
    used.set(key, before + 1);
    return { ...finding, suppressed: { reason: 'in the baseline', until: null, baseline: true } };
  });
}
