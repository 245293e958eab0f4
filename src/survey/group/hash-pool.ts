/** Roots of many subtrees, hashed on all processors: hashing is slow enough that threads pay from some thousand leaves on. */
import { availableParallelism } from 'node:os';
import { rootOf } from './group.js';
import { HashThread } from './thread.js';

/** From this many subtrees on, threads save more than their start takes. */
const minThreaded = 16;
const maxThreads = 16;

export class HashPool {
  readonly #threads: readonly HashThread[];
  #turn = 0;

  /** @param subtrees how many there will be: threads start only for many */
  constructor(subtrees: number) {
    const count = subtrees < minThreaded ? 0 : Math.min(availableParallelism(), maxThreads);
    this.#threads = Array.from({ length: count }, () => new HashThread());
  }

  /** Hands the nodes, decimal, to the next thread. The result waits for the root, or computes it here without a thread. */
  begin(nodes: readonly string[]): () => Promise<bigint> {
    const thread = this.#threads[this.#turn++ % this.#threads.length];
    const answer = thread?.root({ of: 'leaves', nodes }).catch(() => null);
    return async () => (await answer) ?? rootOf(nodes.map(BigInt));
  }

  /** Ends the threads, finished or not. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
