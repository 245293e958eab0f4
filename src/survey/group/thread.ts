/** A thread that computes roots, in the order it was asked. */
import { Worker } from 'node:worker_threads';

/** The nodes of a root: leaves, or a frontier's peaks. */
export interface Work {
  readonly of: 'leaves' | 'peaks';
  readonly nodes: readonly (bigint | string)[];
}

/** The build puts the thread's program beside this code; the sources use the built one. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/hash-thread.cjs' : './hash-thread.cjs',
  import.meta.url,
);

interface Waiting {
  readonly resolve: (root: bigint) => void;
  readonly reject: (error: Error) => void;
}

export class HashThread {
  readonly #waiting: Waiting[] = [];
  readonly #worker = new Worker(program);
  #ended = false;

  constructor() {
    this.#worker.on('message', (root: bigint) => this.#waiting.shift()?.resolve(root));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread has ended')));
  }

  /** @throws when the thread cannot answer, or has ended */
  root(work: Work): Promise<bigint> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error('the thread has ended'));
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(work);
    });
  }

  /** Ends the thread, finished or not. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#ended = true;
    for (const one of this.#waiting.splice(0)) one.reject(error);
  }
}
