/** Keeps one group's index in step with the chain, through reorganisations. */
import { Refused } from '../protocol/refused.js';
import { semaphoreContract, view } from './contracts.js';
import { type GroupPlace, readEvents } from './events.js';
import { type Checkpoint, GroupIndex } from './group-index.js';
import type { IndexMemory } from './index-memory.js';
import { quantity, type Rpc } from './rpc.js';

/** How often a chain that changes under the reading is read again before giving up. */
const tries = 5;
/** Events after which the memory, all of it, is written without being asked; a sixteenth of the leaves where those are many. */
const worthSaving = 256;

export class GroupFollower {
  readonly #rpc: Rpc;
  readonly #place: GroupPlace;
  readonly #from: number;
  readonly #memory: IndexMemory | null;
  readonly #index = new GroupIndex();
  #leaves: readonly string[] | null = null;

  /** Events taken in since the memory was last written. */
  #unsaved = 0;
  #recalled = false;

  /** @param from the first block that may hold events of the group */
  constructor(rpc: Rpc, place: GroupPlace, from: number, memory: IndexMemory | null = null) {
    this.#rpc = rpc;
    this.#place = place;
    this.#from = from;
    this.#memory = memory;
  }

  /** Writes what is known to the memory, which is best effort: the chain has it all. */
  async save(): Promise<void> {
    if (this.#index.tip === null || this.#leaves === null) return;
    this.#unsaved = 0;
    await this.#memory?.save({ tip: this.#index.tip, leaves: this.#leaves });
  }

  /**
   * The leaves as of the chain's newest block; the same array as before when nothing changed.
   * @throws {Refused} when the events do not add up to the tree, or the chain keeps changing
   */
  async leaves(): Promise<readonly string[]> {
    await this.#recall();
    for (let attempt = 0; attempt < tries; attempt++) {
      const head = await this.#block('latest');
      if (head !== null && (await this.#catchUp(head))) return this.#leaves ?? [];
    }
    throw incomplete('the chain changed while it was read');
  }

  async #recall(): Promise<void> {
    if (this.#recalled) return;
    const remembered = await this.#memory?.load();
    if (remembered) this.#index.restore(remembered.leaves, remembered.tip);
    this.#recalled = true;
  }

  /** False when the chain was reorganised meanwhile: what was read may belong to neither side. */
  async #catchUp(head: Checkpoint): Promise<boolean> {
    if (this.#leaves !== null && this.#index.tip?.hash === head.hash) return true;
    await this.#leaveOrphans(head);
    const next = this.#index.tip === null ? this.#from : this.#index.tip.block + 1;
    const events = await readEvents(this.#rpc, this.#place, next, head.block);
    if ((await this.#block(head.block))?.hash !== head.hash) return false;
    if (!this.#index.advance(events, head)) throw incomplete('earlier events are missing');
    if (events.length > 0 || this.#leaves === null) {
      await this.#compareSize(head);
      this.#leaves = this.#index.leaves();
    }
    this.#unsaved += events.length;
    if (this.#unsaved >= Math.max(worthSaving, this.#index.size / 16))
      await this.save().catch(() => undefined);
    return true;
  }

  /** Steps back until the newest block taken in is one of the chain again. */
  async #leaveOrphans(head: Checkpoint): Promise<void> {
    for (let tip = this.#index.tip; tip !== null; tip = this.#index.tip) {
      if (tip.block <= head.block && (await this.#block(tip.block))?.hash === tip.hash) return;
      this.#index.retreat();
      this.#leaves = null;
    }
  }

  async #compareSize(head: Checkpoint): Promise<void> {
    const size = await view<bigint>(this.#rpc, {
      ...{ to: this.#place.semaphore, contract: semaphoreContract, name: 'getMerkleTreeSize' },
      ...{ args: [this.#place.groupId], block: quantity(head.block) },
    });
    if (size === BigInt(this.#index.size)) return;
    const has = this.#index.size;
    this.#index.retreat();
    throw incomplete(`the events hold ${has} members, the tree ${size}`);
  }

  async #block(which: number | 'latest'): Promise<Checkpoint | null> {
    const tag = which === 'latest' ? which : quantity(which);
    const block = (await this.#rpc('eth_getBlockByNumber', [tag, false])) as {
      number: string;
      hash: string;
    } | null;
    return block === null ? null : { block: Number(block.number), hash: block.hash };
  }
}

function incomplete(reason: string): Refused {
  return new Refused('UNAVAILABLE', 'the members could not be read completely', reason);
}
