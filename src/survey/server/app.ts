/** The survey API as a server that does not listen yet. */
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { Refused } from '../protocol/refused.js';
import { paths, paymentFailed } from '../protocol/wire.js';
import { serveCachedLists } from './cached-list.js';
import { answerMalformed, errorHandler, refuseConnect } from './failures.js';
import { joinRoutes } from './join.js';
import { addLoadLimits } from './load.js';
import { addLog } from './log.js';
import { membersRoutes, type Renderings } from './members.js';
import { addMetrics, type Metrics } from './metrics.js';
import { operationsRoutes } from './operations.js';
import type { AddRoutes, Parts } from './parts.js';
import { finalizePath, paymentRoutes } from './payment.js';
import { RateStore, ratesWith } from './rate-store.js';
import { addEndpoint, refuseForeignForm } from './route.js';
import { inviteSchema } from './schemas.js';

const description = {
  title: 'Survey API',
  version: '1',
  description: 'Groups of survey participants, and payments.',
};

const groupBody = (refused: Refused): string => refused.body();
const paymentBody = ({ message, reason }: Refused, { url }: { readonly url: string }): string =>
  JSON.stringify(
    url.startsWith(finalizePath)
      ? { message: `Finalization is failed: ${message}: ${reason}` }
      : paymentFailed,
  );

/** Adds all routes. Group routes fail with `error`, payment routes with `message`, as in the original API. */
export async function buildServer(parts: Parts): Promise<{ app: FastifyInstance; metrics: Metrics }> {
  const app = bareServer(parts);
  app.setErrorHandler(errorHandler(groupBody));
  const load = addLoadLimits(app, parts.limits, () => parts.faults.report('slow reader', 'DISCONNECTED'));
  const metrics = addMetrics(app, parts);
  if (parts.origins.length > 0) {
    // Endpoints answer OPTIONS themselves, with Allow.
    await app.register(cors, {
      strictPreflight: false,
      preflightContinue: true,
      exposedHeaders: ['etag', 'retry-after'],
      origin: [...parts.origins],
      methods: ['GET', 'POST'],
      maxAge: 600,
    });
  }
  const log = addLog(app, parts.log, {
    hourly: () => parts.faults.takeHourly(),
    refusals: () => parts.counts.takeRefusals(),
  });
  const rates = new RateStore();
  await app.register(rateLimit, { global: false, store: ratesWith(paths.members, rates) });
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: description } });
  const renderings: Renderings = new Map();
  await app.register(async (scope) => membersRoutes(scope, parts, renderings));
  for (const routes of [joinRoutes, inviteRoutes, operationsRoutes])
    await app.register(async (scope) => routes(scope, parts, metrics));
  await app.register(async (scope) => {
    scope.setErrorHandler(errorHandler(paymentBody));
    paymentRoutes(scope, parts, metrics);
  });
  serveCachedLists(app, parts, { renderings, load, log, metrics, rates });
  return { app, metrics };
}

/** Reads bodies as text, whatever their type, and disconnects clients that send them slowly. */
function bareServer({ limits, origins, tls }: Parts): FastifyInstance {
  const trust = limits.trustProxy;
  const http = {
    connectionsCheckingInterval: Math.min(1000, limits.requestMs),
    headersTimeout: limits.requestMs,
    requestTimeout: limits.requestMs,
    // Node's own refusal has no body.
    requireHostHeader: false,
  };
  const app = Fastify({
    ...(tls === null ? { http } : { https: { ...http, ...tls } }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    trustProxy: typeof trust === 'number' ? (_: string, hop: number) => hop < trust : trust && [...trust],
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => {
      const isPayment = request.url.startsWith(paths.store);
      void errorHandler(isPayment ? paymentBody : groupBody)(error, request, reply);
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  // Node would refuse an unknown Expect without a body; ignoring it is allowed.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_, socket) => refuseConnect(socket));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  // The framework would refuse malformed content types before it asks the parser.
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
      throw new Refused('INVALID_ARGUMENT', 'invalid request', 'it has no Host header');
    refuseForeignForm({ method: raw.method ?? '', headers: raw.headers }, origins);
    if (raw.headers['content-type'] !== undefined) raw.headers['content-type'] = 'text/plain';
  });
  app.setNotFoundHandler(async (request, reply) => {
    const [path = '', query] = request.url.split('?', 2);
    const url = path.slice(0, -1);
    if (path.endsWith('/') && app.hasRoute({ method: 'OPTIONS', url }))
      return reply.redirect(url + (query === undefined ? '' : `?${query}`), 308);
    throw new Refused('NOT_FOUND', 'no such route', 'see /openapi.json');
  });
  return app;
}

export const inviteRoutes: AddRoutes = (app, { limits }) => {
  for (const path of ['/api/invite/encode', '/api/invite/friends'])
    addEndpoint(app, limits, {
      method: 'POST',
      path,
      schema: inviteSchema,
      answer: async () => {
        const reason =
          'an invitation would give the user’s id, signed and without expiry, to everyone who has the link';
        throw new Refused('UNSUPPORTED_OPERATION', 'this server makes no invitations', reason);
      },
    });
};
