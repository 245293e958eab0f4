/** What never became a request: too slow, too long a head, no HTTP. Answered in the API's shape all the same. */
import type { Socket } from 'node:net';
import { Refused } from '../protocol/refused.js';

const known: Readonly<Record<string, readonly [status: string, refused: Refused]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    new Refused('REQUEST_TIMEOUT', 'the request did not arrive', 'it took too long: send it again'),
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    new Refused('HEADERS_TOO_LARGE', 'invalid request', 'its headers are too large'),
  ],
};
const otherwise = [
  '400 Bad Request',
  new Refused('INVALID_ARGUMENT', 'invalid request', 'it is not HTTP/1.1'),
] as const;

/** Answers and closes. */
export function malformed(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const [status, refused] = known[error.code ?? ''] ?? otherwise;
  const body = refused.body();
  const head = ['content-type: application/json', `content-length: ${body.length}`, 'connection: close'];
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
