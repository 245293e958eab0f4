/** Merkle roots of Semaphore v4 groups. The only importer of @semaphore-protocol/group. */
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

/** From this many blocks on, threads are worth their start. */
const worthThreads = 6;

/**
 * The frontier after appending leaves in order; a removed leaf is "0" and must be kept.
 * n leaves cost n - 1 hashes, about 0.25 ms each, shared by all processors when there are many.
 * @throws the signal's reason when it aborts
 */
export async function append(
  frontier: Frontier,
  leaves: readonly string[],
  progress?: Progress,
  signal?: AbortSignal,
): Promise<Frontier> {
  const spans = alignedSpans(frontier.size, leaves.length);
  const blocks = spans.filter(({ length }) => length === blockSize).length;
  const pool = blocks < worthThreads ? null : (await import('./root-pool.js')).rootPool();
  try {
    const part = ({ at, length }: Span) => leaves.slice(at, at + length);
    // All blocks begin at once; where a thread cannot be had, null comes back and the work is done here.
    const begun = spans.map((span) =>
      pool !== null && span.length === blockSize ? pool.root(part(span)).catch(() => null) : null,
    );
    const peaks = [...frontier.peaks];
    let size = frontier.size;
    for (const [nth, span] of spans.entries()) {
      const { length } = span;
      let node = (await begun[nth]) ?? new Group(part(span)).root;
      for (let bit = length; (size & bit) !== 0; bit *= 2) node = hash(peaks.pop() ?? 0n, node);
      peaks.push(node);
      size += length;
      if (length !== blockSize) continue;
      progress?.(size);
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    return { size, peaks };
  } finally {
    await pool?.close();
  }
}

/** The root: peaks folded from the right, a node without a sibling going up unhashed. 0 for an empty group. */
export function rootOf({ peaks }: Frontier): bigint {
  const smallest = peaks.at(-1) ?? 0n;
  return peaks.slice(0, -1).reduceRight((right, left) => hash(left, right), smallest);
}

/** A run of leaves: where it begins among the new ones, and how many it holds. */
interface Span {
  readonly at: number;
  readonly length: number;
}

/** The leaves cut into complete subtrees, each a power of two that divides the place it begins at. */
function alignedSpans(size: number, count: number): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < count; ) {
    let length = 1;
    while (length < blockSize && (size + at) % (length * 2) === 0 && at + length * 2 <= count) length *= 2;
    spans.push({ at, length });
    at += length;
  }
  return spans;
}

/** Poseidon of two nodes, as the group package computes it. */
function hash(left: bigint, right: bigint): bigint {
  return new Group([left, right]).root;
}
