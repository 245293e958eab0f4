/** Every failure as an answer in the API's form: refusals, errors of the framework, and bytes that are not a request. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { feeRetryAfter, Outage, Refused, retryAfter } from '../protocol/refused.js';
import { defect } from './log.js';
import { sendJson } from './route.js';

/** Statuses of refusals by code; every other is a 400, as in the original API. */
const statuses: Readonly<Record<string, number>> = {
  BUSY: 429,
  RATE_LIMITED: 429,
  STORE_READ_ONLY: 503,
  STORE_DAMAGED: 503,
  SHUTTING_DOWN: 503,
  FEE_TOO_HIGH: 503,
  SERVER_ERROR: 503,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INTERNAL: 500,
};

/** The refusal for an error, and its status. An unexpected error reveals nothing about the server. */
export function refusedBy(error: unknown): { refused: Refused; status: number } {
  const refused = error instanceof Refused ? error : frameworkRefusal(error as Partial<FastifyError>);
  const status = statuses[refused.code] ?? (refused instanceof Outage ? 503 : 400);
  return { refused, status };
}

function frameworkRefusal({ statusCode, code }: Partial<FastifyError>): Refused {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refused('BODY_TOO_LARGE', 'invalid request body', 'it is too large');
  if (statusCode === 429) {
    const reason = 'the limit of this address is used up: wait a minute';
    return new Refused('RATE_LIMITED', 'too many requests', reason);
  }
  if (code === 'FST_ERR_BAD_URL')
    return new Refused('INVALID_ARGUMENT', 'invalid request', 'its URL cannot be decoded');
  if (statusCode !== undefined && statusCode < 500)
    return new Refused('INVALID_ARGUMENT', 'invalid request', code ?? 'unreadable');
  return new Refused('INTERNAL', 'internal error', 'the server’s log has details');
}

/** The error handler of routes whose error bodies have the given form. */
export function errorHandler(body: (refused: Refused, request: FastifyRequest) => string) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { refused, status } = refusedBy(error);
    await drained(request.raw);
    request.outcome = status === 500 ? defect(error) : refused.code;
    request.note = status === 500 ? defect(error) : refused.sentence;
    if ((status === 429 || status === 503) && !reply.hasHeader('retry-after'))
      reply.header('retry-after', refused.code === 'FEE_TOO_HIGH' ? feeRetryAfter : retryAfter);
    return sendJson(reply, body(refused, request), status);
  };
}

/** Bytes of a refused body that are read and discarded. */
const maxDrained = 32 << 20;

/**
 * Reads a request to its end, or to a limit, and discards it: most clients report a broken pipe, and never read the
 * answer, if the connection closes while they send. The server's request timeout bounds the wait.
 */
function drained(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = maxDrained;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, () => resolve());
    request.resume();
  });
}

/** Errors of Node's HTTP parser. */
const parserErrors: Readonly<Record<string, readonly [status: string, refused: Refused]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    new Refused('REQUEST_TIMEOUT', 'the request did not arrive in time', 'send it again'),
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    new Refused('HEADERS_TOO_LARGE', 'invalid request', 'its headers are too large'),
  ],
};
const notHttp = [
  '400 Bad Request',
  new Refused('INVALID_ARGUMENT', 'invalid request', 'it is not HTTP/1.1'),
] as const;

/** Answers bytes that are not a complete request, and closes the connection. */
export function answerMalformed(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  endWith(socket, ...(parserErrors[error.code ?? ''] ?? notHttp));
}

/** Refuses to be a tunnel. Node no longer watches the socket: neither its errors nor its timeouts. */
export function refuseConnect(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  const refused = new Refused('METHOD_NOT_ALLOWED', 'method not allowed', 'this server is no proxy');
  endWith(socket, '405 Method Not Allowed', refused);
}

function endWith(socket: Duplex, status: string, refused: Refused): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  const body = refused.body();
  const head = ['content-type: application/json', `content-length: ${body.length}`, 'connection: close'];
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
