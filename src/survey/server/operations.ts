/** /healthz, /metrics and /openapi.json: for those who run the server. */
import { openapi } from './openapi.js';
import type { AddRoutes } from './parts.js';
import { addEndpoint, sendJson } from './route.js';

const document = JSON.stringify(openapi);

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
      answer: async (_, reply) =>
        reply.header('content-type', registry.contentType).send(await registry.metrics()),
    });
  }
  addEndpoint(app, unlimited, {
    method: 'GET',
    path: '/openapi.json',
    answer: async (_, reply) => sendJson(reply, document),
  });
};
