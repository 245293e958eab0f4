/** The operator's routes: /healthz, /metrics and /openapi.json. */

import type { GroupStore, Health } from '../store/group-store.js';
import type { Storage } from '../store/storage.js';
import type { AddRoutes } from './parts.js';
import { addEndpoint, sendJson } from './route.js';
import { descriptionSchema, healthSchema, metricsSchema } from './schemas.js';

/** Adds the routes, without a rate limit. */
export const operationsRoutes: AddRoutes = (
  app,
  { store, health, limits, metricsElsewhere },
  { registry },
) => {
  const unlimited = { ...limits, perMinute: 0 };
  addEndpoint(app, unlimited, {
    method: 'GET',
    path: '/healthz',
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
  if (!metricsElsewhere) {
    addEndpoint(app, unlimited, {
      method: 'GET',
      path: '/metrics',
      schema: metricsSchema,
      answer: async (_, reply) =>
        reply.header('content-type', registry.contentType).send(await registry.metrics()),
    });
  }
  addEndpoint(app, unlimited, {
    method: 'GET',
    path: '/openapi.json',
    schema: descriptionSchema,
    answer: async (_, reply) => sendJson(reply, JSON.stringify(app.swagger())),
  });
};

/** How long an answer is cached, in milliseconds. */
const freshMs = 1000;
/** Free space below which writes may fail, in bytes. */
const minFreeBytes = 16 << 20;

/** Caches the health for a second; concurrent callers share one check. */
export function healthOf(store: GroupStore, storage: Storage): () => Promise<Health> {
  let at = Number.NEGATIVE_INFINITY;
  let answer: Promise<Health> | null = null;
  return () => {
    if (answer === null || performance.now() - at > freshMs) {
      at = performance.now();
      answer = check(store, storage);
    }
    return answer;
  };
}

async function check(store: GroupStore, storage: Storage): Promise<Health> {
  const [health, room, unwritable] = await Promise.all([
    store.health(),
    storage.room().catch(() => new Error('the store does not answer')),
    storage.problem(),
  ]);
  if (room instanceof Error) return { ...health, problem: room.message };
  const full = room !== null && room < minFreeBytes ? 'the disk of the store is full' : null;
  const problem = health.problem ?? full ?? unwritable?.message ?? null;
  return { ...health, problem, facts: { ...health.facts, diskFreeBytes: room } };
}
