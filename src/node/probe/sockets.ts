/** Every listening socket of the node's process is accounted for: by its settings, or by asking it. */
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { Endpoint, EndpointFacts, Socket, SocketFacts } from '../facts/live.js';
import type { Listener } from '../facts/settings.js';
import { portOf } from './local/bind.js';
import type { Target } from './target.js';

/** What the process's own settings open. */
export interface Expected {
  readonly listeners: readonly Listener[];
  readonly peerPorts: readonly number[] | null;
}

/** What a socket is for, where something says so. */
export type Use = Listener['kind'] | 'p2p';

/** What each port is for by the settings that open it. */
export function usesOf(expected: readonly Expected[]): ReadonlyMap<number, Use> {
  const uses = new Map<number, Use>();
  for (const { listeners, peerPorts } of expected) {
    for (const { kind, port, state } of listeners)
      if (state === 'on' && port !== null && !uses.has(port)) uses.set(port, kind);
    for (const port of peerPorts ?? []) if (!uses.has(port)) uses.set(port, 'p2p');
  }
  return uses;
}

/** Where a socket can be dialled from this machine. */
export function hostOf({ address }: Socket): string {
  if (address === '::') return '[::1]';
  if (address === '0.0.0.0') return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * Endpoints for sockets that nothing dialled yet: http and ws where the settings say so, and both where nothing says
 * what the socket is. A socket that may speak the peer-to-peer protocol is never asked.
 */
export function furtherEndpoints(
  sockets: readonly Socket[],
  uses: ReadonlyMap<number, Use>,
  dialled: Target['endpoints'],
): Target['endpoints'] {
  const known = new Set(dialled.flatMap(({ address }) => portsOf(address.endpoint)));
  const further = onePerPort(sockets).filter(({ port }) => !known.has(port));
  return further.flatMap((socket) =>
    wiresFor(uses.get(socket.port)).map((wire) => ({
      address: parseEndpoint(`${wire}://${hostOf(socket)}:${socket.port}`),
      source: 'process' as const,
    })),
  );
}

function wiresFor(use: Use | undefined): readonly ('http' | 'ws')[] {
  if (use === 'http' || use === 'ws') return [use];
  return use === undefined ? ['http', 'ws'] : [];
}

/** The widest address of each port, lowest port first. */
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

/** What became of each socket: its use by the settings, else by what answered; `unknown` where nothing did. */
export function accountFor(
  sockets: readonly Socket[],
  uses: ReadonlyMap<number, Use>,
  endpoints: readonly EndpointFacts[],
): SocketFacts[] {
  return onePerPort(sockets).map((socket) => {
    const there = endpoints.filter(({ endpoint }) => portsOf(endpoint).includes(socket.port));
    const answering = there.find(({ latencyMs }) => latencyMs !== null)?.endpoint.kind;
    return { ...socket, use: answering ?? uses.get(socket.port) ?? 'unknown' };
  });
}

/** Without the endpoints that were only tried because nobody knew what a socket is, and did not answer. */
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
