/** Subtrees hashed on all processors: hashing is slow enough that threads pay from some thousand leaves on. */
import { availableParallelism } from 'node:os';
import { quickHash } from './poseidon.js';
import type { Tables } from './poseidon-tables.js';
import { nodeAt, rehash, type Work } from './rehash.js';
import { startThread } from './thread.js';

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

type Copied = Omit<Work, 'levels'> & { readonly levels: readonly Uint8Array[] };

/** Runs in the thread: the functions as they are here, wherever this file has been bundled to. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const nodeAt = ${nodeAt};
  const rehash = ${rehash};
  const tools = { hash: (${quickHash})(workerData), nodeAt };
  parentPort.on('message', ({ leaves, changed, levels }) => {
    const nodes = leaves.map(BigInt);
    const hashed = rehash((at) => nodes[at], changed, levels.map((level) => Buffer.from(level.buffer)), tools);
    parentPort.postMessage({ levels, hashed });
  });`;

/** A thread for each processor. Work is handed out in turn and comes back in order, thread by thread. */
export function rootPool(tables: Tables): RootPool {
  const threads = Array.from({ length: Math.min(availableParallelism(), 16) }, () =>
    startThread<Copied, Hashed>(program, tables),
  );
  let turn = 0;
  return {
    rehash({ leaves, changed, levels }) {
      const thread = threads[turn++ % threads.length] as (typeof threads)[number];
      // A view is sent with all that it is a view of, so each level is copied first.
      return thread.ask({ leaves, changed, levels: levels.map((level) => new Uint8Array(level)) });
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
