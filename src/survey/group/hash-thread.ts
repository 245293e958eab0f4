/** The worker's program: answers each message with a root. */
import { parentPort } from 'node:worker_threads';
import { rootOf, rootOfPeaks } from './group.js';
import type { Work } from './hash-pool.js';

parentPort?.on('message', ({ of, nodes }: Work) => {
  const root = of === 'peaks' ? rootOfPeaks : rootOf;
  parentPort?.postMessage(root(nodes.map(BigInt)));
});
