/** Simulated nodes for tests that need no conf: a shape, and what a test changes in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answers, Limits } from '../../src/node/kinds/answers.js';
import { answersWith, type Traits } from '../../src/node/kinds/kaia/answers.js';
import type { SimulateOptions } from '../../src/node/simulator/interfaces.js';
import { type Simulation, simulateShape } from '../../src/node/simulator/node.js';
import type { NodeShape } from '../../src/node/simulator/shape.js';

type Changes = Partial<Traits & Omit<Answers, 'limits'>> & { readonly limits?: Partial<Limits> };

/** The answers of a Kaia node, with what a test changes in them. */
export function quietAnswers({ limits, ...changes }: Changes = {}): Answers {
  const traits = {
    unsafeDebugGone: false,
    keepsIpc: true,
    ethIsKaia: false,
    bootNode: false,
    noGasless: false,
    klay: false,
    takesObjects: false,
    ...changes,
  };
  return {
    client: 'Klaytn/v2.2.1/linux-amd64/go1.25.3',
    chainId: 8217,
    accounts: [],
    limits: {
      httpBytes: 524_288,
      wsBytes: 524_288,
      executionMs: 30_000,
      connections: 100,
      subscriptions: 10,
      ...limits,
    },
    ...answersWith(traits),
    ...changes,
  };
}

export const quietShape: NodeShape = {
  http: {
    host: '127.0.0.1',
    port: 0,
    modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
    origins: [],
    vhosts: ['localhost'],
  },
  ws: {
    host: '127.0.0.1',
    port: 0,
    modules: ['eth', 'kaia', 'net', 'rpc', 'web3'],
    origins: [],
  },
  ipc: { path: null, modules: ['admin', 'debug', 'eth', 'kaia', 'net', 'personal', 'rpc', 'web3'] },
  metrics: null,
  pprof: null,
  authrpc: null,
  answers: quietAnswers(),
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
