/** How much gas a join may take, when its place in the tree is known only once it is mined. */

/** Gas limits for one call, in units of gas: as much as may be needed at worst, and the least that makes sense. */
export interface GasRange {
  readonly wanted: bigint;
  readonly needed: bigint;
}

/** Above the 28,600 or so that Semaphore takes for each set bit of the new member's index: one Poseidon hash each. */
const perLevel = 40_000n;
/** Joins others may send meanwhile: as many as there are members, and this many at least. */
const strangers = 1024;
/** Levels of the deepest tree the contract verifies proofs for. */
const deepest = 32;

/**
 * The gas of a join that was estimated on the last block.
 * @param size members at that block
 * @param underWay joins of ours that may be mined before it
 */
export function joinGas(estimate: bigint, size: number, underWay: number): GasRange {
  const upTo = (index: number) => estimate + BigInt(index.toString(2).length) * perLevel;
  return { wanted: upTo(2 * (size + underWay) + strangers), needed: upTo(size + underWay) };
}

/** The gas of a join that ran out of it before: enough for any place in any tree. */
export function amplerGas(estimate: bigint): GasRange {
  const enough = 2n * estimate + BigInt(deepest) * perLevel;
  return { wanted: enough, needed: enough };
}

/** What to allow: what is wanted if the sender's means go so far, else what they allow, never less than is needed. */
export function affordable({ wanted, needed }: GasRange, means: bigint): bigint {
  if (means >= wanted) return wanted;
  return means > needed ? means : needed;
}

/**
 * Whether a reverted transaction used up its gas. Calls within calls keep a sixty-fourth each, so it is never all.
 * @param gas what it was allowed
 */
export function ranOut(receipt: { readonly status: 0 | 1; readonly gasUsed: string }, gas: bigint): boolean {
  return receipt.status === 0 && BigInt(receipt.gasUsed) * 64n >= gas * 60n;
}
