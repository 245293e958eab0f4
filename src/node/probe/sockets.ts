/** Finds the use of every listening socket of the node's process: from its settings, or by probing. */
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import { isBoundTo } from '../facts/access.js';
import type { Endpoint, EndpointFacts, MetricsFacts, Names, Socket, SocketFacts } from '../facts/live.js';
import type { Listener } from '../facts/settings.js';
import { accepting } from './local/bind.js';
import { dialable, type Target } from './target.js';

/** The interfaces and ports that settings open. */
export interface Expected {
  readonly listeners: readonly Listener[];
  readonly peerPorts: readonly number[] | null;
}

export type Use = Listener['kind'] | 'p2p';

/** The use of a socket, by the settings that open it; undefined if none does. */
export type UseOf = (socket: Socket) => Use | undefined;

/** @param inside the process's own socket behind one that this machine reaches */
export function usesOf(expected: readonly Expected[], inside = (socket: Socket): Socket => socket): UseOf {
  const opens = ({ address, port }: Socket) => {
    for (const { listeners, peerPorts } of expected) {
      const listener = listeners.find(
        (one) => one.state === 'on' && one.port === port && isBoundTo(one.host, address),
      );
      if (listener !== undefined) return listener.kind;
      if (peerPorts?.includes(port)) return 'p2p';
    }
    return undefined;
  };
  return (socket) => opens(inside(socket));
}

/**
 * Endpoints for the remaining sockets: http or ws as the settings say, or both where the use is unknown. A socket that
 * may be for peers is never probed. `isGuess`: no settings open it.
 */
export function furtherEndpoints(
  sockets: readonly Socket[],
  useOf: UseOf,
  { endpoints, names }: Pick<Target, 'endpoints' | 'names'>,
): (Target['endpoints'][number] & { readonly isGuess: boolean })[] {
  const known = endpoints
    .flatMap(({ address }) => urlsOf(address.endpoint))
    .map((url) => accepting(url, names));
  const further = inOrder(sockets).filter((socket) => !known.some((accepts) => accepts(socket)));
  return further.flatMap((socket) => {
    const use = useOf(socket);
    return wiresFor(use).map((wire) => ({
      address: parseEndpoint(`${wire}://${dialable(socket.address)}:${socket.port}`),
      source: 'process' as const,
      isGuess: use === undefined,
    }));
  });
}

function wiresFor(use: Use | undefined): readonly ('http' | 'ws')[] {
  if (use === 'http' || use === 'ws') return [use];
  return use === undefined ? ['http', 'ws'] : [];
}

/** The sockets that neither settings nor the URLs of the target explain. */
export function unexplainedSockets(
  sockets: readonly Socket[],
  useOf: UseOf,
  { endpoints, metrics, names }: Pick<Target, 'endpoints' | 'metrics' | 'names'>,
): Socket[] {
  const urls = [
    ...endpoints.flatMap(({ address }) => urlsOf(address.endpoint)),
    ...metrics.map(({ url }) => url),
  ];
  const known = urls.map((url) => accepting(url, names));
  return inOrder(sockets).filter(
    (socket) => useOf(socket) === undefined && !known.some((accepts) => accepts(socket)),
  );
}

/** The address at which a socket is asked for metrics and the profiler. */
export function profilerUrl({ address, port }: Socket): string {
  return `http://${dialable(address)}:${port}`;
}

/** Each socket once, sorted by port and address. */
function inOrder(sockets: readonly Socket[]): Socket[] {
  const distinct = new Map(sockets.map((socket) => [`${socket.port} ${socket.address}`, socket]));
  return [...distinct.values()].sort((a, b) => a.port - b.port || (a.address < b.address ? -1 : 1));
}

/** The URL of an endpoint; empty for ipc. */
export function urlsOf(endpoint: Endpoint): string[] {
  return endpoint.kind === 'ipc' ? [] : [endpoint.url];
}

/** The use of each socket: what answered, else by the settings, else `unknown`. */
export function accountFor(
  sockets: readonly Socket[],
  useOf: UseOf,
  endpoints: readonly EndpointFacts[],
  { ports = [], names = {} }: { ports?: readonly Pick<MetricsFacts, 'kind' | 'url'>[]; names?: Names } = {},
): SocketFacts[] {
  const answered = endpoints.flatMap(({ endpoint, latencyMs }) =>
    latencyMs === null
      ? []
      : urlsOf(endpoint).map((url) => ({ kind: endpoint.kind, accepts: accepting(url, names) })),
  );
  const serving = ports.map(({ kind, url }) => ({ kind, accepts: accepting(url, names) }));
  return inOrder(sockets).map((socket) => {
    const answering = answered.find(({ accepts }) => accepts(socket))?.kind;
    const served = serving.find(({ accepts }) => accepts(socket))?.kind;
    return { ...socket, use: answering ?? served ?? useOf(socket) ?? 'unknown' };
  });
}
