/** How much gas a join may take: reckoned from the index its member may get, which is known only once it is mined. */

/** Gas limits for one call, in units of gas: as much as may be needed at worst, and the least that makes sense. */
export interface GasRange {
  readonly wanted: bigint;
  readonly needed: bigint;
}

/**
 * Above the 28,600 or so that Semaphore takes for each set bit of the new member's index (one Poseidon hash each), and
 * above what it takes to write a level of the tree for the first time.
 */
const perLevel = 40_000n;
/** Joins others may send meanwhile: as many as there are members, and this many at least. */
const strangers = 1024;
/** Levels of the deepest tree the contract verifies proofs for. */
const deepest = 32;

/** A join without its hashes where no estimate was to be had: Semaphore takes 146,000 of it, the survey the rest. */
const unestimated = 500_000n;

/** What joins of one group take, estimated on one of them, and again each time the group has doubled. */
export class GroupGas {
  #estimate: bigint | null = null;
  /** Members from which on the estimate is out of date. */
  #goodUntil = 0;
  #asking: Promise<void> | null = null;

  /**
   * The highest estimate so far. Only the first is waited for; without an answer to it joins go on without.
   * @param size members now
   * @param ask estimates a join that is known to succeed
   */
  async estimate(size: number, ask: () => Promise<bigint>): Promise<bigint> {
    if (size >= this.#goodUntil) this.#asking ??= this.#ask(size, ask);
    if (this.#estimate === null) await this.#asking;
    return this.#estimate ?? unestimated;
  }

  /** After a join ran out of gas: an estimate of its own, which counts for later joins too. */
  async again(ask: () => Promise<bigint>): Promise<bigint> {
    this.#raise(await ask());
    return this.#estimate ?? unestimated;
  }

  async #ask(size: number, ask: () => Promise<bigint>): Promise<void> {
    try {
      this.#raise(await ask());
      this.#goodUntil = 2 ** levels(size);
    } catch {
      // The next join asks again.
    } finally {
      this.#asking = null;
    }
  }

  #raise(estimate: bigint): void {
    if (this.#estimate === null || estimate > this.#estimate) this.#estimate = estimate;
  }
}

/** Levels of a tree that has a member at the index. */
function levels(index: number): number {
  return index.toString(2).length;
}

/**
 * The gas of a join.
 * @param estimate of a join of the same group, at whatever size
 * @param size members at the last block
 * @param underWay joins of ours that may be mined before it
 */
export function joinGas(estimate: bigint, size: number, underWay: number): GasRange {
  const upTo = (index: number) => estimate + BigInt(1 + levels(index)) * perLevel;
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
