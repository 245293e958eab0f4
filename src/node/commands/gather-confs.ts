/** Reads the facts of paths on the command line, one file at a time, in the given order. */

import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { recognisable } from '../deployment/classify.js';
import { findConfs } from '../deployment/collect.js';
import { loadCommandLine, loadNodes } from '../deployment/load.js';
import type { Loaded } from '../deployment/load-options.js';
import { NoNode } from '../deployment/not-settings.js';
import type { Facts } from '../facts/facts.js';
import { notSeen, seen } from '../facts/seen.js';
import { kinds } from '../kinds/index.js';
import { readConfOptions } from './conf-options.js';
import type { ConfOptions } from './options/shared.js';

/** One file: a target for each node that it starts. */
export interface Gathered {
  readonly targets: readonly Facts[];
  /** Why the file or a part of it could not be read. If nothing could be read, the facts of the target hold it too. */
  readonly problems: readonly KaiactlError[];
  readonly notes: readonly string[];
}

/** The files of the paths on the command line. */
export interface Candidates {
  readonly paths: readonly string[];
  /** The files that were found in a folder, not named. */
  readonly met: ReadonlySet<string>;
  /** For stderr. */
  readonly notes: readonly string[];
  /** For example folders without a conf. */
  readonly problems: readonly KaiactlError[];
}

/** Finds the files. @throws {KaiactlError} without a path, when no conf is installed (exit 2) */
export async function candidates(
  paths: readonly string[],
  cwd: string,
  verbose: boolean,
): Promise<Candidates> {
  const known = new Map<string, string>();
  const met = new Set<string>();
  const notes: string[] = [];
  const problems: KaiactlError[] = [];
  if (paths.includes(''))
    problems.push(new KaiactlError('a path is empty', { hint: 'Name a file, or . for this folder.' }));
  const named = paths.filter((path) => path !== '').map((path) => [path]);
  for (const asked of paths.length === 0 ? [[]] : named) {
    const found = await findConfs(kinds, asked, cwd);
    notes.push(...found.notes, ...ignoredNotes(found.passedOver, verbose));
    problems.push(...found.problems);
    for (const path of found.paths) {
      const key = path === '-' ? path : resolve(cwd, path);
      if (!known.has(key)) known.set(key, path);
      if (path !== asked[0]) met.add(path);
    }
    if (found.paths.length === 0) problems.push(emptyFolder(asked[0] ?? ''));
  }
  return { paths: [...known.values()], met, notes, problems };
}

/** Counts the ignored files of a folder; `verbose` lists them. */
function ignoredNotes(paths: readonly string[], verbose: boolean): string[] {
  if (paths.length === 0) return [];
  const what = `${count(paths.length, 'file')} ignored: not a node's settings`;
  return verbose
    ? [`${what}:`, ...paths.map((path) => `  ${visible(path)}`)]
    : [`${what} (--verbose lists them)`];
}

function emptyFolder(path: string): KaiactlError {
  return new KaiactlError(`${visible(path)} holds no node's settings`, {
    hint: `${recognisable(kinds)} Or name a file.`,
  });
}

/** Reads one file; an unreadable file becomes a target without facts. null: found in a folder (`met`), not settings. */
export async function gather(
  path: string,
  options: ConfOptions,
  host: Host,
  met = false,
): Promise<Gathered | null> {
  const name = path === '-' ? (options.stdinFilename ?? 'stdin') : path;
  return await gathered(name, () => loadNodes(path, readConfOptions(options), host), host, met);
}

/** The nodes of a command line. */
export async function gatherCommandLine(text: string, options: ConfOptions, host: Host): Promise<Gathered> {
  const found = await gathered(
    '--command-line',
    () => loadCommandLine(text, readConfOptions(options), host),
    host,
  );
  return found as Gathered;
}

async function gathered(
  name: string,
  load: () => Promise<Loaded>,
  host: Host,
  met = false,
): Promise<Gathered | null> {
  const base = { role: null, live: null, gatheredAt: new Date(host.now()).toISOString() };
  try {
    const { nodes, problems, notes } = await load();
    const targets = nodes.map(({ name: node, conf }) => ({
      ...base,
      name: node === null ? name : `${name}: ${node}`,
      conf: seen(conf),
    }));
    return { targets, problems, notes };
  } catch (error) {
    if (met && error instanceof NoNode) return null;
    if (!(error instanceof KaiactlError)) throw error;
    const target = { ...base, name, conf: notSeen('unreadable', error.message) };
    return { targets: [target], problems: [error], notes: [] };
  }
}
