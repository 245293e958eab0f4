/** The messages that an audit would send. */
import { endpointName } from '../../jsonrpc/endpoint.js';
import type { Kind } from '../kinds/kind.js';
import { furtherOf, type Local, noProcess } from './gather.js';
import { engineMessage, portMessages } from './ports.js';
import { probesOf } from './probes/index.js';
import type { Depth, PlanLine, Probe, Wire } from './probes/probe.js';
import { profilerUrl } from './sockets.js';
import type { Target } from './target.js';

/** One message, and the condition for sending it; null for always. */
export interface Planned {
  readonly endpoint: string;
  readonly message: string;
  readonly when: string | null;
  /** Whether it is sent only to a node that has just rejected rpc_modules {}. */
  readonly afterRefusal: boolean;
}

/** Every message to a target that may be a node of these kinds, in order. */
export function planOf(
  target: Target,
  depth: Depth,
  kinds: readonly Kind[],
  local: Local = noProcess,
): Planned[] {
  const probes = probesOf(kinds);
  const { further, unknown } = furtherOf(target, local);
  const endpoints = [...target.endpoints, ...further].flatMap(({ address: { endpoint } }) =>
    linesOf(probes, endpoint.kind, depth).map(([message, when, afterRefusal = false]) => ({
      endpoint: endpointName(endpoint),
      message,
      when,
      afterRefusal,
    })),
  );
  const ports = [
    ...target.metrics.map((port) => ({ endpoint: port.url, when: null, messages: portMessages(port) })),
    ...unknown.map((socket) => ({
      endpoint: profilerUrl(socket),
      when: 'neither http nor ws answers',
      messages: portMessages({}),
    })),
  ];
  const gets = ports.flatMap(({ messages, ...port }) =>
    messages.map((message) => ({ ...port, message, afterRefusal: false })),
  );
  const engine = local.engine.map(({ url }) => ({
    endpoint: url,
    message: engineMessage,
    when: null,
    afterRefusal: false,
  }));
  return [...endpoints, ...engine, ...(depth === 'none' ? [] : gets)];
}

/** Every message to one endpoint, in order. */
export function linesOf(probes: readonly Probe[], wire: Wire, depth: Depth): PlanLine[] {
  return probes
    .filter((probe) => probe.over.includes(wire) && (depth === 'safe' || probe.depth === 'none'))
    .flatMap(({ plan }) => plan);
}
