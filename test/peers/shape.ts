/** Simulated nodes for tests that need no conf: a shape, and what a test changes in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answers, Limits, Wire } from '../../src/node/kinds/answers.js';
import { answersOf } from '../../src/node/kinds/kaia/answers.js';
import { kaia } from '../../src/node/kinds/kaia/index.js';
import type { SimulateOptions } from '../../src/node/simulator/interfaces.js';
import { type Simulation, simulateShape } from '../../src/node/simulator/node.js';
import type { NodeShape } from '../../src/node/simulator/shape.js';

/** What decides which services there are: the launcher, the release, and switches that are on. */
interface Start {
  readonly launcher?: string;
  readonly release?: string;
  readonly on?: readonly string[];
}

type Changes = Partial<Omit<Answers, 'limits' | 'wire'>> & {
  readonly start?: Start;
  readonly limits?: Partial<Limits>;
  readonly wire?: Partial<Wire>;
};

/** The answers of a Kaia node, with what a test changes in them. */
export function quietAnswers({ start = {}, limits, wire, ...changes }: Changes = {}): Answers {
  const { launcher = 'kend', release = kaia.release.id, on = [] } = start;
  const setting = { value: true, origin: { kind: 'default' }, shadowed: [], indeterminate: null } as const;
  const values = Object.fromEntries(on.map((flag) => [flag, setting]));
  const plain = answersOf(kaia.at(release), { launcher, values });
  return {
    ...plain,
    client: 'Klaytn/v2.2.1/linux-amd64/go1.25.3',
    ...changes,
    limits: { ...plain.limits, httpBytes: 524_288, wsBytes: 524_288, connections: 100, ...limits },
    wire: { ...plain.wire, ...wire },
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
