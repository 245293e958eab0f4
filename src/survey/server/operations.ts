/** /healthz, /metrics and /openapi.json: for those who run the server. */
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
