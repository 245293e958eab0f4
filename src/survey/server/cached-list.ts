/** Whole member lists, answered in the bytes of their rendering without the framework, which would double their time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { paths } from '../protocol/wire.js';
import type { Group } from '../store/group-store.js';
import type { addLoadLimits } from './load.js';
import type { addLog } from './log.js';
import { hasTag, type Renderings } from './members.js';
import type { Metrics } from './metrics.js';
import type { Parts } from './parts.js';
import type { RateStore } from './rate-store.js';
import { acceptedEncoding, minCompressed } from './rendering.js';

interface Shared {
  readonly renderings: Renderings;
  readonly load: ReturnType<typeof addLoadLimits>;
  readonly log: ReturnType<typeof addLog>;
  readonly metrics: Metrics;
  readonly rates: RateStore;
}

const start = `${paths.members}?id=`;
/** In bytes. The system's buffers take an answer up to this size at once, so that no slow reader holds it. */
const maxSmall = 16 << 10;

/**
 * Takes over the requests that read a whole list which was rendered before; every other one, a refused one too, goes on to the
 * framework. Where the caller's address is in a header, or other origins may read, all of them do.
 */
export function serveCachedLists(app: FastifyInstance, parts: Parts, shared: Shared): void {
  const { store, limits, origins } = parts;
  const { renderings, load, rates } = shared;
  const others = app.server.listeners('request') as ((...of: [IncomingMessage, ServerResponse]) => void)[];
  const toFramework = (request: IncomingMessage, response: ServerResponse) => {
    for (const listener of others) listener.call(app.server, request, response);
  };
  const max = () => (limits.perMinute === 0 ? Number.POSITIVE_INFINITY : limits.perMinute * 10);
  const survey = ({ method, url = '', headers }: IncomingMessage): string | null => {
    const id = method === 'GET' && url.startsWith(start) ? url.slice(start.length) : '';
    const isPlain = headers.host !== undefined && !/ndjson/.test(headers.accept ?? '');
    return isPlain && renderings.has(id) && !load.isFull() ? id : null;
  };
  const counted = (status: number, startedAt: number) => {
    shared.log.count('GET', paths.members, status);
    const labels = { method: 'GET', route: paths.members, status };
    shared.metrics.seconds.observe(labels, (performance.now() - startedAt) / 1000);
  };
  const answer = (id: string, group: Group, request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    const version = renderings.get(id)?.version(group);
    const address = request.socket.remoteAddress ?? '';
    if (version === undefined || rates.used(address) >= max()) return toFramework(request, response);
    if (limits.perMinute !== 0) {
      const { current, ttl } = rates.use(address);
      response.setHeader('x-ratelimit-limit', max());
      response.setHeader('x-ratelimit-remaining', max() - current);
      response.setHeader('x-ratelimit-reset', Math.ceil(ttl / 1000));
    }
    if (hasTag(request.headers['if-none-match'], version.etag)) {
      response.writeHead(304, version.head).end();
      return counted(304, startedAt);
    }
    const send = (pieces: readonly Buffer[], length: number, head: string[]) => {
      if (length > maxSmall) load.begin(request, response);
      const type = ['content-type', 'application/json', 'content-length', String(length)];
      response.writeHead(200, [...version.head, ...head, ...type]);
      for (const piece of pieces.slice(0, -1)) response.write(piece);
      response.end(pieces.at(-1));
      if (length > maxSmall) load.watch(request, response, length);
      counted(200, startedAt);
    };
    const plain = () => send([version.body].flat(), version.length, []);
    const header = version.length < minCompressed ? undefined : request.headers['accept-encoding'];
    const encoding = header === undefined ? null : acceptedEncoding(header);
    if (encoding === null) return plain();
    return version.compressed(encoding).then((packed) => {
      if (packed === null) plain();
      else send([packed], packed.length, ['content-encoding', encoding]);
    });
  };
  if (limits.trustProxy !== false || origins.length > 0) return;
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const id = survey(request);
    if (id === null) return toFramework(request, response);
    store
      .group(id)
      .then(
        (group) => answer(id, group, request, response),
        () => toFramework(request, response),
      )
      .catch(() => response.destroy());
  });
}
