/** What the head of every proxy's snippet says. */
import type { Endpoint } from './endpoint.js';
import type { Plan } from './plan.js';

/** True when there is something to put a proxy in front of. */
export function needsProxy(plan: Plan): boolean {
  return plan.http !== null || plan.ws !== null || passesMetrics(plan);
}

/** True when the monitoring subnet reads the metrics through the proxy. */
export function passesMetrics({ metrics, monitoring }: Plan): boolean {
  return metrics !== null && monitoring.length > 0;
}

/** What is assumed where the settings leave something open: a sentence each. */
export function assumptions({ undetermined }: Plan): string[] {
  return undetermined.map((one) => `Undetermined: ${one}.`);
}

/** What is assumed, and who else reaches the node: a sentence each. */
export function warnings(plan: Plan): string[] {
  const { http, ws } = plan;
  return [
    ...assumptions(plan),
    ...[http, ws].flatMap((one) => one?.bypass ?? []).map((one) => `Still open: ${one}`),
  ];
}

/** What passes with a WebSocket: a sentence. */
export const unread =
  'Nothing looks into its messages, so methods that sign pass too: unlock no account on this node.';

/** What of an interface passes and what does not: a sentence. */
export function filtered({ kind, allowed, barred }: Endpoint): string {
  const held = barred.length === 0 ? '' : `; not ${barred.join(', ')}, which it offers too`;
  return `What passes of ${kind}: ${allowed.join(', ')}${held}.`;
}

/** Why ws is left out: sentences. */
export function withheld({ blind }: Endpoint): string[] {
  return [
    'ws is left out: its messages cannot be looked into, so it may pass only where everything it offers may.',
    ...blind.map((one) => `To let it pass: ${one}`),
  ];
}

/** The metrics, and why the port they come from is not passed on whole: a sentence. */
export function metricsNote({ metrics, monitoring }: Plan): string[] {
  if (metrics === null) return [];
  const port = `Port ${metrics.port} serves the profiler beside the metrics and is open to every address: close it with --for nftables.`;
  return monitoring.length === 0
    ? [
        `${port} To pass the metrics on to your monitoring, say where it is: --monitoring 10.20.0.0/16, for example.`,
      ]
    : [`Metrics alone, and to the monitoring subnet alone. ${port}`];
}

/** For a node that opens neither http nor ws. */
export function noProxy(plan: Plan): string[] {
  return [
    `${plan.source} opens neither http nor ws: no proxy is needed.`,
    ...warnings(plan),
    ...metricsNote(plan),
  ];
}
