/** The CORS headers of the http interface: those of rs/cors 1.7 as the node configures it. */
import type { IncomingMessage } from 'node:http';

/** Names and values to add, in order; a name may repeat. */
export type Headers = readonly (readonly [string, string])[];

/** Whether the request is a preflight, which never reaches the JSON-RPC server. */
export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && text(request, 'access-control-request-method') !== '';
}

/** Headers for a request. With an empty list CORS is off and nothing is added. */
export function corsHeaders(request: IncomingMessage, origins: readonly string[]): Headers {
  if (origins.length === 0) return [];
  return isPreflight(request) ? preflight(request, origins) : actual(request, origins);
}

function preflight(request: IncomingMessage, origins: readonly string[]): Headers {
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
function actual(request: IncomingMessage, origins: readonly string[]): Headers {
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
