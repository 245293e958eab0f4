/** POST /api/store and the portal's callbacks. */

import type { FastifyRequest } from 'fastify';
import { field } from '../protocol/upstream.js';
import { paths, paymentFailed } from '../protocol/wire.js';
import { liveProblem, readOrder } from './order.js';
import type { AddRoutes, Parts } from './parts.js';
import { addEndpoint, readJson, sendJson } from './route.js';
import { callbackSchema, finalizeSchema, orderSchema, paymentSchema } from './schemas.js';

/** Paths of the portal's callbacks. */
export const callbackPaths = {
  confirm: `${paths.store}/callback`,
  lock: `${paths.store}/lock`,
  unlock: `${paths.store}/unlock`,
} as const;

/** Adds the routes. */
export const paymentRoutes: AddRoutes = (app, parts, metrics) => {
  addEndpoint(app, parts.limits, {
    method: 'POST',
    path: paths.store,
    schema: orderSchema,
    async answer(request, reply) {
      const created = await create(readJson(request), request.headers.authorization, parts);
      const failure = 'failure' in created ? created.failure : null;
      metrics.payments.inc({ outcome: failure === null ? 'created' : 'failed' });
      if ('id' in created) return sendJson(reply, JSON.stringify({ pId: created.id }));
      request.note = failure;
      return sendJson(reply, JSON.stringify(paymentFailed), 400);
    },
  });
  addEndpoint(app, parts.limits, {
    method: 'GET',
    path: `${paths.store}/status`,
    schema: paymentSchema,
    async answer(request, reply) {
      const payment = await parts.payments.status(String(field(request.query, 'id') ?? ''));
      if (payment === undefined) return sendJson(reply, '{"message":"No such payment"}', 404);
      return sendJson(reply, JSON.stringify(payment));
    },
  });
  addEndpoint(app, parts.limits, {
    method: 'POST',
    path: `${paths.store}/finalize`,
    schema: finalizeSchema,
    async answer(request, reply) {
      const done = await parts.payments.finalize(field(readJson(request), 'id'));
      if (done) return sendJson(reply, '{"message":"Finalization is done"}');
      request.note = 'not a payment of this server, or the portal does not settle it';
      return sendJson(reply, '{"message":"Finalization is failed"}', 400);
    },
  });
  for (const path of Object.values(callbackPaths)) addCallback(path)(app, parts, metrics);
};

async function create(
  body: unknown,
  authorization: string | undefined,
  { payments, live }: Parts,
): Promise<{ id: string } | { failure: string }> {
  const read = readOrder(body);
  if ('wrong' in read) return { failure: read.wrong };
  const problem = liveProblem(read.order, authorization, live);
  return problem === null ? payments.create(read.order) : { failure: problem };
}

/**
 * Callbacks are answered 200 as soon as they are stored, however many there are: the portal repeats what is not,
 * and takes it as a no to a lock. Whatever is wrong with one is for the log.
 */
const addCallback =
  (path: string): AddRoutes =>
  (app, { limits, payments }) =>
    addEndpoint(
      app,
      { ...limits, perMinute: 0 },
      {
        method: 'POST',
        path,
        schema: callbackSchema,
        async answer(request, reply) {
          const body = jsonOrNull(request);
          const noted = await payments.note(field(body, 'paymentId'), field(body, 'status'));
          request.note = noted === undefined ? 'not a payment of this server' : null;
          noted?.looked.catch((error: unknown) => app.log.error(error));
          return sendJson(reply, '{"message":"POST request received"}');
        },
      },
    );

function jsonOrNull(request: FastifyRequest): unknown {
  try {
    return readJson(request);
  } catch {
    return null;
  }
}
