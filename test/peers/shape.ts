/** Simulated nodes for tests that need no conf: a shape, and what a test changes in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulateOptions } from '../../src/node/simulator/interfaces.js';
import { type Simulation, simulateShape } from '../../src/node/simulator/node.js';
import type { NodeShape } from '../../src/node/simulator/shape.js';

export const quietShape: NodeShape = {
  http: {
    host: '127.0.0.1',
    port: 0,
    modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
    origins: [],
    vhosts: ['localhost'],
    executionMs: 30_000,
  },
  ws: {
    host: '127.0.0.1',
    port: 0,
    modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
    origins: [],
    maxConnections: 100,
  },
  ipc: { path: null, modules: ['admin', 'debug', 'eth', 'kaia', 'net', 'personal', 'rpc', 'web3'] },
  metrics: null,
  pprof: null,
  maxSubscriptions: 10,
  maxBytes: 524_288,
  unsafeDebugGone: false,
  ethIsKaia: false,
  noGasless: false,
  bootNode: false,
  release: { tag: 'v2.2.1', keepsIpc: true, klay: false, takesObjects: false },
  identity: '',
  chainId: 8217,
  accounts: [],
  notes: [],
};

/** Runs a test against a simulated node on free ports, and always ends it. */
export async function withNode<T>(
  change: (shape: NodeShape) => NodeShape,
  use: (node: Simulation) => Promise<T>,
  options: SimulateOptions = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-node-'));
  const node = await simulateShape(change(quietShape), {
    freePorts: true,
    ipc: join(folder, 'klay.ipc'),
    ...options,
  });
  try {
    return await use(node);
  } finally {
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
