/** A group's leaves kept between runs, so that a restart reads only the blocks since. */
import type { Storage } from '../store/storage.js';
import type { GroupPlace } from './events.js';
import type { Checkpoint } from './group-index.js';

/** Leaves as of a block. */
export interface Remembered {
  readonly tip: Checkpoint;
  readonly leaves: readonly string[];
}

export interface IndexMemory {
  load(): Promise<Remembered | null>;
  save(remembered: Remembered): Promise<void>;
}

/** Memory in the server's store. Losing it costs time, never members: the block's hash is compared before use. */
export function storedMemory(
  storage: Storage,
  chainId: number,
  { semaphore, groupId }: GroupPlace,
): IndexMemory {
  const group = `${chainId} ${semaphore} ${groupId}`;
  return {
    async load() {
      const row = await storage.one<[number, string, string]>(
        'SELECT block, hash, leaves FROM chain_groups WHERE chain_group = ?',
        group,
      );
      if (row === undefined) return null;
      return { tip: { block: row[0], hash: row[1] }, leaves: row[2] === '' ? [] : row[2].split(',') };
    },
    async save({ tip, leaves }) {
      await storage.run(
        `INSERT INTO chain_groups VALUES (?, ?, ?, ?) ON CONFLICT (chain_group)
         DO UPDATE SET block = excluded.block, hash = excluded.hash, leaves = excluded.leaves`,
        ...[group, tip.block, tip.hash, leaves.join(',')],
      );
    },
  };
}
