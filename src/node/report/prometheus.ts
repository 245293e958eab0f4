/** A report as Prometheus metrics (text exposition format 0.0.4). */
import type { Report } from '../facts/report.js';
import { line } from './escape.js';

/** `at`: time of the last audit, in seconds since 1970. */
export function prometheus(report: Report, at: number): string {
  return [
    '# HELP kaiactl_finding Findings that are not suppressed.',
    '# TYPE kaiactl_finding gauge',
    ...findings(report),
    '# HELP kaiactl_target_checked 1 where all that was asked was seen, 0 where something was not.',
    '# TYPE kaiactl_target_checked gauge',
    ...report.targets.map(
      ({ name, undetermined }) =>
        `kaiactl_target_checked${labels({ target: name })} ${undetermined.length === 0 ? 1 : 0}`,
    ),
    '# HELP kaiactl_last_success_timestamp_seconds When the targets had last been looked at.',
    '# TYPE kaiactl_last_success_timestamp_seconds gauge',
    `kaiactl_last_success_timestamp_seconds ${at}`,
    '',
  ].join('\n');
}

/** The number of findings for each target, rule, severity and subject. */
function findings({ targets }: Report): string[] {
  const counts = new Map<string, number>();
  for (const { name, findings } of targets)
    for (const { rule, severity, subject, suppressed } of findings) {
      if (suppressed !== null) continue;
      const key = labels({ target: name, rule, severity, subject });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].map(([key, count]) => `kaiactl_finding${key} ${count}`);
}

function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(
    ([name, value]) => `${name}="${line(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  );
  return `{${pairs.join(',')}}`;
}
