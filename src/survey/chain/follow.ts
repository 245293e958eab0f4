/** Follows one group's events on the chain, through reorganisations, and keeps its leaves between runs. */
import { quantity, type Rpc } from '../../jsonrpc/rpc.js';
import { field } from '../../util/json.js';
import { Outage, type Refused } from '../protocol/refused.js';
import type { Storage } from '../store/storage.js';
import { type GroupPlace, groupView } from './contracts.js';
import { memberEvents, placeEvent, readEvents } from './events.js';
import { type Checkpoint, GroupIndex, type Placed } from './group-index.js';

/** Reads of a chain that changes during the read, before it counts as unavailable. */
const maxReads = 5;
/** Unsaved events after which all leaves are saved; for large groups, a sixteenth of the leaves. */
const saveAfter = 256;

export class GroupFollower {
  readonly #rpc: Rpc;
  readonly #place: GroupPlace;
  readonly #from: number;
  readonly #memory: IndexMemory | null;
  #index = new GroupIndex();
  #leaves: readonly string[] | null = null;
  #unsaved = 0;
  #recalled = false;

  /** @param from the first block that may hold events of the group */
  constructor(rpc: Rpc, place: GroupPlace, from: number, memory: IndexMemory | null = null) {
    this.#rpc = rpc;
    this.#place = place;
    this.#from = from;
    this.#memory = memory;
  }

  get tip(): Checkpoint | null {
    return this.#index.tip;
  }

  /** Drops every leaf; the saved ones are overwritten after the next read. */
  forget(): void {
    this.#index = new GroupIndex();
    this.#leaves = null;
    this.#recalled = true;
    this.#unsaved = Number.MAX_SAFE_INTEGER;
  }

  /** Saves the leaves. Best effort: the chain has them all. */
  async save(): Promise<void> {
    if (this.#index.tip === null || this.#leaves === null) return;
    this.#unsaved = 0;
    await this.#memory?.save({ tip: this.#index.tip, leaves: this.#leaves });
  }

  /** As of the newest block; the same array while nothing changes. @throws {Refused} when the chain keeps changing */
  async leaves(): Promise<readonly string[]> {
    await this.#recall();
    for (let attempt = 0; attempt < maxReads; attempt++) {
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

  /** False when the chain was reorganised during the read: the events may be of either branch. */
  async #catchUp(head: Checkpoint): Promise<boolean> {
    if (this.#leaves !== null && this.#index.tip?.hash === head.hash) return true;
    await this.#leaveOrphans(head);
    const next = this.#index.tip === null ? this.#from : this.#index.tip.block + 1;
    const found = await readEvents(this.#rpc, this.#place, memberEvents, next, head.block);
    const events = found.map(placeEvent);
    if ((await this.#block(head.block))?.hash !== head.hash) return false;
    const isKnown = events.length === 0 && this.#leaves !== null;
    const size = isKnown ? this.#index.size : await this.#size(head);
    // No request from here on: a failed one must not leave newer events beside older leaves.
    this.#apply(events, head, size);
    if (!isKnown) this.#leaves = this.#index.leaves();
    this.#unsaved += events.length;
    if (this.#unsaved >= Math.max(saveAfter, this.#index.size / 16)) await this.save().catch(() => undefined);
    return true;
  }

  /** Steps back to the newest block that is still part of the chain. */
  async #leaveOrphans(head: Checkpoint): Promise<void> {
    for (let tip = this.#index.tip; tip !== null; tip = this.#index.tip) {
      if (tip.block <= head.block && (await this.#block(tip.block))?.hash === tip.hash) return;
      this.#index.retreat();
      this.#leaves = null;
    }
  }

  /** @throws {Refused} when events are missing; leaves that were never confirmed, as after a restart, are read again */
  #apply(events: readonly Placed[], to: Checkpoint, size: number): void {
    const isApplied = this.#index.advance(events, to);
    const has = this.#index.size;
    if (isApplied && size === has) return;
    if (isApplied) this.#index.retreat();
    while (this.#leaves === null && this.#index.tip !== null) this.#index.retreat();
    throw incomplete(
      isApplied ? `the events hold ${has} members, the tree ${size}` : 'earlier events are missing',
    );
  }

  async #size(head: Checkpoint): Promise<number> {
    const call = { name: 'getMerkleTreeSize', block: quantity(head.block) };
    return Number(await groupView<bigint>(this.#rpc, this.#place, call));
  }

  async #block(which: number | 'latest'): Promise<Checkpoint | null> {
    const tag = which === 'latest' ? which : quantity(which);
    const block = await this.#rpc('eth_getBlockByNumber', [tag, false]);
    return block === null
      ? null
      : { block: Number(field(block, 'number')), hash: String(field(block, 'hash')) };
  }
}

function incomplete(reason: string): Refused {
  return new Outage('the members could not be read completely', reason);
}

export type Remembered = { readonly tip: Checkpoint; readonly leaves: readonly string[] };

export type IndexMemory = ReturnType<typeof storedMemory>;

/** Leaves kept in the server's store. Losing them costs time only: the block's hash is checked before use. */
export function storedMemory(storage: Storage, chainId: number, { semaphore, groupId }: GroupPlace) {
  const group = `${chainId} ${semaphore} ${groupId}`;
  return {
    async load(): Promise<Remembered | null> {
      const sql = 'SELECT block, hash, leaves FROM chain_groups WHERE chain_group = ?';
      const row = await storage.one<[number, string, string]>(sql, group);
      if (row === undefined) return null;
      return { tip: { block: row[0], hash: row[1] }, leaves: row[2] === '' ? [] : row[2].split(',') };
    },
    async save({ tip, leaves }: Remembered) {
      const sql = `INSERT INTO chain_groups VALUES (?, ?, ?, ?) ON CONFLICT (chain_group)
         DO UPDATE SET block = excluded.block, hash = excluded.hash, leaves = excluded.leaves`;
      await storage.run(sql, group, tip.block, tip.hash, leaves.join(','));
    },
  };
}
