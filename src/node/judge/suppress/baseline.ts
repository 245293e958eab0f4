/** Findings that were accepted once, so that only what came since counts. */
import type { Finding, TargetReport } from '../../facts/report.js';
import { atLeast, type Severity } from '../../facts/severity.js';
import { placeName } from '../finding.js';

/** One finding of the file; the same finding `count` times in one target is one entry. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly target: string;
  readonly subject: string;
  readonly at: string;
  readonly count: number;
}

/** What was accepted, by its key. */
export interface Baseline {
  readonly entries: ReadonlyMap<string, BaselineEntry>;
  readonly keyOf: KeyOf;
}

/** A finding's fingerprint, with its place named as the baseline names places. */
export type KeyOf = (finding: Finding) => string;

/** By fingerprint. The file's name and the line are in it, the line's number is not. */
export function byFingerprint(entries: readonly BaselineEntry[]): Map<string, BaselineEntry> {
  const all = new Map<string, BaselineEntry>();
  for (const entry of entries) {
    const known = all.get(entry.fingerprint);
    if (known === undefined || known.count < entry.count) all.set(entry.fingerprint, entry);
  }
  return all;
}

/** The target's open findings, and those its baseline covered, as entries; `named` gives places the baseline's names. */
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

/** Marks what the baseline covers: not more of it than it holds, and nothing that has become worse. */
export function accept(findings: readonly Finding[], { entries, keyOf }: Baseline): Finding[] {
  const used = new Map<string, number>();
  return findings.map((finding) => {
    const key = keyOf(finding);
    const entry = entries.get(key);
    const before = used.get(key) ?? 0;
    if (finding.suppressed !== null || entry === undefined || before >= entry.count) return finding;
    if (!atLeast(entry.severity, finding.severity)) return finding;
    used.set(key, before + 1);
    return { ...finding, suppressed: { reason: 'in the baseline', until: null, baseline: true } };
  });
}
