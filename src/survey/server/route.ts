/** How one endpoint answers every method: its own, OPTIONS, and 405 with Allow for the rest. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import { Refused } from '../protocol/refused.js';
import type { Limits } from './parts.js';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** For the description of the API. */
  readonly schema: FastifySchema;
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Schemas describe; what is wrong is said by the protocol, and what is sent is bytes already. */
const described = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => JSON.stringify,
  exposeHeadRoute: false,
};

/** Adds the endpoint with the rate limit of its kind. */
export function addEndpoint(app: FastifyInstance, limits: Limits, endpoint: Endpoint): void {
  const own: readonly HTTPMethods[] = endpoint.method === 'GET' ? ['GET', 'HEAD'] : ['POST'];
  const allow = [...own, 'OPTIONS'].toSorted().join(', ');
  const max = limits.perMinute * (endpoint.method === 'GET' ? 10 : 1);
  const config = max === 0 ? {} : { rateLimit: { max, timeWindow: 60_000 } };
  const url = endpoint.path;
  const schema = { hide: true };
  for (const method of own) {
    app.route({
      ...{ ...described, method, url, config, schema: method === 'HEAD' ? schema : endpoint.schema },
      handler: (request, reply) => endpoint.answer(request, reply),
    });
  }
  app.route({
    ...{ method: 'OPTIONS', url, schema },
    handler: (_, reply) => reply.code(204).header('allow', allow).send(),
  });
  app.route({
    ...{ method: methods.filter((method) => !own.includes(method)), url, schema },
    handler: (_, reply) => reply.code(405).header('allow', allow).send(),
  });
}

/** Sends what is JSON already; as bytes, since the framework would add a charset to text. */
export function sendJson(
  reply: FastifyReply,
  json: string | Buffer | readonly Buffer[],
  status = 200,
): FastifyReply {
  reply.code(status).header('content-type', 'application/json');
  if (typeof json === 'string') return reply.send(Buffer.from(json));
  if (Buffer.isBuffer(json)) return reply.send(json);
  const length = json.reduce((sum, piece) => sum + piece.length, 0);
  return reply.header('content-length', length).send(Readable.from(json));
}

/**
 * A body as JSON, whatever its content type says.
 * @throws {Refused} when it is not one
 */
export function readJson(request: FastifyRequest): unknown {
  try {
    return JSON.parse(String(request.body ?? ''));
  } catch {
    throw new Refused('INVALID_ARGUMENT', 'invalid request body', 'it is not JSON', { argument: 'body' });
  }
}

/** Refusals of a server that could do it at another time, by code; every other is a 400, as the original’s. */
const statuses: Readonly<Record<string, number>> = { BUSY: 429, STORE_READ_ONLY: 503 };

/** What went wrong as a refused, and with which status. Anything unexpected says nothing about the inside. */
export function refusedBy(error: unknown): { refused: Refused; status: number } {
  if (error instanceof Refused) return { refused: error, status: statuses[error.code] ?? 400 };
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { refused: new Refused('BODY_TOO_LARGE', 'invalid request body', 'it is too large'), status: 400 };
  }
  if (statusCode === 429) {
    const reason = 'this address asks too often: wait a minute';
    return { refused: new Refused('RATE_LIMITED', 'too many requests', reason), status: 429 };
  }
  if (statusCode !== undefined && statusCode < 500) {
    return { refused: new Refused('INVALID_ARGUMENT', 'invalid request', code ?? 'unreadable'), status: 400 };
  }
  const reason = 'the server’s log says more';
  return { refused: new Refused('INTERNAL', 'internal error', reason), status: 500 };
}

/** Bytes of a refused body that are read and thrown away. */
const mostDrained = 32 << 20;

/**
 * Reads on to the end of a request, or to a limit, and keeps nothing: closed while still sending, most clients
 * report a broken pipe and never see the answer. The server's request timeout bounds the wait.
 */
export function drained(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = mostDrained;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, () => resolve());
    request.resume();
  });
}
