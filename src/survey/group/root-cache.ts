/** Roots of blocks kept on disk, so that a long list is hashed once and then only where it has changed. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checked, hash } from './poseidon.js';
import { treeRoot } from './tree.js';

/** A list's root and what it cost. */
export interface Rooted {
  readonly root: bigint;
  /** Leaves that did not have to be hashed again. */
  readonly reused: number;
}

/** Heard after every block: leaves done so far. */
export type Progress = (done: number) => void;

export interface RootCache {
  /** The root of a list of leaves, removed ones as "0"; @throws the signal's reason when it aborts. */
  root(leaves: readonly string[], progress?: Progress, signal?: AbortSignal): Promise<Rooted>;
}

/** Leaves of a block, a power of two: a block is a subtree, the last and shorter one too. */
const blockSize = 256;
/** From this many blocks on, threads are worth their start. */
const worthThreads = 16;
/** Below this many leaves hashing again is quicker than it is worth a file. */
const worthKeeping = 64;

/** The leaves of a block and the SHA-256 of them. */
interface Block {
  readonly leaves: readonly string[];
  readonly digest: string;
}

/** Digest of a block → its root. */
type Known = ReadonlyMap<string, bigint>;

/** Roots of one group's list, remembered in `folder` (created on demand) under a name made from `key`. */
export function rootCache(folder: string, key: string): RootCache {
  const file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  return {
    async root(leaves, progress = () => undefined, signal) {
      const blocks = cut(leaves);
      const known = await load(file);
      const fresh = blocks.filter(({ digest }) => !known.has(digest));
      const news = fresh.reduce((sum, block) => sum + block.leaves.length, 0);
      const all = new Map([...known, ...(await hashed(fresh, progress, signal))]);
      if (news >= worthKeeping) await save(file, blocks, all);
      const root = treeRoot(
        blocks.map(({ digest }) => all.get(digest) ?? 0n),
        hash,
      );
      return { root, reused: leaves.length - news };
    },
  };
}

function cut(leaves: readonly string[]): Block[] {
  return Array.from({ length: Math.ceil(leaves.length / blockSize) }, (_, at) => {
    const block = leaves.slice(at * blockSize, (at + 1) * blockSize);
    return { leaves: block, digest: createHash('sha256').update(block.join('\n')).digest('base64') };
  });
}

/** The roots of the blocks, by threads when there are many; a thread that cannot be had is done without. */
async function hashed(blocks: readonly Block[], progress: Progress, signal?: AbortSignal): Promise<Known> {
  const roots = new Map<string, bigint>();
  const pool =
    checked === null || blocks.length < worthThreads
      ? null
      : (await import('./root-pool.js')).rootPool(checked);
  try {
    const begun = blocks.map(({ leaves }) => pool?.root(leaves).catch(() => null) ?? null);
    let done = 0;
    for (const [at, { leaves, digest }] of blocks.entries()) {
      roots.set(digest, (await begun[at]) ?? treeRoot(leaves.map(BigInt), hash));
      done += leaves.length;
      progress(done);
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    return roots;
  } finally {
    await pool?.close();
  }
}

/** Blocks hashed before, whatever list they belonged to: a digest stands for its leaves alone. */
async function load(file: string): Promise<Known> {
  try {
    const { version, blocks } = JSON.parse(await readFile(file, 'utf8')) as { version: 2; blocks: object };
    return version === 2
      ? new Map(Object.entries(blocks).map(([digest, root]) => [digest, BigInt(root)]))
      : new Map();
  } catch {
    return new Map();
  }
}

/** Written beside and moved into place; a folder that cannot be written only costs time the next run. */
async function save(file: string, blocks: readonly Block[], roots: Known): Promise<void> {
  const entries = blocks.map(({ digest }) => [digest, String(roots.get(digest))]);
  const text = JSON.stringify({ version: 2, blocks: Object.fromEntries(entries) });
  const beside = `${file}.${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(beside, text, { mode: 0o600 });
    await rename(beside, file);
  } catch {
    // Not worth a word.
  }
}
