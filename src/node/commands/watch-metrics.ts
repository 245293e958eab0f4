/** The metrics of a watch, of its probes and of its own process. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../../version.js';
import { interfaceName, type Report, type TargetReport, unansweredQuestions } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { line } from '../report/escape.js';

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

/** The result of a request to /probe. */
export type ProbeResult = 'completed' | 'failed' | 'refused' | 'invalid';

/** A value for each list of label values; those of the same labels are added up. */
type Rows = readonly (readonly [labels: readonly string[], value: number])[];

interface Metric {
  readonly type: typeof Counter | typeof Gauge;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly rows: Rows;
}

/** `at`: milliseconds since 1970 of the last completed round; null if there was none. */
export function watchMetrics({ targets }: Report, at: number | null, counts: WatchCounts): Promise<string> {
  const { rounds, blindRounds, delivered, failedDeliveries, pending } = counts;
  const seconds = Math.floor((at ?? 0) / 1000);
  const byResult = { completed: rounds - blindRounds, failed: blindRounds };
  const attempts = { delivered, failed: failedDeliveries };
  const stale = targets.map(({ name, last }) => [[name], last === undefined ? 0 : 1] as const);
  const down =
    '1: the node is down, and its findings are those of its last round; 0: they are of this round.';
  return exposition([
    ...findingMetrics(targets),
    gauge('kaiactl_target_stale', down, stale, 'target'),
    gauge('kaiactl_last_success_timestamp_seconds', 'Time of the last completed round.', seconds),
    counter('kaiactl_rounds_total', 'Rounds since the watch started.', byResult),
    counter('kaiactl_webhook_attempts_total', 'Attempts to deliver changes to the webhook.', attempts),
    gauge('kaiactl_webhook_pending_targets', 'Targets whose changes the webhook has not received.', pending),
  ]);
}

/** The metrics of one probe. `at`: milliseconds since 1970. */
export function probeMetrics(
  target: TargetReport,
  { at, durationMs }: { readonly at: number; readonly durationMs: number },
): Promise<string> {
  const counted = target.findings.filter(({ suppressed }) => suppressed === null);
  const suppressed = target.findings.length - counted.length;
  const answered = hasAnswered(target) ? 1 : 0;
  const bySeverity = severities.map((severity) => {
    return [[severity], counted.filter((one) => one.severity === severity).length] as const;
  });
  return exposition([
    gauge('kaiactl_probe_success', '1: the node answered; 0: none of its interfaces did.', answered),
    gauge('kaiactl_probe_findings', 'Findings that are not suppressed, by severity.', bySeverity, 'severity'),
    gauge('kaiactl_probe_suppressed_findings', 'Findings that are suppressed.', suppressed),
    gauge('kaiactl_probe_undetermined', 'Checks that could not be made.', unansweredQuestions(target).length),
    gauge('kaiactl_probe_duration_seconds', 'Duration of the probe.', Math.round(durationMs) / 1000),
    gauge('kaiactl_probe_timestamp_seconds', 'Time at which the probe started.', at / 1000),
    ...findingMetrics([target]),
  ]);
}

/** The metrics of a watch that answers probes. */
export function exporterMetrics(
  requests: Readonly<Record<ProbeResult, number>>,
  { running, targets }: { readonly running: number; readonly targets: number },
): Promise<string> {
  return exposition([
    counter('kaiactl_probe_requests_total', 'Requests to /probe since the start.', requests),
    gauge('kaiactl_probes_running', 'Nodes that are being audited.', running),
    gauge('kaiactl_inventory_targets', 'Nodes of the inventory.', targets),
  ]);
}

/** `kaiactl_build_info` and the metrics of the process, to append to others. */
export function selfMetrics(): () => Promise<string> {
  const register = new Registry();
  collectDefaultMetrics({ register });
  // Those of Node.js hold gauges that are named as counters.
  for (const { name } of register.getMetricsAsArray())
    if (!name.startsWith('process_')) register.removeSingleMetric(name);
  const build = gauge('kaiactl_build_info', '1, with the version of kaiactl.', [[[version()], 1]], 'version');
  return async () => (await exposition([build])) + (await register.metrics());
}

/** Whether an interface answered, or the settings of the node open none. */
function hasAnswered({ interfaces, undetermined }: TargetReport): boolean {
  const isRead = undetermined.every(({ rule }) => rule !== 'gather');
  const isClosed = isRead && interfaces.every(({ state }) => state === 'closed');
  return isClosed || interfaces.some(({ state }) => state === 'open');
}

function findingMetrics(targets: readonly TargetReport[]): Metric[] {
  // A node that is down keeps its findings, so that no alert resolves.
  const findings = targets.flatMap(({ name, findings: own, last }) =>
    (last?.findings ?? own)
      .filter(({ suppressed }) => suppressed === null)
      .map(({ rule, severity, subject }) => [[name, rule, severity, subject], 1] as const),
  );
  const open = targets.flatMap(({ name, interfaces }) =>
    interfaces
      .filter(({ state }) => state === 'open')
      .map((one) => {
        const { endpoint, reach = 'unknown', browsers } = one;
        return [[name, interfaceName(one), endpoint, reach, browsers ?? 'unknown'], 1] as const;
      }),
  );
  const checked = targets.map((one) => [[one.name], unansweredQuestions(one).length === 0 ? 1 : 0] as const);
  const complete = '1: everything was checked; 0: something is undetermined.';
  const reached = 'Interfaces that answered, by the addresses and web pages that reach them.';
  return [
    gauge('kaiactl_finding', 'Findings that are not suppressed.', findings, 'target rule severity subject'),
    gauge('kaiactl_interface_open', reached, open, 'target interface endpoint reach browsers'),
    gauge('kaiactl_target_checked', complete, checked, 'target'),
  ];
}

/** `labels`: their names, separated by blanks. */
function gauge(name: string, help: string, value: number | Rows, labels = ''): Metric {
  const rows: Rows = typeof value === 'number' ? [[[], value]] : value;
  return { type: Gauge, name, help, labels: labels === '' ? [] : labels.split(' '), rows };
}

function counter(name: string, help: string, counts: Readonly<Record<string, number>>): Metric {
  const rows = Object.entries(counts).map(([result, count]) => [[result], count] as const);
  return { type: Counter, name, help, labels: ['result'], rows };
}

function exposition(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  for (const { type: Type, labels: labelNames, rows, ...named } of metrics) {
    const metric = new Type({ ...named, labelNames, registers: [registry] });
    for (const [values, value] of rows) metric.labels(...values.map(line)).inc(value);
  }
  return registry.metrics();
}
