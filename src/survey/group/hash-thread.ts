/** The program of a thread that hashes: one root for each message. */
import { parentPort } from 'node:worker_threads';
import { rootOf, rootOfPeaks } from './group.js';
import type { Work } from './thread.js';

parentPort?.on('message', ({ of, nodes }: Work) => {
  const root = of === 'peaks' ? rootOfPeaks : rootOf;
  parentPort?.postMessage(root(nodes.map(BigInt)));
});
