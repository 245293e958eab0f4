/** From paths on the command line to facts, one conf at a time, in the order given. */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import type { Facts } from '../facts/facts.js';
import { notSeen, seen } from '../facts/seen.js';
import { loadConf } from '../sources/conf/load.js';
import { findConfs } from '../sources/find.js';
import { recognisable } from '../sources/recognise.js';
import { type ConfOptions, readConfOptions } from './conf-options.js';

/** One conf, read or not. */
export interface Gathered {
  readonly facts: Facts;
  /** Why the file could not be read: then the facts hold the reason too. */
  readonly problem: KaiactlError | null;
}

/** What a path on the command line stands for. */
export interface Candidates {
  /** Each file once. */
  readonly paths: readonly string[];
  /** Remarks of the search, for stderr. */
  readonly notes: readonly string[];
  /** Folders that hold no conf. */
  readonly problems: readonly KaiactlError[];
}

/**
 * Finds the files.
 * @throws {KaiactlError} when no path is given and no conf is installed (exit 2)
 */
export async function candidates(
  paths: readonly string[],
  cwd: string,
  verbose: boolean,
): Promise<Candidates> {
  const known = new Map<string, string>();
  const notes: string[] = [];
  const problems: KaiactlError[] = [];
  for (const asked of paths.length === 0 ? [[]] : paths.map((path) => [path])) {
    const found = await findConfs(asked, cwd);
    notes.push(...found.notes, ...passedOver(found.passedOver, verbose));
    for (const path of found.paths) {
      const key = path === '-' ? path : resolve(cwd, path);
      if (!known.has(key)) known.set(key, path);
    }
    if (found.paths.length === 0) problems.push(emptyFolder(asked[0] ?? ''));
  }
  return { paths: [...known.values()], notes, problems };
}

/** How many files of a folder were not read; which ones, on request. */
function passedOver(paths: readonly string[], verbose: boolean): string[] {
  if (paths.length === 0) return [];
  const count = `${paths.length} ${paths.length === 1 ? 'file' : 'files'} passed over: not a node's settings`;
  return verbose
    ? [`${count}:`, ...paths.map((path) => `  ${visible(path)}`)]
    : [`${count} (named with --verbose)`];
}

function emptyFolder(path: string): KaiactlError {
  return new KaiactlError(`${visible(path)} holds no node's settings`, {
    hint: `${recognisable} A file can be named itself.`,
  });
}

/** Reads one; a file that cannot be read becomes a target nothing is known of. */
export async function gather(path: string, options: ConfOptions, host: Host): Promise<Gathered> {
  const name = path === '-' ? (options.stdinFilename ?? 'stdin') : path;
  const base = { name, role: null, live: null, gatheredAt: new Date(host.now()).toISOString() };
  try {
    const conf = await loadConf(path, readConfOptions(options), host);
    return { facts: { ...base, conf: seen(conf) }, problem: null };
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return { facts: { ...base, conf: notSeen('unreadable', error.message) }, problem: error };
  }
}
