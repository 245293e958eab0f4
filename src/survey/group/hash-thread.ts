/** The worker's program: answers each message with its roots. */
import { parentPort } from 'node:worker_threads';
import { rootOf, rootOfPeaks } from './group.js';
import type { Work } from './hash-pool.js';

parentPort?.on('message', ({ of, nodes }: Work) => {
  parentPort?.postMessage(of === 'peaks' ? nodes.map(rootOfPeaks) : [rootOf(nodes.map(BigInt))]);
});
