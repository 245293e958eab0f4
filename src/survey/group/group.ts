/** Merkle roots of Semaphore v4 groups (LeanIMT): a node without a sibling moves up unhashed; a removed leaf is 0. */
import { LeanIMT } from '@zk-kit/lean-imt';
import { hash } from './poseidon.js';

/** The root over leaves; 0 without leaves. */
export function rootOf(leaves: readonly bigint[]): bigint {
  return new LeanIMT(hash, [...leaves]).root ?? 0n;
}

/**
 * What an append needs of a tree: the roots of its complete subtrees, largest first, one for each bit of the size.
 * At most 32 nodes.
 */
export interface Frontier {
  readonly size: number;
  readonly peaks: readonly bigint[];
}

export const noLeaves: Frontier = { size: 0, peaks: [] };

/** The frontier after one more leaf: one hash on average. */
export function append({ size, peaks }: Frontier, leaf: bigint): Frontier {
  const left = [...peaks];
  let node = leaf;
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) node = hash(left.pop() ?? 0n, node);
  return { size: size + 1, peaks: [...left, node] };
}

/** The root of a frontier's tree: one hash less than there are peaks. */
export function rootOfPeaks(peaks: Frontier['peaks']): bigint {
  return peaks.slice(0, -1).reduceRight((right, left) => hash(left, right), peaks.at(-1) ?? 0n);
}
