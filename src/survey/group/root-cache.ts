/** Trees kept on disk, so that a long list is hashed once and then only above what has changed. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { changedPlaces, grow, noTree, type Progress, rootOf, type Tree, widths } from './tree.js';

/** A list's root and what it cost. */
export interface Rooted {
  readonly root: bigint;
  /** Nodes that were hashed; a change costs those between its leaf and the root. */
  readonly hashed: number;
}

export interface RootCache {
  /** The root of a list of leaves, removed ones as "0"; @throws the signal's reason when it aborts. */
  root(leaves: readonly string[], progress?: Progress, signal?: AbortSignal): Promise<Rooted>;
}

/** Below this many changed leaves hashing again is quicker than it is worth writing a file. */
const worthKeeping = 64;

/** The tree of one group's list, remembered in `folder` (created on demand) under a name made from `key`. */
export function rootCache(folder: string, key: string): RootCache {
  const file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.tree`);
  let kept: Tree | null = null;
  return {
    async root(leaves, progress = () => undefined, signal) {
      const before = kept ?? (await load(file));
      const changed = changedPlaces(before.leaves, leaves);
      const { tree, hashed } = await grow(before, leaves, changed, progress, signal);
      kept = tree;
      if (changed.length >= worthKeeping) await save(file, tree);
      return { root: rootOf(tree), hashed };
    },
  };
}

/** What was kept, if it is as it was written: SHA-256 of the rest, number of leaves, levels, leaves a line each. */
async function load(file: string): Promise<Tree> {
  try {
    const bytes = await readFile(file);
    if (!digestOf(bytes.subarray(32)).equals(bytes.subarray(0, 32))) return noTree;
    let at = 36;
    const levels: Buffer[] = [];
    for (const width of widths(bytes.readUInt32BE(32))) {
      levels.push(bytes.subarray(at, at + width * 32));
      at += width * 32;
    }
    return { leaves: bytes.toString('latin1', at).split('\n'), levels };
  } catch {
    return noTree;
  }
}

/** Written beside and moved into place; a folder that cannot be written only costs time the next run. */
async function save(file: string, { leaves, levels }: Tree): Promise<void> {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(leaves.length);
  const content = Buffer.concat([count, ...levels, Buffer.from(leaves.join('\n'), 'latin1')]);
  const digest = digestOf(content);
  const beside = `${file}.${digest.toString('hex', 0, 4)}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(beside, Buffer.concat([digest, content]), { mode: 0o600 });
    await rename(beside, file);
  } catch {
    // Not worth a word.
  }
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
