/** Endpoints: their own method, OPTIONS, and 405 for others. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import { Refused } from '../protocol/refused.js';
import type { Limits } from './parts.js';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly schema: FastifySchema;
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Schemas are documentation only: the protocol validates requests, and answers are bytes already. */
const described = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => JSON.stringify,
  exposeHeadRoute: false,
};

/** Adds the endpoint with the rate limit of its kind. */
export function addEndpoint(app: FastifyInstance, limits: Limits, endpoint: Endpoint): void {
  const own: readonly HTTPMethods[] = endpoint.method === 'GET' ? ['GET', 'HEAD'] : ['POST'];
  const allow = [...own, 'OPTIONS'].toSorted().join(', ');
  const times = endpoint.method === 'GET' ? 10 : 1;
  // Read at each request: the limit may change, also to none.
  const max = () => (limits.perMinute === 0 ? Number.MAX_SAFE_INTEGER : limits.perMinute * times);
  const config = limits.perMinute === 0 ? {} : { rateLimit: { max, timeWindow: 60_000 } };
  const url = endpoint.path;
  const hidden: { url: string; schema: FastifySchema } = { url, schema: { hide: true } };
  for (const method of own)
    app.route({
      ...described,
      ...(method === 'HEAD' ? hidden : { url, schema: endpoint.schema }),
      method,
      config,
      handler: (request, reply) => endpoint.answer(request, reply),
    });
  app.route({
    ...hidden,
    method: 'OPTIONS',
    handler: (_, reply) => reply.code(204).header('allow', allow).send(),
  });
  app.route({
    ...hidden,
    method: methods.filter((method) => !own.includes(method)),
    handler: async (_, reply) => {
      reply.header('allow', allow);
      throw new Refused('METHOD_NOT_ALLOWED', 'method not allowed', `use ${own.join(' or ')}`);
    },
  });
}

/** Sends JSON text as bytes: the framework would add a charset to a string. */
export function sendJson(reply: FastifyReply, json: string | Buffer | readonly Buffer[], status = 200) {
  reply.code(status).header('content-type', 'application/json');
  if (typeof json === 'string') return reply.send(Buffer.from(json));
  if (Buffer.isBuffer(json)) return reply.send(json);
  const length = json.reduce((sum, piece) => sum + piece.length, 0);
  return reply.header('content-length', length).send(Readable.from(json));
}

/** The body as JSON, whatever its content type. @throws {Refused} when it is not JSON */
export function readJson(request: FastifyRequest): unknown {
  try {
    return JSON.parse(String(request.body ?? ''));
  } catch {
    throw new Refused('INVALID_ARGUMENT', 'invalid request body', 'it is not JSON', { argument: 'body' });
  }
}

/** Whether a page of another site sent the request: one that is neither this server's own nor among `origins`. */
export function isForeign(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin') return false;
  if (origin === undefined) return site === 'cross-site' || site === 'same-site';
  return !origins.includes(origin) && !(URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * Refuses a body that any page can send without the browser asking first: with the type of a form or plain text, or none.
 * JSON from a foreign page needs a preflight, which CORS refuses.
 * @throws {Refused}
 */
export function refuseForeignForm(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  origins: readonly string[],
): void {
  if (method !== 'POST' || !isForeign(headers, origins)) return;
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  const reason = 'from a page of another site, it needs the content type application/json';
  throw new Refused('FOREIGN_ORIGIN', 'the request was not accepted', reason);
}
