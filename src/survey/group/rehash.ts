/** The two functions on a tree's nodes that a thread is given as text: they need nothing outside themselves. */
import type { Hash } from './poseidon.js';

/** The node at this place of a level, 32 bytes each; undefined behind its end. */
export function nodeAt(level: Buffer, at: number): bigint | undefined {
  const hex = level.toString('hex', at * 32, at * 32 + 32);
  return hex === '' ? undefined : BigInt(`0x${hex}`);
}

/** Part of a tree to be hashed again over the changed places of its leaves. */
export interface Work {
  /** Decimal. */
  readonly leaves: readonly string[];
  readonly changed: readonly number[];
  /** The levels above the leaves, lowest first; written in place. */
  readonly levels: readonly Buffer[];
}

/**
 * Hashes again what stands over the changed places, a path each, and says how many nodes that were. A node without a
 * sibling goes up unhashed.
 */
export function rehash(
  leaf: (at: number) => bigint | undefined,
  changed: Iterable<number>,
  levels: readonly Buffer[],
  tools: { readonly hash: Hash; readonly nodeAt: typeof nodeAt },
): number {
  let [node, places, hashed] = [leaf, new Set(changed), 0];
  for (const level of levels) {
    places = new Set(Array.from(places, (at) => at >> 1));
    for (const at of places) {
      const [left = 0n, right] = [node(at * 2), node(at * 2 + 1)];
      const value = right === undefined ? left : tools.hash(left, right);
      level.write(value.toString(16).padStart(64, '0'), at * 32, 'hex');
    }
    hashed += places.size;
    node = (at) => tools.nodeAt(level, at);
  }
  return hashed;
}
