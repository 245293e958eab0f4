/** Simulated nodes as targets. */
import { KaiactlError } from '../../errors.js';
import { parseEndpoint, type Target } from '../probe/index.js';

/**
 * Runs `use` on a simulated node of the target's conf, on free loopback ports, then stops the node.
 * @throws {KaiactlError} when the target has no conf or cannot be simulated (exit 2)
 */
export async function useSimulated<T>(target: Target, use: (node: Target) => Promise<T>): Promise<T> {
  if (target.conf?.state !== 'seen') {
    throw new KaiactlError(`${target.name} has no conf to make a node from`);
  }
  const { simulate } = await import('../simulator/node.js');
  const node = await simulate(target.conf.value.settings, { freePorts: true });
  try {
    const addresses = [node.http, node.ws, node.ipc === null ? null : `ipc:${node.ipc}`].filter(
      (one) => one !== null,
    );
    const ports = (['metrics', 'pprof'] as const).flatMap((kind) => {
      const url = node[kind];
      return url === null ? [] : [{ kind, url, source: 'conf' as const }];
    });
    return await use({
      ...target,
      simulated: true,
      endpoints: addresses.map((address) => ({ address: parseEndpoint(address), source: 'conf' })),
      metrics: ports,
      engine: node.authrpc === null ? [] : [{ url: node.authrpc, source: 'conf', unknown: null }],
    });
  } finally {
    await node.close();
  }
}
