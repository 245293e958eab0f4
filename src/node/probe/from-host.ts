/** A node in a container, as this machine reaches it: through the ports that it publishes. */

import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { ProcessFacts, PublishedPort, Socket } from '../facts/live.js';
import { isNamed, localPort, portOf } from './local/bind.js';
import { dialable, type Target } from './target.js';

/** Where this machine publishes a port of the container, preferably on every address; null if no such place is known. */
export function publishedAt(
  { published = [] }: Pick<ProcessFacts, 'published'>,
  port: number | null,
): PublishedPort | null {
  const own = published.filter(({ inside }) => inside === port);
  return own.find(({ address }) => ['0.0.0.0', '::'].includes(address)) ?? own[0] ?? null;
}

/** Whether the URL is that of a published port. */
export function isPublished({ published = [] }: Pick<ProcessFacts, 'published'>, url: string): boolean {
  return published.some(({ port }) => port === portOf(url));
}

/** The sockets of a process as this machine reaches them; those that it does not publish are unchanged. */
export function socketsFromHost(node: ProcessFacts, sockets: readonly Socket[]): Socket[] {
  return sockets.map((socket) => {
    const { address, port } = publishedAt(node, socket.port) ?? socket;
    return { address, port };
  });
}

/** An address that settings or the process name, as this machine reaches it. */
export function urlFromHost(node: ProcessFacts, url: string): string {
  const at = publishedAt(node, portOf(url));
  if (at === null) return url;
  const from = new URL(url);
  const path = from.pathname === '/' ? '' : from.pathname;
  return `${from.protocol}//${dialable(at.address)}:${at.port}${path}`;
}

/** The target with the published ports in place of those of the container. Addresses that the user named are unchanged. */
export function targetFromHost(target: Target, node: ProcessFacts): Target {
  if (node.published === undefined) return target;
  return {
    ...target,
    endpoints: target.endpoints.map((one) => {
      const { endpoint } = one.address;
      if (isNamed(one.source) || endpoint.kind === 'ipc' || localPort(endpoint, target.names) === null)
        return one;
      return { ...one, address: parseEndpoint(urlFromHost(node, endpoint.url)) };
    }),
    metrics: target.metrics.map((one) =>
      isNamed(one.source) ? one : { ...one, url: urlFromHost(node, one.url) },
    ),
  };
}
