/** Finds the use of every listening socket of the node's process: from its settings, or by probing. */
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { Endpoint, EndpointFacts, MetricsFacts, Socket, SocketFacts } from '../facts/live.js';
import type { Listener } from '../facts/settings.js';
import { portOf } from './local/bind.js';
import { dialable, type Target } from './target.js';

/** The interfaces and ports that settings open. */
export interface Expected {
  readonly listeners: readonly Listener[];
  readonly peerPorts: readonly number[] | null;
}

export type Use = Listener['kind'] | 'p2p';

/** The use of each port, by the settings that open it; `reached`: the port through which this machine reaches it. */
export function usesOf(
  expected: readonly Expected[],
  reached = (port: number): number => port,
): ReadonlyMap<number, Use> {
  const uses = new Map<number, Use>();
  const add = (port: number, use: Use) => {
    if (!uses.has(reached(port))) uses.set(reached(port), use);
  };
  for (const { listeners, peerPorts } of expected) {
    for (const { kind, port, state } of listeners) if (state === 'on' && port !== null) add(port, kind);
    for (const port of peerPorts ?? []) add(port, 'p2p');
  }
  return uses;
}

/**
 * Endpoints for the remaining sockets: http or ws as the settings say, or both where the use is unknown. A socket that
 * may be for peers is never probed.
 */
export function furtherEndpoints(
  sockets: readonly Socket[],
  uses: ReadonlyMap<number, Use>,
  probed: Target['endpoints'],
): Target['endpoints'] {
  const known = new Set(probed.flatMap(({ address }) => portsOf(address.endpoint)));
  const further = onePerPort(sockets).filter(({ port }) => !known.has(port));
  return further.flatMap((socket) =>
    wiresFor(uses.get(socket.port)).map((wire) => ({
      address: parseEndpoint(`${wire}://${dialable(socket.address)}:${socket.port}`),
      source: 'process' as const,
    })),
  );
}

function wiresFor(use: Use | undefined): readonly ('http' | 'ws')[] {
  if (use === 'http' || use === 'ws') return [use];
  return use === undefined ? ['http', 'ws'] : [];
}

/** The sockets that neither settings nor the ports of the target explain. */
export function unexplained(
  sockets: readonly Socket[],
  uses: ReadonlyMap<number, Use>,
  { endpoints, metrics }: Pick<Target, 'endpoints' | 'metrics'>,
): Socket[] {
  const named = new Set([
    ...endpoints.flatMap(({ address }) => portsOf(address.endpoint)),
    ...metrics.map(({ url }) => portOf(url)),
  ]);
  return onePerPort(sockets).filter(({ port }) => !uses.has(port) && !named.has(port));
}

/** The address at which a socket is asked for metrics and the profiler. */
export function profilerUrl({ address, port }: Socket): string {
  return `http://${dialable(address)}:${port}`;
}

/** One socket for each port, preferably one on a wildcard address, sorted by port. */
function onePerPort(sockets: readonly Socket[]): Socket[] {
  const byPort = new Map<number, Socket>();
  for (const socket of sockets) {
    const known = byPort.get(socket.port);
    if (known === undefined || ['0.0.0.0', '::'].includes(socket.address)) byPort.set(socket.port, socket);
  }
  return [...byPort.values()].sort((a, b) => a.port - b.port);
}

function portsOf(endpoint: Endpoint): number[] {
  return endpoint.kind === 'ipc' ? [] : [portOf(endpoint.url)];
}

/** The use of each socket: what answered, else by the settings, else `unknown`. */
export function accountFor(
  sockets: readonly Socket[],
  uses: ReadonlyMap<number, Use>,
  endpoints: readonly EndpointFacts[],
  ports: readonly Pick<MetricsFacts, 'kind' | 'url'>[] = [],
): SocketFacts[] {
  return onePerPort(sockets).map((socket) => {
    const there = endpoints.filter(({ endpoint }) => portsOf(endpoint).includes(socket.port));
    const answering = there.find(({ latencyMs }) => latencyMs !== null)?.endpoint.kind;
    const served = ports.find(({ url }) => portOf(url) === socket.port)?.kind;
    return { ...socket, use: answering ?? served ?? uses.get(socket.port) ?? 'unknown' };
  });
}

/** Removes endpoints of unknown sockets that did not answer. */
export function withoutGuesses(
  endpoints: readonly EndpointFacts[],
  uses: ReadonlyMap<number, Use>,
): EndpointFacts[] {
  return endpoints.filter(
    ({ endpoint, source, latencyMs }) =>
      source !== 'process' ||
      latencyMs !== null ||
      endpoint.kind === 'ipc' ||
      portsOf(endpoint).some((port) => uses.has(port)),
  );
}
