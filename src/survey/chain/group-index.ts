/** A group's leaves, built from its events in the order of the chain, able to step back. Knows no network. */

/** An event that touches leaves, in the words of the contract. */
export type GroupEvent =
  | { readonly kind: 'added'; readonly index: number; readonly leaves: readonly string[] }
  | { readonly kind: 'set'; readonly index: number; readonly leaf: string };

/** Where an event stands: blocks in order, and within a block the log's index. */
export interface Placed {
  readonly block: number;
  readonly logIndex: number;
  readonly event: GroupEvent;
}

/** Block the leaves are known up to. */
export interface Checkpoint {
  readonly block: number;
  readonly hash: string;
}

/** What undoes one event: leaves beyond `size` go, and one may get its former value back. */
interface Undo {
  readonly block: number;
  readonly size: number;
  readonly restore: readonly [index: number, leaf: string] | null;
}

/** Blocks that can be stepped back over by way of a checkpoint; a deeper reorganisation starts over. */
const checkpoints = 128;

export class GroupIndex {
  #leaves: string[] = [];
  #undo: Undo[] = [];
  #known: Checkpoint[] = [];

  /** Starts from leaves known as of a block. */
  restore(leaves: readonly string[], tip: Checkpoint): void {
    this.#leaves = [...leaves];
    this.#undo = [];
    this.#known = [tip];
  }

  /** A copy of the leaves: decimal, a removed one is "0". */
  leaves(): string[] {
    return [...this.#leaves];
  }

  get size(): number {
    return this.#leaves.length;
  }

  /** The newest block taken in, or null before the first. */
  get tip(): Checkpoint | null {
    return this.#known.at(-1) ?? null;
  }

  /**
   * Takes in the events up to a block, in any order.
   * @returns false, with nothing changed, when they do not continue the leaves: some are missing
   */
  advance(events: readonly Placed[], to: Checkpoint): boolean {
    const undone = this.#undo.length;
    const sorted = [...events].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
    for (const placed of sorted) {
      if (!this.#apply(placed)) {
        this.#stepBack(undone);
        return false;
      }
    }
    this.#known.push(to);
    if (this.#known.length > checkpoints) this.#forget();
    return true;
  }

  /** Forgets the newest checkpoint and what came after the one before it. */
  retreat(): void {
    this.#known.pop();
    const tip = this.tip;
    if (tip === null) {
      this.#leaves = [];
      this.#undo = [];
      return;
    }
    const kept = this.#undo.findIndex((undo) => undo.block > tip.block);
    if (kept !== -1) this.#stepBack(kept);
  }

  #apply({ block, event }: Placed): boolean {
    const size = this.#leaves.length;
    if (event.kind === 'added') {
      if (event.index !== size) return false;
      this.#undo.push({ block, size, restore: null });
      for (const leaf of event.leaves) this.#leaves.push(leaf);
      return true;
    }
    const before = this.#leaves[event.index];
    if (before === undefined) return false;
    this.#undo.push({ block, size, restore: [event.index, before] });
    this.#leaves[event.index] = event.leaf;
    return true;
  }

  #stepBack(count: number): void {
    for (const undo of this.#undo.splice(count).toReversed()) {
      this.#leaves.length = undo.size;
      if (undo.restore !== null) this.#leaves[undo.restore[0]] = undo.restore[1];
    }
  }

  #forget(): void {
    this.#known = this.#known.slice(-checkpoints / 2);
    const oldest = this.#known[0]?.block ?? 0;
    this.#undo = this.#undo.filter((undo) => undo.block > oldest);
  }
}
