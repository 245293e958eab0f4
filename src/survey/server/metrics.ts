/** Prometheus metrics. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from '../store/group-store.js';
import { paymentStates } from './payment-states.js';
import type { Payments } from './payments.js';
import type { Faults, Outcomes } from './tallies.js';

export type Metrics = ReturnType<typeof addMetrics>;

type Tally = { readonly count: number } & Readonly<Record<string, string | number>>;

interface Measured {
  readonly payments: Pick<Payments, 'counts'>;
  health(): Promise<Health>;
  readonly faults: Faults;
  readonly outcomes: Outcomes;
}

/** Registers the counters of this server, and a hook that times every request by route. */
export function addMetrics(app: FastifyInstance, { health, faults, outcomes, payments: recorded }: Measured) {
  const registry = new Registry();
  const registers = [registry];
  // In milliseconds; by default, an idle server wakes every 10.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  // Gauges that are named as counters, which promtool refuses.
  for (const { name } of registry.getMetricsAsArray())
    if (/^nodejs_.*_total$/.test(name)) registry.removeSingleMetric(name);
  const seconds = new Histogram({
    name: 'kaiactl_survey_request_seconds',
    help: 'Time from request to answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  addGauges(registry, health);
  const tally = (name: string, help: string, labelNames: string[], counts: () => readonly Tally[]) =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { count, ...labels } of counts()) this.inc(labels, count);
      },
    });
  const errors = 'Errors that no answer shows, by event and code.';
  tally('kaiactl_survey_errors_total', errors, ['event', 'code'], () => faults.counts());
  const joins = 'Joins by outcome: accepted, or the code of the refusal.';
  tally('kaiactl_survey_joins_total', joins, ['outcome'], () => outcomes.counts());
  const payments = new Counter({
    name: 'kaiactl_survey_payments_total',
    help: 'Payment requests by outcome: created or failed.',
    labelNames: ['outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'kaiactl_survey_payment_states',
    help: 'Payments of the store by state; disputed: paid, but a callback or the order says otherwise.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      // While the store does not answer, the last counts stay out.
      this.reset();
      const counts = await recorded.counts().catch(() => null);
      if (counts !== null) for (const state of paymentStates) this.set({ state }, counts[state] ?? 0);
    },
  });
  return { registry, payments, seconds };
}

const gauges = {
  transactions: ['kaiactl_survey_transactions', 'Transactions queued, or sent and not yet final.'],
  oldestUnminedSeconds: [
    'kaiactl_survey_oldest_unmined_seconds',
    'Age of the oldest transaction that was sent and is not mined.',
  ],
  oldestCallSeconds: ['kaiactl_survey_oldest_call_seconds', 'Age of the oldest join that was not sent.'],
  nonce: ['kaiactl_survey_manager_nonce', 'Transactions of the manager that are mined.'],
  joinsLeft: ['kaiactl_survey_joins_left', 'Joins the manager’s balance pays for.'],
  blockAgeSeconds: ['kaiactl_survey_block_age_seconds', 'Age of the node’s last block.'],
  treeCheckAgeSeconds: [
    'kaiactl_survey_tree_check_age_seconds',
    'Time since the members of every group were compared with their tree.',
  ],
  platformUp: ['kaiactl_survey_platform_up', '1 when the platform answered the last tokens.'],
  platformKeysAgeSeconds: [
    'kaiactl_survey_platform_keys_age_seconds',
    'Time since the platform’s keys were read.',
  ],
  decisionsWritten: [
    'kaiactl_survey_decisions_written',
    '1 when every decision of an admin is also in the file beside the secret.',
  ],
  diskFreeBytes: ['kaiactl_survey_disk_free_bytes', 'Free disk space of the store.'],
} as const;

/** Gauges of the health, read on every scrape. */
function addGauges(registry: Registry, health: () => Promise<Health>): void {
  const add = (
    name: string,
    help: string,
    read: (gauge: Gauge, now: Health) => void,
    labelNames: string[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const now = await health();
        this.reset();
        read(this, now);
      },
    });
  for (const [fact, [name, help]] of Object.entries(gauges))
    add(name, help, (gauge, { facts: { [fact]: value } }) => {
      if (typeof value === 'number') gauge.set(value);
      else gauge.remove();
    });
  const nodes = '1 when the node is in use or ready, by its position among the --rpc-url options.';
  const setNodes = (gauge: Gauge, { nodes = [] }: Health) => {
    for (const { node, state } of nodes) gauge.set({ node }, state === 'used' || state === 'ready' ? 1 : 0);
  };
  add('kaiactl_survey_node_up', nodes, setNodes, ['node']);
  add('kaiactl_survey_healthy', '1 when a join would succeed.', (gauge, { problem }) =>
    gauge.set(problem === null ? 1 : 0),
  );
}
