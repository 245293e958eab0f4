/** A group's leaves kept between runs, so that a restart reads only the blocks since. */
import type { Sqlite } from '../store/sqlite.js';
import type { GroupPlace } from './events.js';
import type { Checkpoint } from './group-index.js';

/** Leaves as of a block. */
export interface Remembered {
  readonly tip: Checkpoint;
  readonly leaves: readonly string[];
}

export interface IndexMemory {
  load(): Remembered | null;
  save(remembered: Remembered): void;
}

/** Memory in the server's file. Losing it costs time, never members: the block's hash is compared before use. */
export function fileMemory(file: Sqlite, chainId: number, { semaphore, groupId }: GroupPlace): IndexMemory {
  const group = `${chainId} ${semaphore} ${groupId}`;
  return {
    load() {
      const row = file.one<[number, string, string]>(
        'SELECT block, hash, leaves FROM chain_groups WHERE chain_group = ?',
        group,
      );
      if (row === undefined) return null;
      return { tip: { block: row[0], hash: row[1] }, leaves: row[2] === '' ? [] : row[2].split(',') };
    },
    save({ tip, leaves }) {
      file.run(
        'INSERT OR REPLACE INTO chain_groups VALUES (?, ?, ?, ?)',
        ...[group, tip.block, tip.hash, leaves.join(',')],
      );
    },
  };
}
