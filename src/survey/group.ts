/** Merkle roots of Semaphore v4 groups. The door to @semaphore-protocol/group. */
import { Group } from '@semaphore-protocol/group';

/**
 * The part of a LeanIMT an append can still touch: the roots of its complete subtrees, largest first, one for
 * each bit of the size. Enough to go on from, never more than 32 nodes.
 */
export interface Frontier {
  readonly size: number;
  readonly peaks: readonly bigint[];
}

export const noLeaves: Frontier = { size: 0, peaks: [] };

/** Leaves hashed between two breaths of the event loop: about a quarter of a second. */
const blockSize = 1024;

/** Heard after every block: leaves done so far. */
export type Progress = (done: number) => void;

/**
 * The frontier after appending leaves in order; a removed leaf is "0" and must be kept.
 * n leaves cost n - 1 hashes, about 0.25 ms each.
 * @throws the signal's reason when it aborts
 */
export async function append(
  frontier: Frontier,
  leaves: readonly string[],
  progress?: Progress,
  signal?: AbortSignal,
): Promise<Frontier> {
  const peaks = [...frontier.peaks];
  let size = frontier.size;
  for (let at = 0; at < leaves.length; ) {
    const length = alignedLength(size, leaves.length - at);
    let node = new Group(leaves.slice(at, at + length)).root;
    for (let bit = length; (size & bit) !== 0; bit *= 2) node = hash(peaks.pop() ?? 0n, node);
    peaks.push(node);
    size += length;
    at += length;
    if (length === blockSize) {
      progress?.(frontier.size + at);
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
  }
  return { size, peaks };
}

/** The root: peaks folded from the right, a node without a sibling going up unhashed. 0 for an empty group. */
export function rootOf({ peaks }: Frontier): bigint {
  const smallest = peaks.at(-1) ?? 0n;
  return peaks.slice(0, -1).reduceRight((right, left) => hash(left, right), smallest);
}

/** The largest complete subtree that may start at leaf `size`: a power of two that divides it. */
function alignedLength(size: number, left: number): number {
  let length = 1;
  while (length < blockSize && size % (length * 2) === 0 && length * 2 <= left) length *= 2;
  return length;
}

/** Poseidon of two nodes, as the group package computes it. */
function hash(left: bigint, right: bigint): bigint {
  return new Group([left, right]).root;
}
