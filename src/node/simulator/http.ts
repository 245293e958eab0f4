/** The http interface: path, execution timeout, Host check, CORS, then the JSON-RPC server, in this order. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Limits, Wire } from '../kinds/answers.js';
import { firstValue } from './json-stream.js';
import type { Responder } from './responder.js';
import type { Caller } from './subscriptions.js';

/** The access lists of a handler. */
interface Lists {
  readonly vhosts: readonly string[];
  readonly origins: readonly string[];
}

export interface HttpRules extends Lists {
  readonly limits: Pick<Limits, 'httpBytes' | 'executionMs'>;
  readonly wire: Pick<Wire, 'prefix' | 'lowersHost' | 'graphql' | 'isCompact' | 'preflight'>;
}

const caller: Caller = { canSubscribe: false, maxSubscriptions: 0, subscriptions: new Set() };

/** The listener for node:http. */
export function serveHttp(
  responder: Responder,
  rules: HttpRules,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const late = setTimeout(() => timeOut(response), rules.limits.executionMs);
    response.on('close', () => clearTimeout(late));
    serve(responder, rules, request, response).catch(() => response.destroy());
  };
}

async function serve(
  responder: Responder,
  rules: HttpRules,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { wire } = rules;
  const { prefix, graphql } = wire;
  if (graphql !== null && /^\/graphql(?:\/|\/ui)?(?:\?|$)/.test(request.url ?? '')) {
    if (!isAdmitted(request, response, graphql, wire)) return;
    return plain(response, 501, 'not simulated: GraphQL');
  }
  if (!isServed(request, prefix.http)) return send(response, 404, '');
  if (!isAdmitted(request, response, rules, wire)) return;
  if (isHealthCheck(request)) return send(response, 200, '');
  const refused = refusal(request, rules.limits.httpBytes);
  if (refused !== null) return plain(response, refused.status, refused.message);
  const body = await readBody(request, rules.limits.httpBytes);
  response.setHeader('Content-Type', 'application/json');
  const first = firstValue(body);
  if (first.type === 'empty') return send(response, 200, '');
  const answer =
    first.type === 'value' ? await responder.respond(first.value, caller) : responder.parseFailure();
  return send(response, 200, (wire.isCompact ? answer?.trimEnd() : answer) ?? '');
}

/** Answers as the engine API does to a request without a token, or with a wrong one. */
export function refuseToken(request: IncomingMessage, response: ServerResponse): void {
  const [, token = ''] = /^bearer (.*)/i.exec(request.headers.authorization ?? '') ?? [];
  if (isServed(request, '')) plain(response, 401, tokenProblem(token));
  else send(response, 404, '');
}

function tokenProblem(token: string): string {
  if (token === '') return 'missing token';
  return token.split('.').length === 3
    ? 'signature is invalid'
    : 'token contains an invalid number of segments';
}

/** Whether the request's path begins with the prefix: '': it is `/`; null means any path. */
export function isServed(request: IncomingMessage, prefix: string | null): boolean {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  return prefix === null || (prefix === '' ? path === '/' : path.startsWith(prefix));
}

/** Checks the Host and sets the CORS headers; false if the request is answered. */
function isAdmitted(
  request: IncomingMessage,
  response: ServerResponse,
  { vhosts, origins }: Lists,
  { lowersHost, preflight }: HttpRules['wire'],
): boolean {
  const host = request.headers.host ?? '';
  if (!hostAllowed(lowersHost ? host.toLowerCase() : host, vhosts)) {
    plain(response, 403, 'invalid host specified');
    return false;
  }
  // With an empty list CORS is off and nothing is added.
  if (origins.length === 0) return true;
  const asks = isPreflight(request);
  const headers = asks ? preflightHeaders(request, origins) : actualHeaders(request, origins);
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (asks) send(response, preflight, '');
  return !asks;
}

/**
 * Whether the node serves a request with this Host header. IP literals and an empty Host are always served. A name has to
 * be in the list, which the node converts to lower case.
 */
function hostAllowed(header: string, vhosts: readonly string[]): boolean {
  if (header === '') return true;
  const host = withoutPort(header);
  if (isIP(host) !== 0 && !host.includes('%')) return true;
  const allowed = vhosts.map((name) => name.toLowerCase());
  return allowed.includes('*') || allowed.includes(host);
}

