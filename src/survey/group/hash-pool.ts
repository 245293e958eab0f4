/** Merkle roots hashed in worker threads, which pay off from a few thousand leaves on. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Work } from './group.js';

/** The worker's program: the build puts it beside this code, and the sources use the built one. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/hash-thread.cjs' : './hash-thread.cjs',
  import.meta.url,
);

type Settle = { resolve(roots: bigint[]): void; reject(error: Error): void };

export class HashThread {
  readonly #waiting: Settle[] = [];
  readonly #worker = new Worker(program);
  #ended = false;

  constructor() {
    this.#worker.on('message', (roots: bigint[]) => this.#waiting.shift()?.resolve(roots));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread has ended')));
  }

  /** @throws when the thread fails or has ended */
  roots(work: Work): Promise<bigint[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error('the thread has ended'));
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(work);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#ended = true;
    for (const one of this.#waiting.splice(0)) one.reject(error);
  }
}

export const maxThreads = 16;

/** Threads that start with the first work for them. */
export class HashPool {
  readonly #threads: (HashThread | null)[];
  #turn = 0;

  constructor(threads = maxThreads) {
    this.#threads = Array.from({ length: Math.min(availableParallelism(), threads) }, () => null);
  }

  /** Hashes in the next thread; null if it fails, or has ended. */
  roots(work: Work): Promise<bigint[] | null> {
    const at = this.#turn++ % this.#threads.length;
    const thread = this.#threads[at] ?? new HashThread();
    this.#threads[at] = thread;
    return thread.roots(work).catch(() => null);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.close()));
  }
}
