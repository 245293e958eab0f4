/** Finds the sources of settings that paths lead to. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { SourceKind } from '../facts/settings.js';
import { scripted } from '../kinds/find.js';
import type { Kind } from '../kinds/kind.js';
import { Search, type SearchOptions } from './search.js';

export interface Found {
  /** In the order asked for; within a folder by name. */
  readonly paths: readonly string[];
  /** Remarks about what was skipped, for stderr. */
  readonly notes: readonly string[];
  /** Files in folders that are not a source of settings, in the order of the search. */
  readonly ignored: readonly string[];
  /** Files of folders with words of the ledger. */
  readonly signed: readonly string[];
  /** Files of folders with words of a forwarder. */
  readonly forwarding: readonly string[];
  /** Files of folders that may call methods. */
  readonly calling: readonly string[];
  /** The recognised files of folders, those included that name no node's program. */
  readonly byKind: ReadonlyMap<SourceKind, readonly string[]>;
  /** How many files and folders a pattern of the user excluded. */
  readonly excluded: number;
  /** Named folders that could not be read, and limits that were reached. */
  readonly problems: readonly KaiactlError[];
}

/**
 * A file is taken as it is; a folder is searched for files with recognised content; `-` is stdin. Without paths, the
 * confs that packages installed are taken. A missing path is returned too: reading it gives the error.
 * @throws {KaiactlError} when no path was given and there is none (exit 2)
 */
export async function findConfs(
  kinds: readonly Kind[],
  paths: readonly string[],
  cwd: string,
  options: SearchOptions = {},
): Promise<Found> {
  if (paths.length === 0) return installedConfs(kinds);
  const search = new Search(kinds, cwd, options);
  for (const path of paths) {
    if (path === '-') search.paths.push(path);
    else if (isFolder(resolve(cwd, path))) await search.root(path);
    else search.paths.push(path);
  }
  return {
    paths: [...new Set(search.paths)],
    notes: search.notes,
    ignored: search.ignored,
    signed: search.signed,
    forwarding: search.forwarding,
    calling: search.calling,
    byKind: search.byKind,
    excluded: search.excluded,
    problems: search.problems,
  };
}

function installedConfs(kinds: readonly Kind[]): Found {
  const paths = scripted(kinds).flatMap(({ launchers }) =>
    launchers.installedConfs.filter((path) => existsSync(path)),
  );
  if (paths.length > 0)
    return {
      paths,
      notes: [],
      ignored: [],
      signed: [],
      forwarding: [],
      calling: [],
      byKind: new Map(),
      excluded: 0,
      problems: [],
    };
  throw new KaiactlError('no conf was named, and no package installed one', {
    hint: 'Name a file or a folder, or - for stdin.',
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
