/** The roots of a group that grows, hashed beside this thread: each takes a hash for every bit of its size. */
import { type Frontier, fold, rootOf } from './group.js';
import { checked, quickHash } from './poseidon.js';
import { startThread, type Thread } from './thread.js';

/** Runs in the thread: the functions as they are here, wherever this file has been bundled to. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const [hash, fold] = [(${quickHash})(workerData), ${fold}];
  parentPort.on('message', (several) => parentPort.postMessage(several.map((peaks) => fold(peaks, hash))));`;

export class FrontierRoots {
  #thread: Thread<readonly Frontier['peaks'][], bigint[]> | null = null;

  /** Of each, by the thread if there are several; one that cannot be had is done without. Never rejects. */
  async of(frontiers: readonly Frontier[]): Promise<bigint[]> {
    const here = () => frontiers.map(rootOf);
    if (checked === null || frontiers.length < 2) return here();
    this.#thread ??= startThread(program, checked);
    return this.#thread.ask(frontiers.map(({ peaks }) => peaks)).catch(here);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
