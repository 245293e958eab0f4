/** The messages that an audit would send. */
import { endpointName } from '../../jsonrpc/endpoint.js';
import type { Kind } from '../kinds/kind.js';
import { portPaths } from './ports.js';
import { probesOf } from './probes/index.js';
import type { Depth, PlanLine, Probe, Wire } from './probes/probe.js';
import type { Target } from './target.js';

/** One message, and the condition for sending it; null for always. */
export interface Planned {
  readonly endpoint: string;
  readonly message: string;
  readonly when: string | null;
  /** True when it is sent only to a node that has just rejected rpc_modules {}. */
  readonly afterRefusal: boolean;
}

/** Every message to a target that may be a node of these kinds, in order. */
export function planOf(target: Target, depth: Depth, kinds: readonly Kind[]): Planned[] {
  const probes = probesOf(kinds);
  const endpoints = target.endpoints.flatMap(({ address: { endpoint } }) =>
    linesOf(probes, endpoint.kind, depth).map(([message, when, afterRefusal = false]) => ({
      endpoint: endpointName(endpoint),
      message,
      when,
      afterRefusal,
    })),
  );
  const ports = depth === 'none' ? [] : target.metrics;
  const gets = ports.flatMap(({ url }) =>
    Object.values(portPaths).map((path) => ({
      endpoint: url,
      message: `GET ${path}, headers only`,
      when: null,
      afterRefusal: false,
    })),
  );
  return [...endpoints, ...gets];
}

/** Every message to one endpoint, in order. */
export function linesOf(probes: readonly Probe[], wire: Wire, depth: Depth): PlanLine[] {
  return probes
    .filter((probe) => probe.over.includes(wire) && (depth === 'safe' || probe.depth === 'none'))
    .flatMap(({ plan }) => plan);
}
