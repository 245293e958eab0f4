/** A group's Merkle tree (LeanIMT) with all its nodes, so that a change costs the path above it. */
import { checked, hash } from './poseidon.js';
import { nodeAt, rehash, type Work } from './rehash.js';
import type { Hashed } from './root-pool.js';

export interface Tree {
  /** Decimal; a removed one is "0". */
  readonly leaves: readonly string[];
  /** The levels above them, 32 bytes a node, lowest first; a subtree's are there however few leaves there are. */
  readonly levels: readonly Buffer[];
}

export const noTree: Tree = { leaves: [], levels: [] };

/** Heard after every subtree: leaves done so far. */
export type Progress = (done: number) => void;

/** Height and leaves of a subtree: what is hashed without a breath, or by one thread. */
const height = 8;
const subtree = 1 << height;
/** From this many changed leaves on, threads are worth their start. */
const worthThreads = 16 * subtree;

const tools = { hash, nodeAt };
const nothing = Buffer.alloc(0);

/** 0 for a group without leaves. */
export function rootOf({ levels }: Tree): bigint {
  return nodeAt(levels.at(-1) ?? nothing, 0) ?? 0n;
}

/** How many nodes stand in each level above so many leaves. */
export function widths(leaves: number): number[] {
  const found: number[] = [];
  for (let width = leaves; found.length < height || width > 1; ) {
    width = Math.ceil(width / 2);
    found.push(width);
  }
  return found;
}

/** Places whose leaf is another one than before; where the list has become shorter, its last place too. */
export function changedPlaces(before: readonly string[], leaves: readonly string[]): number[] {
  const found = [...leaves.keys()].filter((at) => leaves[at] !== before[at]);
  return leaves.length < before.length && leaves.length > 0 ? [...found, leaves.length - 1] : found;
}

/**
 * The tree of other leaves, and how many of its nodes were hashed: those above the changed places, by threads when
 * there are many; a thread that cannot be had is done without.
 * @throws the signal's reason when it aborts
 */
export async function grow(
  before: Tree,
  leaves: readonly string[],
  changed: readonly number[],
  progress: Progress,
  signal?: AbortSignal,
): Promise<{ tree: Tree; hashed: number }> {
  const levels = widths(leaves.length).map((width, at) =>
    Buffer.concat([before.levels[at] ?? nothing], width * 32),
  );
  const tree = { leaves, levels };
  const subtrees = bySubtree(changed);
  const pool =
    checked === null || changed.length < worthThreads
      ? null
      : (await import('./root-pool.js')).rootPool(checked);
  let [done, hashed] = [leaves.length - changed.length, 0];
  try {
    const begun = Array.from(subtrees, ([at, places]) => {
      const work = workOn(at, places, tree);
      return { work, result: pool?.rehash(work).catch(() => null) ?? null };
    });
    for (const { work, result } of begun) {
      hashed += finish(work, await result);
      done += work.changed.length;
      progress(done);
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
  } finally {
    await pool?.close();
  }
  const roots = levels[height - 1] ?? nothing;
  hashed += rehash((at) => nodeAt(roots, at), subtrees.keys(), levels.slice(height), tools);
  return { tree, hashed };
}

/** The changed places within each subtree that has any. */
function bySubtree(changed: readonly number[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const at of changed) {
    const places = found.get(at >> height) ?? [];
    found.set(at >> height, places);
    places.push(at % subtree);
  }
  return found;
}

/** A subtree as a tree of its own; its levels are views of the whole tree's. */
function workOn(at: number, changed: readonly number[], { leaves, levels }: Tree): Work {
  return {
    leaves: leaves.slice(at * subtree, (at + 1) * subtree),
    levels: levels.slice(0, height).map((level, below) => {
      const bytes = (subtree >> (below + 1)) * 32;
      return level.subarray(at * bytes, (at + 1) * bytes);
    }),
    changed,
  };
}

/** Puts in place what a thread has hashed, or hashes it here; how many nodes that were. */
function finish({ leaves, levels, changed }: Work, result: Hashed | null): number {
  if (result === null) {
    const leaf = (at: number) => (at < leaves.length ? BigInt(leaves[at] ?? 0) : undefined);
    return rehash(leaf, changed, levels, tools);
  }
  for (const [at, level] of levels.entries()) level.set(result.levels[at] ?? nothing);
  return result.hashed;
}
