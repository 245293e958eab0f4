/** An HTTP server for tests whose requests arrive whole. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A request that its client aborts before the end is dropped: how far it came depends on the load. */
export function bodyServer(
  act: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => act(request, response, Buffer.concat(chunks).toString()));
  });
}