/** Splits like Go's SplitHostPort; a header that it refuses (no port, too many colons) is returned whole. */
function withoutPort(header: string): string {
  const [, bracketed, bare] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):[^:[\]]*$/.exec(header) ?? [];
  return bracketed ?? bare ?? header;
}

/** The node answers a GET without query or body whatever its other headers are. */
function isHealthCheck(request: IncomingMessage): boolean {
  const body = request.headers['transfer-encoding'] !== undefined || length(request) > 0;
  return request.method === 'GET' && !body && !/\?./.test(request.url ?? '');
}

function refusal(request: IncomingMessage, maxBytes: number): { status: number; message: string } | null {
  if (request.method === 'PUT' || request.method === 'DELETE') {
    return { status: 405, message: 'method not allowed' };
  }
  if (length(request) > maxBytes) {
    return { status: 413, message: `content length too large (${length(request)}>${maxBytes})` };
  }
  if (request.method === 'OPTIONS' || isJson(request.headers['content-type'] ?? '')) return null;
  return { status: 415, message: 'invalid content type, only application/json is supported' };
}

function length(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const mediaType = new RegExp(
  `^\\s*([^\\s;]+)\\s*(?:;\\s*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*")\\s*)*;?\\s*$`,
);
const accepted = ['application/json', 'application/json-rpc', 'application/jsonrequest'];

function isJson(header: string): boolean {
  return accepted.includes(mediaType.exec(header)?.[1]?.toLowerCase() ?? '');
}

/** The body up to the limit; the rest of a chunked body is discarded. Rejects if the client disconnects. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let left = maxBytes;
    request.on('data', (chunk: Buffer) => {
      if (left > 0) chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) resolve(Buffer.concat(chunks));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** Discards the headers of the inner server. */
function timeOut(response: ServerResponse): void {
  if (response.headersSent) return;
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  send(response, 503, 'timeout');
}

/** Answers like Go's http.Error. */
function plain(response: ServerResponse, status: number, message: string): void {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  send(response, status, `${message}\n`);
}

function send(response: ServerResponse, status: number, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/** Names and values to add, in order; a name may repeat. */
type Headers = readonly (readonly [string, string])[];

/** Whether the request is a preflight, which never reaches the JSON-RPC server. */
function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && text(request, 'access-control-request-method') !== '';
}

function preflightHeaders(request: IncomingMessage, origins: readonly string[]): Headers {
  const vary: Headers = [
    ['Vary', 'Origin'],
    ['Vary', 'Access-Control-Request-Method'],
    ['Vary', 'Access-Control-Request-Headers'],
  ];
  const origin = text(request, 'origin');
  const method = text(request, 'access-control-request-method').toUpperCase();
  if (origin === '' || !originAllowed(origin, origins) || !methodAllowed(method)) return vary;
  const asked = headerNames(text(request, 'access-control-request-headers'));
  return [
    ...vary,
    ['Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin],
    ['Access-Control-Allow-Methods', method],
    ...(asked.length === 0 ? [] : [['Access-Control-Allow-Headers', asked.join(', ')] as const]),
    ['Access-Control-Max-Age', '600'],
  ];
}

/** For a refused origin the header is missing, but the request is still served. */
function actualHeaders(request: IncomingMessage, origins: readonly string[]): Headers {
  const origin = text(request, 'origin');
  const allowed = origin !== '' && originAllowed(origin, origins) && methodAllowed(request.method ?? '');
  const named: Headers = [['Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin]];
  return [['Vary', 'Origin'], ...(allowed ? named : [])];
}

/** Matches literally or with one `*` in an entry, ignoring case. */
function originAllowed(origin: string, origins: readonly string[]): boolean {
  const asked = origin.toLowerCase();
  return origins.some((entry) => {
    const listed = entry.toLowerCase();
    const star = listed.indexOf('*');
    if (star < 0) return asked === listed;
    const tail = listed.slice(star + 1);
    return (
      asked.length >= listed.length - 1 && asked.startsWith(listed.slice(0, star)) && asked.endsWith(tail)
    );
  });
}

function methodAllowed(method: string): boolean {
  return method === 'POST' || method === 'GET' || method === 'OPTIONS';
}

/** Capitalizes like rs/cors: `x-one,x_two` → X-One, X_Two. */
function headerNames(list: string): string[] {
  return list
    .split(/[ ,]/)
    .filter((name) => name !== '')
    .map((name) => name.toLowerCase().replace(/(^|[-_])[a-z]/g, (letter) => letter.toUpperCase()));
}

function text(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
