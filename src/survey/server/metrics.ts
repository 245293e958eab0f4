/** What Prometheus reads at /metrics. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly joins: Counter<'outcome'>;
  readonly payments: Counter<'outcome'>;
}

/** Counters of this server alone, and a hook that times every request by route. */
export function addMetrics(app: FastifyInstance): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
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
  const outcome = { labelNames: ['outcome'] as const, registers };
  return {
    registry,
    joins: new Counter({
      name: 'kaiactl_survey_joins_total',
      help: 'Joins, by what came of them: accepted, or the code of the refused.',
      ...outcome,
    }),
    payments: new Counter({
      name: 'kaiactl_survey_payments_total',
      help: 'Payments asked for: created or failed.',
      ...outcome,
    }),
  };
}
