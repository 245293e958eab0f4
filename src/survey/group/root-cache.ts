/** Roots of member lists, computed in subtrees. A cache on disk keeps the subtrees' roots, so that a change costs one subtree per level. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rootsOf } from './group.js';
import { HashPool, maxThreads } from './hash-pool.js';

/** Called after every subtree of leaves, with the number of leaves done. */
export type Progress = (done: number) => void;

/** Below this many subtrees, starting threads costs more than it saves. */
const minThreaded = 16;
/** Nodes of a subtree, a power of two. Hashing one blocks the event loop for some tens of milliseconds. */
const width = 256;
/** Roots of subtrees by the digest of their nodes, both as text. */
type Known = ReadonlyMap<string, string>;

/** Caches the subtrees of one group's list in `folder` (created on demand), in a file named after a hash of `key`. */
export function rootCache(folder: string, key: string) {
  return rootsIn(join(folder, `${digestOf(key).slice(0, 32)}.roots`), maxThreads);
}

/** Caches the subtrees of one group's list in memory, and hashes in one thread: for work beside requests. */
export function memoryRoots() {
  return rootsIn(null, 1);
}

function rootsIn(file: string | null, threads: number) {
  let known: Known | null = file === null ? new Map() : null;
  return {
    /** The root of a list of leaves, removed ones as "0"; @throws the signal's reason when it aborts. */
    async root(leaves: readonly string[], progress: Progress = () => undefined, signal?: AbortSignal) {
      const before = known ?? (file === null ? new Map<string, string>() : await load(file));
      const used = new Map<string, string>();
      const climb: Climb = { before, used, threads, progress: () => undefined, signal };
      let level = await subtreeRoots(leaves, { ...climb, progress });
      while (level.length > 1) level = await subtreeRoots(level, climb);
      known = used;
      const isNew = [...used.keys()].some((digest) => !before.has(digest));
      if (isNew && leaves.length > width && file !== null) await save(file, used);
      return BigInt(level[0] ?? 0);
    },
  };
}

interface Climb {
  readonly before: Known;
  readonly used: Map<string, string>;
  readonly threads: number;
  readonly progress: Progress;
  readonly signal: AbortSignal | undefined;
}

async function subtreeRoots(nodes: readonly string[], climb: Climb): Promise<string[]> {
  const { before, used, threads, progress, signal } = climb;
  const subtrees = split(nodes).map((own) => ({ own, digest: digestOf(own.join('\n')) }));
  const isMany = subtrees.filter(({ digest }) => !before.has(digest)).length >= minThreaded;
  const pool = new HashPool(threads);
  const roots: string[] = [];
  let done = 0;
  try {
    const begun = subtrees.map(({ own, digest }) => {
      const kept = before.get(digest);
      return kept === undefined && isMany ? pool.roots({ of: 'leaves', nodes: own }) : kept;
    });
    for (const [at, { own, digest }] of subtrees.entries()) {
      const found = String((await begun[at]) ?? rootsOf({ of: 'leaves', nodes: own }));
      used.set(digest, found);
      roots.push(found);
      done += own.length;
      progress(done);
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
  } finally {
    await pool.close();
  }
  return roots;
}

function split(nodes: readonly string[]): string[][] {
  const count = Math.ceil(nodes.length / width);
  return Array.from({ length: count }, (_, at) => nodes.slice(at * width, (at + 1) * width));
}

/** Reads the cache; an altered file counts as empty. Line 1 is the digest of the rest; each other line is a subtree's digest and root. */
async function load(file: string): Promise<Known> {
  try {
    const [digest, ...lines] = (await readFile(file, 'latin1')).split('\n');
    if (digest !== digestOf(lines.join('\n'))) return new Map();
    return new Map(lines.map((line) => line.split(' ') as [string, string]));
  } catch {
    return new Map();
  }
}

/** Writes a temporary file and renames it. Best effort: without the file, the next run hashes everything. */
async function save(file: string, known: Known): Promise<void> {
  const content = Array.from(known, (entry) => entry.join(' ')).join('\n');
  const digest = digestOf(content);
  const beside = `${file}.${digest.slice(0, 8)}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(beside, `${digest}\n${content}`, { mode: 0o600 });
    await rename(beside, file);
  } catch {
    // Best effort.
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
