/** Merkle roots hashed in worker threads, which pay off from a few thousand leaves on. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Frontier, rootOf, rootOfPeaks } from './group.js';

/** Nodes to hash: the leaves of one root, or the peaks of several frontiers, one root each. */
export type Work =
  | { readonly of: 'leaves'; readonly nodes: readonly string[] }
  | { readonly of: 'peaks'; readonly nodes: readonly Frontier['peaks'][] };

/** The worker's program: the build puts it beside this code, and the sources use the built one. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/hash-thread.cjs' : './hash-thread.cjs',
  import.meta.url,
);

interface Waiting {
  readonly resolve: (roots: bigint[]) => void;
  readonly reject: (error: Error) => void;
}

export class HashThread {
  readonly #waiting: Waiting[] = [];
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

/** Below this many subtrees, starting threads costs more than it saves. */
const minThreaded = 16;
export const maxThreads = 16;

export class HashPool {
  readonly #threads: readonly HashThread[];
  #turn = 0;

  /** @param subtrees how many roots will be asked for */
  constructor(subtrees: number, threads = maxThreads) {
    const count = subtrees < minThreaded ? 0 : Math.min(availableParallelism(), threads);
    this.#threads = Array.from({ length: count }, () => new HashThread());
  }

  /** Starts hashing decimal nodes in the next thread. The result awaits the root; without a thread it hashes here. */
  begin(nodes: readonly string[]): () => Promise<bigint> {
    const thread = this.#threads[this.#turn++ % this.#threads.length];
    const answer = thread?.roots({ of: 'leaves', nodes }).catch(() => []);
    return async () => (await answer)?.[0] ?? rootOf(nodes.map(BigInt));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

export class FrontierRoots {
  #thread: HashThread | null = null;

  /** One root per frontier. Hashes a single root, or all if the thread fails, on the caller's thread. Never rejects. */
  async of(frontiers: readonly Frontier[]): Promise<bigint[]> {
    const nodes = frontiers.map(({ peaks }) => peaks);
    if (nodes.length < 2) return nodes.map(rootOfPeaks);
    this.#thread ??= new HashThread();
    return this.#thread.roots({ of: 'peaks', nodes }).catch(() => nodes.map(rootOfPeaks));
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
