/** The survey API as a server that listens nowhere yet. */
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { Refused, retryAfter } from '../protocol/refused.js';
import { paymentFailed } from '../protocol/wire.js';
import { inviteRoutes } from './invite.js';
import { joinRoutes } from './join.js';
import { addLog, defect } from './log.js';
import { malformed } from './malformed.js';
import { membersRoutes } from './members.js';
import { addMetrics, type Metrics } from './metrics.js';
import { operationsRoutes } from './operations.js';
import type { AddRoutes, Limits, Parts } from './parts.js';
import { paymentRoutes } from './payment.js';
import { drained, refusedBy, sendJson } from './route.js';

const description = {
  ...{ title: 'Survey API', version: '1' },
  description: 'Groups of survey participants, and payments.',
};

/** Puts the routes together: group routes fail with `error`, payment routes with `message`, as the original does. */
export async function buildServer(parts: Parts): Promise<{ app: FastifyInstance; metrics: Metrics }> {
  const app = bareServer(parts);
  const metrics = addMetrics(app, parts);
  if (parts.origins.length > 0) {
    // What is asked of an endpoint by OPTIONS it answers itself, with Allow.
    const asked = {
      strictPreflight: false,
      preflightContinue: true,
      exposedHeaders: ['etag', 'retry-after'],
    };
    await app.register(cors, { ...asked, origin: [...parts.origins], methods: ['GET', 'POST'], maxAge: 600 });
  }
  addLog(app, parts.log);
  await app.register(rateLimit, { global: false, cache: 10_000 });
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: description } });
  const scope = (routes: AddRoutes, body: (refused: Refused) => string) =>
    app.register(async (inner) => {
      inner.setErrorHandler(async (error, request, reply) => {
        const { refused, status } = refusedBy(error);
        if (refused.code === 'BODY_TOO_LARGE') await drained(request.raw);
        request.outcome = status === 500 ? defect(error) : refused.code;
        request.note = status === 500 ? defect(error) : `${refused.message}: ${refused.reason}`;
        if (refused.code === 'BUSY') reply.header('retry-after', retryAfter);
        return sendJson(reply, body(refused), status);
      });
      routes(inner, parts, metrics);
    });
  for (const routes of [membersRoutes, joinRoutes, inviteRoutes, operationsRoutes])
    await scope(routes, (it) => it.body());
  await scope(paymentRoutes, () => JSON.stringify(paymentFailed));
  return { app, metrics };
}

/** Bodies are read as text whatever their type; a client that sends them slowly is cut off. */
function bareServer({ limits, tls }: Parts): FastifyInstance {
  const app = Fastify({
    ...(tls === null ? {} : { https: { ...tls } }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    trustProxy: trusted(limits.trustProxy),
    clientErrorHandler: malformed,
    frameworkErrors: (error, request, reply) => {
      request.outcome = error.code;
      return void sendJson(reply, refusedBy(error).refused.body(), 400);
    },
    forceCloseConnections: 'idle',
    http: { connectionsCheckingInterval: Math.min(1000, limits.requestMs), headersTimeout: limits.requestMs },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  // The framework refuses a type it cannot read before any parser is asked; here no type counts.
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers['content-type'] !== undefined) raw.headers['content-type'] = 'text/plain';
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = '', query] = request.url.split('?', 2);
    if (/^\/(?!\/).*[^/]\/$/.test(path)) {
      return reply.code(308).redirect(path.slice(0, -1) + (query === undefined ? '' : `?${query}`), 308);
    }
    return sendJson(reply, new Refused('NOT_FOUND', 'no such route', 'see /openapi.json').body(), 404);
  });
  return app;
}

function trusted(whom: Limits['trustProxy']): string[] | false | ((address: string, hop: number) => boolean) {
  if (typeof whom === 'number') return (_, hop) => hop < whom;
  return whom === false ? whom : [...whom];
}
