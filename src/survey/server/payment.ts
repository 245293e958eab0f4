/** POST /api/store and the portal's callbacks. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { field, jsonOf } from '../../util/json.js';
import { errorCode } from '../chain/failure.js';
import { Refused } from '../protocol/refused.js';
import { verifyText } from '../protocol/signature.js';
import { paths, paymentFailed } from '../protocol/wire.js';
import { isOperator, liveProblem, readOrder } from './order.js';
import type { AddRoutes, Parts } from './parts.js';
import { noBuyer } from './payments.js';
import { addEndpoint, isForeign, readJson, sendJson } from './route.js';
import { callbackSchema, finalizeSchema, orderSchema, paymentSchema } from './schemas.js';

export const callbackPaths = {
  confirm: `${paths.store}/callback`,
  lock: `${paths.store}/lock`,
  unlock: `${paths.store}/unlock`,
} as const;

export const finalizePath = `${paths.store}/finalize`;

/** The text a buyer signs (EIP-191) to settle a payment. */
export const finalizeText = (id: string): string => `finalize payment ${id}`;

export const paymentRoutes: AddRoutes = (app, parts, metrics) => {
  const { limits, payments, live, faults } = parts;
  addEndpoint(app, limits, {
    method: 'POST',
    path: paths.store,
    schema: orderSchema,
    async answer(request, reply) {
      const read = readOrder(readJson(request));
      const wrong =
        'wrong' in read ? read.wrong : liveProblem(read.order, request.headers.authorization, live);
      const created =
        'order' in read && wrong === null ? await payments.create(read.order) : { failure: wrong };
      metrics.payments.inc({ outcome: 'id' in created ? 'created' : 'failed' });
      if ('id' in created) return sendJson(reply, JSON.stringify({ pId: created.id }));
      request.note = created.failure;
      const reason = 'isSent' in created ? { reason: created.failure } : {};
      return sendJson(reply, JSON.stringify({ ...paymentFailed, ...reason }), 400);
    },
  });
  addEndpoint(app, limits, {
    method: 'GET',
    path: `${paths.store}/status`,
    schema: paymentSchema,
    async answer(request, reply) {
      const payment = await payments.status(String(field(request.query, 'id') ?? ''));
      if (payment === undefined) return sendJson(reply, '{"message":"No such payment"}', 404);
      return sendJson(reply, JSON.stringify(payment));
    },
  });
  addEndpoint(app, limits, {
    method: 'POST',
    path: finalizePath,
    schema: finalizeSchema,
    async answer(request, reply) {
      const problem = await finalize(request, parts);
      if (problem === null) return sendJson(reply, '{"message":"Finalization is done"}');
      request.note = problem;
      const message = problem === noBuyer ? `Finalization is failed: ${problem}` : 'Finalization is failed';
      return sendJson(reply, JSON.stringify({ message }), 400);
    },
  });
  // Answered as soon as they are stored, without a rate limit: the portal repeats callbacks that fail, and takes an error as
  // the refusal of a lock.
  const callback = async (request: FastifyRequest, reply: FastifyReply) => {
    const body = jsonOf(String(request.body ?? ''));
    const noted = await payments.note(field(body, 'paymentId'), field(body, 'status'), request.ip);
    request.note = noted === undefined ? 'not a payment of this server' : null;
    noted?.verified.catch((error: unknown) => faults.report('payment error', errorCode(error)));
    return sendJson(reply, '{"message":"POST request received"}');
  };
  for (const path of Object.values(callbackPaths)) {
    const endpoint = { method: 'POST', path, schema: callbackSchema, answer: callback } as const;
    addEndpoint(app, { ...limits, perMinute: 0 }, endpoint);
  }
};

/**
 * Settles a payment for the operator, who sends the secret, or for the buyer, who signs `finalizeText`.
 * @returns why it was not settled; null if it was
 * @throws {Refused} for a page of another site, or without a valid proof
 */
async function finalize(request: FastifyRequest, { payments, live, origins, signatures }: Parts) {
  const body = readJson(request);
  const [id, account] = [field(body, 'id'), field(body, 'account')].map((value) => String(value ?? ''));
  if (id === undefined || account === undefined) return 'no payment';
  if (isOperator(request.headers.authorization, live)) return payments.finalize(id, null);
  if (isForeign(request.headers, origins))
    throw new Refused('FOREIGN_ORIGIN', 'the request was not accepted', 'it is from a page of another site');
  await verifyText(finalizeText(id), account, field(body, 'signature'), signatures);
  return payments.finalize(id, account);
}
