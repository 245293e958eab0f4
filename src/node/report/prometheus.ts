/** A report as Prometheus metrics (text exposition format 0.0.4). */
import type { Report } from '../facts/report.js';
import { line } from './escape.js';

/** Counted since a watch started. */
export interface WatchCounts {
  rounds: number;
  /** Rounds in which nothing could be audited. */
  blindRounds: number;
  delivered: number;
  /** Failed attempts. */
  failedDeliveries: number;
  /** Targets whose changes the webhook has not received. */
  pending: number;
}

/** `at`: milliseconds since 1970 of the last completed round; null: there was none. */
export function prometheus(report: Report, at: number | null, counts: WatchCounts): string {
  return [
    '# HELP kaiactl_finding Findings that are not suppressed.',
    '# TYPE kaiactl_finding gauge',
    ...findings(report),
    '# HELP kaiactl_target_checked 1: everything was checked; 0: something is undetermined.',
    '# TYPE kaiactl_target_checked gauge',
    ...report.targets.map(
      ({ name, undetermined }) =>
        `kaiactl_target_checked${labels({ target: name })} ${undetermined.length === 0 ? 1 : 0}`,
    ),
    '# HELP kaiactl_last_success_timestamp_seconds Time of the last completed round.',
    '# TYPE kaiactl_last_success_timestamp_seconds gauge',
    `kaiactl_last_success_timestamp_seconds ${Math.floor((at ?? 0) / 1000)}`,
    '# HELP kaiactl_rounds_total Rounds since the watch started.',
    '# TYPE kaiactl_rounds_total counter',
    `kaiactl_rounds_total{result="completed"} ${counts.rounds - counts.blindRounds}`,
    `kaiactl_rounds_total{result="failed"} ${counts.blindRounds}`,
    '# HELP kaiactl_webhook_attempts_total Attempts to deliver changes to the webhook.',
    '# TYPE kaiactl_webhook_attempts_total counter',
    `kaiactl_webhook_attempts_total{result="delivered"} ${counts.delivered}`,
    `kaiactl_webhook_attempts_total{result="failed"} ${counts.failedDeliveries}`,
    '# HELP kaiactl_webhook_pending_targets Targets whose changes the webhook has not received.',
    '# TYPE kaiactl_webhook_pending_targets gauge',
    `kaiactl_webhook_pending_targets ${counts.pending}`,
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
