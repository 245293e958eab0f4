/** /healthz, /metrics and /openapi.json: for those who run the server. */

import type { GroupStore, Health } from '../store/group-store.js';
import type { Storage } from '../store/storage.js';
import type { AddRoutes } from './parts.js';
import { addEndpoint, sendJson } from './route.js';
import { descriptionSchema, healthSchema, metricsSchema } from './schemas.js';

/** Adds the routes; they have no rate limit. */
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
      const { problem, facts } = await health();
      const status = {
        status: problem === null ? 'ok' : 'unavailable',
        store: store.kind,
        problem,
        ...facts,
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

/** How long an answer serves, in milliseconds. */
const freshFor = 1000;
/** Below that the next join may not find room, in bytes. */
const leastRoom = 16 << 20;

/** Every call resolves with an answer no older than a second; one look serves all who ask meanwhile. */
export function healthOf(store: GroupStore, storage: Storage, now: () => number): () => Promise<Health> {
  let at = Number.NEGATIVE_INFINITY;
  let answer: Promise<Health> | null = null;
  return () => {
    if (answer === null || now() - at > freshFor) {
      at = now();
      answer = look(store, storage);
    }
    return answer;
  };
}

async function look(store: GroupStore, storage: Storage): Promise<Health> {
  const [health, room, unwritable] = await Promise.all([
    store.health(),
    storage.room().catch(() => new Error('the store does not answer')),
    storage.problem(),
  ]);
  if (room instanceof Error) return { ...health, problem: room.message };
  const full = room !== null && room < leastRoom ? 'the disk of the store is full' : null;
  const problem = health.problem ?? full ?? unwritable?.message ?? null;
  return { problem, facts: { ...health.facts, diskFreeBytes: room } };
}
