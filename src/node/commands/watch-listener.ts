/** The HTTP listener of `node watch --listen`. */

import { createServer, type IncomingMessage } from 'node:http';
import { failure, KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import { version } from '../../version.js';

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** Default: the text format of Prometheus. */
  readonly type?: string;
}

export const notFound: Reply = { status: 404, text: 'not found\n' };

/** The answer to a GET of `/` or `/-/healthy`; null for another path. `paths` are what the port serves besides. */
export function healthReply(path: string | undefined, paths: readonly string[]): Reply | null {
  const type = 'text/plain; charset=utf-8';
  if (path === '/-/healthy') return { status: 200, text: 'kaiactl is running.\n', type };
  if (path !== '/') return null;
  return { status: 200, text: `kaiactl ${version()}\n${[...paths, '/-/healthy'].join('\n')}\n`, type };
}

export interface Listener {
  /** `http://127.0.0.1:9469`. */
  readonly origin: string;
  /** The address of the socket. */
  readonly bind: string;
  close(): Promise<void>;
}

/**
 * Answers every request with the reply to it; `answer` never throws.
 * @throws {KaiactlError} on an invalid address, or when the port cannot be opened (exit 2)
 */
export async function listenOn(
  address: string,
  answer: (request: IncomingMessage) => Reply | Promise<Reply>,
): Promise<Listener> {
  const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:\s]+):(\d{1,5})$/.exec(address) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw new KaiactlError(`--listen ${visible(address, 80)} is not an address`, {
      hint: 'Write it as 127.0.0.1:9469.',
    });
  const server = createServer({ requestTimeout: 5_000 }, async (request, response) => {
    const { status, text, type = 'text/plain; version=0.0.4; charset=utf-8' } = await answer(request);
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  });
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(failure(`cannot listen on ${visible(address, 80)}`, error)));
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''), done);
  });
  const bound = server.address();
  const { address: bind, port: own } =
    typeof bound === 'object' && bound !== null ? bound : { address: host, port };
  return {
    origin: `http://${host}:${own}`,
    bind,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
