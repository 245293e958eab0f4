/** Roots of a growing group, hashed in a thread: each takes a hash for every bit of the group's size. */
import { type Frontier, rootOfPeaks } from './group.js';
import { HashThread } from './thread.js';

export class FrontierRoots {
  #thread: HashThread | null = null;

  /** One root for each frontier; a single root is hashed here, as are all without a thread. Never rejects. */
  async of(frontiers: readonly Frontier[]): Promise<bigint[]> {
    if (frontiers.length < 2) return frontiers.map(({ peaks }) => rootOfPeaks(peaks));
    this.#thread ??= new HashThread();
    const thread = this.#thread;
    return Promise.all(
      frontiers.map(({ peaks }) =>
        thread.root({ of: 'peaks', nodes: peaks }).catch(() => rootOfPeaks(peaks)),
      ),
    );
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
