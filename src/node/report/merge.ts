/** Merges the reports of shards. */
import { exit } from '../../errors.js';
import type { ReportStream, RuleInfo, Targets } from '../facts/report.js';
import { severities } from '../facts/severity.js';

/** See docs/exit-codes.md. */
const precedence: readonly number[] = [exit.defect, exit.usage, exit.failed, exit.unseen, exit.ok];

/** A report without its targets. */
export type Head = Omit<ReportStream, 'targets'>;

/** A report of all `targets`, with the totals and the exit code of one run. */
export function merge(targets: Targets, first: Head, ...others: readonly Head[]): ReportStream {
  const reports = [first, ...others];
  const summary = { ...first.summary };
  for (const name of [...severities, 'targets', 'suppressed', 'undetermined'] as const) {
    summary[name] = reports.reduce((sum, report) => sum + report.summary[name], 0);
  }
  const excluded = reports.reduce((sum, report) => sum + (report.summary.excluded ?? 0), 0);
  return {
    ...first,
    startedAt: earliest(reports.map(({ startedAt }) => startedAt)),
    finishedAt: earliest(
      reports.map(({ finishedAt }) => finishedAt),
      -1,
    ),
    targets,
    rules: rulesOf(reports),
    summary: excluded === 0 ? summary : { ...summary, excluded },
    exitCode: worst(reports.map(({ exitCode }) => exitCode)),
  };
}

/** The earliest of these times, or with `sign` -1 the latest. */
function earliest(times: readonly string[], sign = 1): string {
  return [...times].sort((a, b) => sign * (Date.parse(a) - Date.parse(b)))[0] ?? '';
}

/** An interrupted shard counts as unseen; an unknown code as a defect. */
function worst(codes: readonly number[]): number {
  const known = codes.map((code) => (code === exit.interrupted ? exit.unseen : code));
  if (known.some((code) => !precedence.includes(code))) return exit.defect;
  return precedence.find((code) => known.includes(code)) ?? exit.ok;
}

function rulesOf(reports: readonly Head[]): RuleInfo[] {
  const rules = new Map(reports.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule] as const)));
  return [...rules.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
