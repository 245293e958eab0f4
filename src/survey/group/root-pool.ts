/** Subtree roots on all processors: hashing is slow enough that threads pay from some thousand leaves on. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Constants, recurrence } from './poseidon.js';
import { treeRoot } from './tree.js';

export interface RootPool {
  /** The root of these leaves; @throws when its thread could not do it. */
  root(leaves: readonly string[]): Promise<bigint>;
  /** Ends the threads, finished or not. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(root: bigint): void;
  reject(error: Error): void;
}

/** Runs in the thread: the two functions as they are here, wherever this file has been bundled to. */
const work = `
  const { parentPort, workerData } = require('node:worker_threads');
  const hash = (${recurrence})(workerData);
  const treeRoot = ${treeRoot};
  parentPort.on('message', (leaves) => parentPort.postMessage(treeRoot(leaves.map(BigInt), hash)));`;

/** A thread for each processor. Roots are handed out in turn and come back in order, thread by thread. */
export function rootPool(constants: Constants): RootPool {
  const threads = Array.from({ length: Math.min(availableParallelism(), 16) }, () => thread(constants));
  let turn = 0;
  return {
    root: (leaves) => {
      const { worker, waiting } = threads[turn++ % threads.length] as (typeof threads)[number];
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(leaves);
      });
    },
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function thread(constants: Constants): { worker: Worker; waiting: Waiting[] } {
  const waiting: Waiting[] = [];
  const worker = new Worker(work, { eval: true, workerData: constants });
  worker.on('message', (root: bigint) => waiting.shift()?.resolve(root));
  const fail = (error: Error) => {
    for (const one of waiting.splice(0)) one.reject(error);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread has ended')));
  return { worker, waiting };
}
