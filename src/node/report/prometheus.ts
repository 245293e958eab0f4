/** Reports as Prometheus metrics (text exposition format 0.0.4). */
import { interfaceName, type Report, type TargetReport, unanswered } from '../facts/report.js';
import { severities } from '../facts/severity.js';
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

/** The results of requests to /probe, in the order of their rows. */
export const probeResults = ['completed', 'failed', 'refused', 'invalid'] as const;
export type ProbeResult = (typeof probeResults)[number];

/** A value for each set of labels. */
type Rows = readonly (readonly [labels: string, value: number])[];

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly rows: Rows;
}

/** The metrics of a watch. `at`: milliseconds since 1970 of the last completed round; null: there was none. */
export function prometheus({ targets }: Report, at: number | null, counts: WatchCounts): string {
  const { rounds, blindRounds, delivered, failedDeliveries, pending } = counts;
  return exposition([
    ...findingMetrics(targets),
    gauge(
      'kaiactl_last_success_timestamp_seconds',
      'Time of the last completed round.',
      Math.floor((at ?? 0) / 1000),
    ),
    counter('kaiactl_rounds_total', 'Rounds since the watch started.', {
      completed: rounds - blindRounds,
      failed: blindRounds,
    }),
    counter('kaiactl_webhook_attempts_total', 'Attempts to deliver changes to the webhook.', {
      delivered,
      failed: failedDeliveries,
    }),
    gauge('kaiactl_webhook_pending_targets', 'Targets whose changes the webhook has not received.', pending),
  ]);
}

/** The metrics of one probe. `at`: milliseconds since 1970. */
export function probeMetrics(
  target: TargetReport,
  { at, durationMs }: { readonly at: number; readonly durationMs: number },
): string {
  const { findings } = target;
  const counted = findings.filter(({ suppressed }) => suppressed === null);
  const bySeverity = severities.map((severity) => {
    const count = counted.filter((one) => one.severity === severity).length;
    return [labels({ severity }), count] as const;
  });
  return exposition([
    gauge(
      'kaiactl_probe_success',
      '1: the node answered; 0: none of its interfaces did.',
      hasAnswered(target) ? 1 : 0,
    ),
    gauge('kaiactl_probe_findings', 'Findings that are not suppressed, by severity.', bySeverity),
    gauge(
      'kaiactl_probe_suppressed_findings',
      'Findings that are suppressed.',
      findings.length - counted.length,
    ),
    gauge('kaiactl_probe_undetermined', 'Checks that could not be made.', unanswered(target).length),
    gauge('kaiactl_probe_duration_seconds', 'Duration of the probe.', Math.round(durationMs) / 1000),
    gauge('kaiactl_probe_timestamp_seconds', 'Time at which the probe started.', at / 1000),
    ...findingMetrics([target]),
  ]);
}

/** The metrics of a watch that answers probes. */
export function exporterMetrics(
  requests: Readonly<Record<ProbeResult, number>>,
  { running, targets }: { readonly running: number; readonly targets: number },
): string {
  return exposition([
    counter('kaiactl_probe_requests_total', 'Requests to /probe since the start.', requests),
    gauge('kaiactl_probes_running', 'Nodes that are being audited.', running),
    gauge('kaiactl_inventory_targets', 'Nodes of the inventory.', targets),
  ]);
}

/** True if an interface answered, or the settings of the node open none. */
function hasAnswered({ interfaces, undetermined }: TargetReport): boolean {
  const isRead = undetermined.every(({ rule }) => rule !== 'gather');
  const isClosed = isRead && interfaces.every(({ state }) => state === 'closed');
  return isClosed || interfaces.some(({ state }) => state === 'open');
}

function findingMetrics(targets: readonly TargetReport[]): Metric[] {
  const checked = targets.map((one) => {
    return [labels({ target: one.name }), unanswered(one).length === 0 ? 1 : 0] as const;
  });
  return [
    gauge('kaiactl_finding', 'Findings that are not suppressed.', findings(targets)),
    gauge(
      'kaiactl_interface_open',
      'Interfaces that answered, by the addresses and web pages that reach them.',
      openTo(targets),
    ),
    gauge('kaiactl_target_checked', '1: everything was checked; 0: something is undetermined.', checked),
  ];
}

/** 1 for each interface that answered, with who reaches it: reach="loopback", browsers="any page". */
function openTo(targets: readonly TargetReport[]): Rows {
  return targets.flatMap(({ name, interfaces }) =>
    interfaces
      .filter(({ state }) => state === 'open')
      .map((one) => {
        const { endpoint, reach = 'unknown', browsers } = one;
        const who = { reach, browsers: browsers ?? 'unknown' };
        return [labels({ target: name, interface: interfaceName(one), endpoint, ...who }), 1] as const;
      }),
  );
}

/** The number of findings for each target, rule, severity and subject. */
function findings(targets: readonly TargetReport[]): Rows {
  const counts = new Map<string, number>();
  for (const { name, findings } of targets)
    for (const { rule, severity, subject, suppressed } of findings) {
      if (suppressed !== null) continue;
      const key = labels({ target: name, rule, severity, subject });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts];
}

function gauge(name: string, help: string, value: number | Rows): Metric {
  return { name, type: 'gauge', help, rows: typeof value === 'number' ? [['', value]] : value };
}

function counter(name: string, help: string, counts: Readonly<Record<string, number>>): Metric {
  const rows = Object.entries(counts).map(([result, count]) => [labels({ result }), count] as const);
  return { name, type: 'counter', help, rows };
}

function exposition(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, type, help, rows }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...rows.map(([labels, value]) => `${name}${labels} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(
    ([name, value]) => `${name}="${line(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  );
  return `{${pairs.join(',')}}`;
}
