/** A long watch keeps its memory and its descriptors flat. `npm run test:watch -- ROUNDS TARGETS` runs it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type Simulation, simulateShape } from '../../src/node/simulator/node.js';
import { quietShape } from '../peers/shape.js';
import { steppedWatch } from '../peers/stepped-watch.js';

const rounds = Number(process.env.KAIACTL_TEST_ROUNDS ?? 0);
const nodeCount = 10;
const targetCount = Number(process.env.KAIACTL_TEST_TARGETS ?? 200);
/** Bytes. Above the noise of caches and compiled code; a leak of 50 bytes a target exceeds it in 1,000 rounds. */
const maxGrowth = 8 << 20;

interface Usage {
  /** Bytes after a garbage collection. */
  readonly heap: number;
  /** Open descriptors; 0 where there is no /proc. */
  readonly descriptors: number;
}

function usage(): Usage {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return {
    heap: process.memoryUsage().heapUsed,
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  };
}

/** The lowest values of some samples. What is in use for a moment does not count. */
function lowest(samples: readonly Usage[]): Usage {
  return {
    heap: Math.min(...samples.map(({ heap }) => heap)),
    descriptors: Math.min(...samples.map(({ descriptors }) => descriptors)),
  };
}

function inventory(nodes: readonly Simulation[], count: number): string {
  const addressOf = (at: number): string => {
    if (at % 50 === 49) return 'rpc = http://127.0.0.1:1';
    const node = nodes[at % nodeCount];
    return [`rpc = ${node?.http}`, `ws = ${node?.ws}`, `ipc = ${node?.ipc}`][at % 3] ?? '';
  };
  return Array.from({ length: count }, (_, at) => `[en-${at}]\n${addressOf(at)}\n`).join('');
}

/** A server that takes every other delivery. */
async function webhook() {
  let deliveries = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      deliveries += 1;
      response.writeHead(deliveries % 2 === 0 ? 200 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}`, deliveries: () => deliveries, close };
}

test.skipIf(rounds === 0)(
  `${rounds} rounds over ${targetCount} targets (npm run test:watch)`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-long-'));
    const start = (at: number) =>
      simulateShape(quietShape, { freePorts: true, ipc: join(folder, `${at}.ipc`) });
    const nodes = await Promise.all(Array.from({ length: nodeCount }, (_, at) => start(at)));
    const hook = await webhook();
    const discard = () => ({
      stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
      text: () => '',
    });
    const outlets = ['--state', 'state.json', '--textfile', 'k.prom', '--webhook', hook.url];
    const path = join(folder, 'nodes.ini');
    writeFileSync(path, inventory(nodes, targetCount));
    const watch = steppedWatch(['--inventory', path, ...outlets], folder, discard);
    const samples: Usage[] = [];
    const every = Math.max(1, Math.floor(rounds / 20));
    for (let round = 1; round <= rounds; round++) {
      // A node appears and vanishes; at times the inventory cannot be read.
      writeFileSync(path, round % 7 === 0 ? '[en-1' : inventory(nodes, targetCount - (round % 2)));
      // A node dies for a round and returns: its targets are down, then they have restarted.
      if (round % 5 === 3) await nodes[0]?.close();
      if (round % 5 === 4) nodes[0] = await start(0);
      await watch.round();
      if (round % every === 0) samples.push(usage());
    }
    const metrics = readFileSync(join(folder, 'k.prom'), 'utf8');
    expect(await watch.stop()).toBe(130);
    await Promise.all([...nodes.map((node) => node.close()), hook.close()]);
    rmSync(folder, { recursive: true });
    expect(metrics).toContain(`kaiactl_rounds_total{result="completed"} ${rounds}\n`);
    expect(hook.deliveries()).toBeGreaterThan(rounds / 2);
    // The first samples are of caches that still fill.
    const fifth = Math.ceil(samples.length / 5);
    const [before, after] = [lowest(samples.slice(fifth, 2 * fifth)), lowest(samples.slice(-fifth))];
    expect(after.heap - before.heap).toBeLessThan(maxGrowth);
    expect(after.descriptors - before.descriptors).toBeLessThan(nodeCount);
  },
  86_400_000,
);
