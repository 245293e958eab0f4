/** Findings that were accepted once, so that only what came since counts. */
import type { Finding, TargetReport } from '../facts/report.js';
import { atLeast, type Severity } from '../facts/severity.js';
import { placeName } from './judge.js';

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

export type Baseline = ReadonlyMap<string, BaselineEntry>;

/** By fingerprint. The file's name and the line are in it, the line's number is not. */
export function baselineOf(entries: readonly BaselineEntry[]): Map<string, BaselineEntry> {
  const all = new Map<string, BaselineEntry>();
  for (const entry of entries) {
    const known = all.get(entry.fingerprint);
    if (known === undefined || known.count < entry.count) all.set(entry.fingerprint, entry);
  }
  return all;
}

/** The target's open findings, and those its baseline covered, as entries. */
export function entriesOf({ name, findings }: Pick<TargetReport, 'name' | 'findings'>): BaselineEntry[] {
  const open = findings.filter(({ suppressed }) => suppressed === null || suppressed.baseline === true);
  const counts = new Map<string, number>();
  for (const { fingerprint } of open) counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
  return open.map(({ fingerprint, rule, severity, subject, at }) => ({
    fingerprint,
    rule,
    severity,
    target: name,
    subject,
    at: placeName(at),
    count: counts.get(fingerprint) ?? 1,
  }));
}

/** Marks what the baseline covers: not more of it than it holds, and nothing that has become worse. */
export function accept(findings: readonly Finding[], baseline: Baseline): Finding[] {
  const used = new Map<string, number>();
  return findings.map((finding) => {
    const entry = baseline.get(finding.fingerprint);
    const before = used.get(finding.fingerprint) ?? 0;
    if (finding.suppressed !== null || entry === undefined || before >= entry.count) return finding;
    if (!atLeast(entry.severity, finding.severity)) return finding;
    used.set(finding.fingerprint, before + 1);
    return { ...finding, suppressed: { reason: 'in the baseline', until: null, baseline: true } };
  });
}
