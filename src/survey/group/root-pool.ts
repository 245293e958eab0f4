/** Subtrees hashed on all processors: hashing is slow enough that threads pay from some thousand leaves on. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Constants, recurrence } from './poseidon.js';
import { nodeAt, rehash, type Work } from './rehash.js';

/** What a thread has made of its work: the levels as they are now, and how many nodes it hashed. */
export interface Hashed {
  readonly levels: readonly Uint8Array[];
  readonly hashed: number;
}

export interface RootPool {
  /** @throws when its thread could not do it */
  rehash(work: Work): Promise<Hashed>;
  /** Ends the threads, finished or not. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(hashed: Hashed): void;
  reject(error: Error): void;
}

/** Runs in the thread: the functions as they are here, wherever this file has been bundled to. */
const work = `
  const { parentPort, workerData } = require('node:worker_threads');
  const nodeAt = ${nodeAt};
  const rehash = ${rehash};
  const tools = { hash: (${recurrence})(workerData), nodeAt };
  parentPort.on('message', ({ leaves, changed, levels }) => {
    const nodes = leaves.map(BigInt);
    const hashed = rehash((at) => nodes[at], changed, levels.map((level) => Buffer.from(level.buffer)), tools);
    parentPort.postMessage({ levels, hashed });
  });`;

/** A thread for each processor. Work is handed out in turn and comes back in order, thread by thread. */
export function rootPool(constants: Constants): RootPool {
  const threads = Array.from({ length: Math.min(availableParallelism(), 16) }, () => thread(constants));
  let turn = 0;
  return {
    rehash: ({ leaves, changed, levels }) => {
      const { worker, waiting } = threads[turn++ % threads.length] as (typeof threads)[number];
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        // A view is sent with all that it is a view of, so each level is copied first.
        worker.postMessage({ leaves, changed, levels: levels.map((level) => new Uint8Array(level)) });
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
  worker.on('message', (hashed: Hashed) => waiting.shift()?.resolve(hashed));
  const fail = (error: Error) => {
    for (const one of waiting.splice(0)) one.reject(error);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread has ended')));
  return { worker, waiting };
}
