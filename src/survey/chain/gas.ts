/** The gas limit of a join, computed from the index its member may get, which is known only once it is mined. */

/** Gas limits for one call, in units of gas: `wanted` covers the worst case, `needed` the likely one. */
export interface GasRange {
  readonly wanted: bigint;
  readonly needed: bigint;
}

/**
 * More than the 28,600 or so that Semaphore uses for each set bit of the new member's index (one Poseidon hash each),
 * and more than the first write of a level of the tree uses.
 */
const gasPerLevel = 40_000n;
/** Joins that other programs may send meanwhile: as many as there are members, but at least this many. */
const minOtherJoins = 1024;
/** Levels of the maxDepth tree that the contract supports. */
const maxDepth = 32;

/** A join without its hashes, if the node gives no estimate: Semaphore uses 146,000 of it, the survey the rest. */
const defaultEstimate = 500_000n;

/** Gas estimates for the joins of one group: one estimate, repeated each time the group has doubled. */
export class GroupGas {
  #estimate: bigint | null = null;
  /** Size from which on the estimate is stale. */
  #goodUntil = 0;
  #asking: Promise<void> | null = null;

  /**
   * The highest estimate so far. Only the first is awaited; if it fails, a default is used.
   * @param size members now
   * @param ask estimates a join that will succeed
   */
  async estimate(size: number, ask: () => Promise<bigint>): Promise<bigint> {
    if (size >= this.#goodUntil) this.#asking ??= this.#ask(size, ask);
    if (this.#estimate === null) await this.#asking;
    return this.#estimate ?? defaultEstimate;
  }

  /** A new estimate, after a join ran out of gas; later joins use it too. */
  async again(ask: () => Promise<bigint>): Promise<bigint> {
    this.#raise(await ask());
    return this.#estimate ?? defaultEstimate;
  }

  async #ask(size: number, ask: () => Promise<bigint>): Promise<void> {
    try {
      this.#raise(await ask());
      this.#goodUntil = 2 ** levels(size);
    } catch {
      // The next join retries.
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
 * @param estimate of a join of the same group, at any size
 * @param size members at the last block
 * @param underWay pending joins of this server
 */
export function joinGas(estimate: bigint, size: number, underWay: number): GasRange {
  const upTo = (index: number) => estimate + BigInt(1 + levels(index)) * gasPerLevel;
  return { wanted: upTo(2 * (size + underWay) + minOtherJoins), needed: upTo(size + underWay) };
}

/** The gas of the second attempt after a join ran out of gas: ample for any index. */
export function amplerGas(estimate: bigint): GasRange {
  const ample = 2n * estimate + BigInt(maxDepth) * gasPerLevel;
  return { wanted: ample, needed: ample };
}

/** The gas limit: `wanted` if the sender can afford it, else what it can afford, but at least `needed`. */
export function affordable({ wanted, needed }: GasRange, affordableGas: bigint): bigint {
  if (affordableGas >= wanted) return wanted;
  return affordableGas > needed ? affordableGas : needed;
}

/**
 * Whether a reverted transaction ran out of gas. Nested calls each retain a sixty-fourth, so some is always left.
 * @param gas its gas limit
 */
export function ranOut(receipt: { readonly status: 0 | 1; readonly gasUsed: string }, gas: bigint): boolean {
  return receipt.status === 0 && BigInt(receipt.gasUsed) * 64n >= gas * 60n;
}
