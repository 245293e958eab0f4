/** Merkle trees of Semaphore v4 groups (LeanIMT): a node without a sibling goes up unhashed; a removed leaf is 0. */
import { type Hash, hash } from './poseidon.js';

/**
 * The part of a tree an append can still touch: the roots of its complete subtrees, largest first, one for each
 * bit of the size. Enough to go on from, never more than 32 nodes.
 */
export interface Frontier {
  readonly size: number;
  readonly peaks: readonly bigint[];
}

export const noLeaves: Frontier = { size: 0, peaks: [] };

/** Leaves hashed between two breaths of the event loop: some tens of milliseconds. */
const breath = 256;

/** The frontier after appending leaves in order: as many hashes as leaves, at most. */
export async function append(frontier: Frontier, leaves: readonly string[]): Promise<Frontier> {
  const peaks = [...frontier.peaks];
  let { size } = frontier;
  for (const leaf of leaves) {
    let node = BigInt(leaf);
    for (let bit = 1; (size & bit) !== 0; bit *= 2) node = hash(peaks.pop() ?? 0n, node);
    peaks.push(node);
    size += 1;
    if (size % breath === 0) await new Promise(setImmediate);
  }
  return { size, peaks };
}

/** The root: 0 for an empty group. */
export function rootOf({ peaks }: Frontier): bigint {
  return fold(peaks, hash);
}

/** Peaks folded from the right. A thread is given its text: it needs nothing outside itself. */
export function fold(peaks: Frontier['peaks'], hash: Hash): bigint {
  return peaks.slice(0, -1).reduceRight((right, left) => hash(left, right), peaks.at(-1) ?? 0n);
}
