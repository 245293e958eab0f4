/** The operator's routes: /healthz and /readyz, which answer the same, /metrics and /openapi.json. */
import Fastify, { type FastifyInstance } from 'fastify';
import type { GroupStore, Health } from '../store/group-store.js';
import { isDamaged, type Storage } from '../store/storage.js';
import { errorHandler } from './failures.js';
import type { Metrics } from './metrics.js';
import type { AddRoutes, Limits, Parts } from './parts.js';
import { addEndpoint, sendJson } from './route.js';
import { descriptionSchema, healthSchema, metricsSchema } from './schemas.js';

export const operationsRoutes: AddRoutes = (app, parts, metrics) => {
  const { operations } = parts;
  if (operations?.health !== true) addHealth(app, parts);
  if (operations === null) addMetricsRoute(app, parts, metrics);
  addEndpoint(app, unlimited(parts.limits), {
    method: 'GET',
    path: '/openapi.json',
    schema: descriptionSchema,
    answer: async (_, reply) => sendJson(reply, JSON.stringify(app.swagger())),
  });
};

export function operationsServer(parts: Parts, metrics: Metrics): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(errorHandler((refused) => refused.body()));
  if (parts.operations?.health === true) addHealth(app, parts);
  addMetricsRoute(app, parts, metrics);
  return app;
}

function unlimited(limits: Limits): Limits {
  return { ...limits, perMinute: 0 };
}

function addHealth(app: FastifyInstance, { store, health, limits }: Parts): void {
  for (const path of ['/healthz', '/readyz'])
    addEndpoint(app, unlimited(limits), {
      method: 'GET',
      path,
      schema: healthSchema,
      async answer(_, reply) {
        const { problem, facts, nodes } = await health();
        const status = {
          status: problem === null ? 'ok' : 'unavailable',
          store: store.kind,
          problem,
          ...facts,
          ...(nodes === undefined ? {} : { nodes }),
        };
        return sendJson(reply, JSON.stringify(status), problem === null ? 200 : 503);
      },
    });
}

function addMetricsRoute(app: FastifyInstance, { limits }: Parts, { registry }: Metrics): void {
  addEndpoint(app, unlimited(limits), {
    method: 'GET',
    path: '/metrics',
    schema: metricsSchema,
    answer: async (_, reply) =>
      reply.header('content-type', registry.contentType).send(await registry.metrics()),
  });
}

/** How long an answer is cached, in milliseconds. */
const freshMs = 1000;
/** Free space below which writes may fail, in bytes. */
const minFreeBytes = 16 << 20;

/** Caches the health for a second; concurrent callers share one check. */
export function healthOf(
  store: GroupStore,
  storage: Storage,
  more: () => Health = () => ({ problem: null, facts: {} }),
): () => Promise<Health> {
  let at = Number.NEGATIVE_INFINITY;
  let answer: Promise<Health> | null = null;
  return () => {
    if (answer === null || performance.now() - at > freshMs) {
      at = performance.now();
      answer = check(store, storage, more());
    }
    return answer;
  };
}

async function check(store: GroupStore, storage: Storage, more: Health): Promise<Health> {
  const [health, room, unwritable] = await Promise.all([
    store.health(),
    storage.room().catch(() => new Error('the store does not answer')),
    storage.problem(),
  ]);
  if (room instanceof Error) return { ...health, problem: room.message };
  const full = room !== null && room < minFreeBytes ? 'the disk of the store is full' : null;
  const damage = isDamaged(unwritable) ? unwritable.sentence : null;
  const problem = damage ?? health.problem ?? full ?? unwritable?.message ?? more.problem;
  return { ...health, problem, facts: { ...health.facts, ...more.facts, diskFreeBytes: room } };
}
