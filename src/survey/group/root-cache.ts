/** Frontiers kept on disk, so that the root of a long list is hashed once and then only extended. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { append, type Frontier, noLeaves, type Progress, rootOf } from './group.js';

/** A list's root and what it cost. */
export interface Rooted {
  readonly root: bigint;
  /** Leaves that did not have to be hashed again. */
  readonly reused: number;
}

export interface RootCache {
  /** The root of a list of leaves; @throws the signal's reason when it aborts. */
  root(leaves: readonly string[], progress?: Progress, signal?: AbortSignal): Promise<Rooted>;
}

interface Entry {
  readonly version: 1;
  readonly size: number;
  /** SHA-256 of the first `size` leaves, each followed by a newline: the frontier counts for no other list. */
  readonly digest: string;
  readonly peaks: readonly string[];
}

/** Below this many new leaves hashing again is quicker than it is worth a file. */
const worthKeeping = 64;

/** Roots of one group's list, remembered in `folder` (created on demand) under a name made from `key`. */
export function rootCache(folder: string, key: string): RootCache {
  const file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  return {
    async root(leaves, progress, signal) {
      const known = await load(file, leaves);
      const frontier = await append(known, leaves.slice(known.size), progress, signal);
      if (frontier.size - known.size >= worthKeeping) await save(file, frontier, leaves);
      return { root: rootOf(frontier), reused: known.size };
    },
  };
}

/** The kept frontier if it belongs to the beginning of this very list. */
async function load(file: string, leaves: readonly string[]): Promise<Frontier> {
  try {
    const entry = JSON.parse(await readFile(file, 'utf8')) as Entry;
    const { size, peaks } = entry;
    if (entry.version !== 1 || !Number.isInteger(size) || size < 0 || size > leaves.length) return noLeaves;
    if (peaks.length !== popcount(size) || digest(leaves, size) !== entry.digest) return noLeaves;
    return { size, peaks: peaks.map(BigInt) };
  } catch {
    return noLeaves;
  }
}

/** Written beside and moved into place; a folder that cannot be written only costs time the next run. */
async function save(file: string, { size, peaks }: Frontier, leaves: readonly string[]): Promise<void> {
  const entry: Entry = { version: 1, size, digest: digest(leaves, size), peaks: peaks.map(String) };
  const beside = `${file}.${createHash('sha256').update(entry.digest).digest('hex').slice(0, 8)}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(beside, JSON.stringify(entry), { mode: 0o600 });
    await rename(beside, file);
  } catch {
    // Not worth a word.
  }
}

function digest(leaves: readonly string[], size: number): string {
  const hash = createHash('sha256');
  for (let at = 0; at < size; at += 4096) {
    hash.update(`${leaves.slice(at, Math.min(at + 4096, size)).join('\n')}\n`);
  }
  return hash.digest('hex');
}

function popcount(value: number): number {
  return value.toString(2).replaceAll('0', '').length;
}
