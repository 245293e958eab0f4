/** A group's leaves, built from its events, with undo for reorganisations. No I/O. */

export type GroupEvent =
  | { readonly kind: 'added'; readonly index: number; readonly leaves: readonly string[] }
  | { readonly kind: 'set'; readonly index: number; readonly leaf: string };

export interface Placed {
  readonly block: number;
  readonly logIndex: number;
  readonly event: GroupEvent;
}

/** The block up to which the leaves are known. */
export interface Checkpoint {
  readonly block: number;
  readonly hash: string;
}

/** Undoes one event: removes leaves beyond `size`, and restores the former value of one. */
interface Undo {
  readonly block: number;
  readonly size: number;
  readonly restore: readonly [index: number, leaf: string] | null;
}

/** Checkpoints kept; a deeper reorganisation reads all events again. */
const checkpoints = 128;

export class GroupIndex {
  #leaves: string[] = [];
  #undo: Undo[] = [];
  #known: Checkpoint[] = [];

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

  get tip(): Checkpoint | null {
    return this.#known.at(-1) ?? null;
  }

  /** Applies the events up to a block, in any order. False, with nothing changed, when events are missing. */
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

  /** Drops the newest checkpoint and undoes the events after the one before it. */
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
