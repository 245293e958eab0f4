/** The CORS headers the http interface adds: those of rs/cors 1.7 as the node sets it up. */
import type { IncomingMessage } from 'node:http';

/** Names and values to add, in order; a name can come more than once. */
export type Headers = readonly (readonly [string, string])[];

/** True for a preflight: it is answered here and never reaches the server behind. */
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

/** A refused origin only misses the header: the request itself is still carried out. */
function actual(request: IncomingMessage, origins: readonly string[]): Headers {
  const origin = text(request, 'origin');
  const allowed = origin !== '' && originAllowed(origin, origins) && methodAllowed(request.method ?? '');
  const named: Headers = [['Access-Control-Allow-Origin', origins.includes('*') ? '*' : origin]];
  return [['Vary', 'Origin'], ...(allowed ? named : [])];
}

/** Exact or with one `*` in an entry, whatever the case. */
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

/** `x-one,x_two` → X-One, X_Two: rs/cors writes names its own way. */
function headerNames(list: string): string[] {
  return list
    .split(/[ ,]+/)
    .filter((name) => name !== '')
    .map((name) => name.toLowerCase().replace(/(^|[-_])[a-z]/g, (letter) => letter.toUpperCase()));
}

function text(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
