/** Finds the sources of settings that paths lead to. */
import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { SourceKind } from '../facts/settings.js';
import { scripted } from '../kinds/find.js';
import type { Kind } from '../kinds/kind.js';
import { isConfName, type Recognised, recognise } from './classify.js';
import type { Excludes } from './exclude.js';

/** Limits of a search, so that a path such as / ends. */
const maxDepth = 8;
const maxEntries = 200_000;
const maxFound = 100_000;
/** The part of a file that is read to recognise it, in bytes. */
const headBytes = 1 << 16;
const maxProblems = 20;
/** Errors of files that may hold settings. Files with other errors, such as sockets, hold no text. */
const unreadable: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'it cannot be read',
};

export interface Found {
  /** In the order asked for; within a folder by name. */
  readonly paths: readonly string[];
  /** Remarks about what was skipped, for stderr. */
  readonly notes: readonly string[];
  /** Files in folders that are not a source of settings, in the order of the search. */
  readonly passedOver: readonly string[];
  /** The recognised files of folders, those included that name no node's program. */
  readonly byKind: ReadonlyMap<SourceKind, readonly string[]>;
  /** How many files and folders a pattern of the user excluded. */
  readonly excluded: number;
  /** Files and folders that could not be read. */
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
  isExcluded: Excludes = () => false,
): Promise<Found> {
  if (paths.length === 0) return installedConfs(kinds);
  const search = new Search(kinds, isExcluded);
  for (const path of paths) {
    if (path === '-') search.paths.push(path);
    else if (isFolder(resolve(cwd, path))) await search.folder(path, cwd, 0);
    else search.paths.push(path);
  }
  return {
    paths: [...new Set(search.paths)],
    notes: search.notes,
    passedOver: search.passedOver,
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
    return { paths, notes: [], passedOver: [], byKind: new Map(), excluded: 0, problems: [] };
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

class Search {
  readonly paths: string[] = [];
  readonly notes: string[] = [];
  readonly passedOver: string[] = [];
  readonly problems: KaiactlError[] = [];
  private entries = 0;
  readonly byKind = new Map<SourceKind, string[]>();
  excluded = 0;
  private readonly kinds: readonly Kind[];
  private readonly isExcluded: Excludes;

  constructor(kinds: readonly Kind[], isExcluded: Excludes) {
    this.kinds = kinds;
    this.isExcluded = isExcluded;
  }

  /** Searches in the order of names; links to folders are not followed. */
  async folder(path: string, cwd: string, depth: number): Promise<void> {
    const names = await this.list(path, cwd);
    for (const { name, folder, file } of names) {
      if (this.paths.length >= maxFound) return this.cut(`only the first ${maxFound} confs are read`);
      const child = join(path, name);
      if (this.isExcluded(resolve(cwd, child), folder)) {
        this.excluded += 1;
        continue;
      }
      if (folder && depth >= maxDepth) this.note(`${visible(child)}: deeper folders are not searched`);
      else if (folder) await this.folder(child, cwd, depth + 1);
      else if (
        isConfName(this.kinds, name) ||
        (file && !otherLanguage.test(name) && this.isSource(child, cwd))
      )
        this.paths.push(child);
      else this.passedOver.push(child);
    }
  }

  private isSource(path: string, cwd: string): boolean {
    try {
      const recognised = recogniseFile(this.kinds, resolve(cwd, path));
      if (recognised === null || recognised.kind === null) return false;
      const { kind, certain } = recognised;
      const same = this.byKind.get(kind);
      if (same === undefined) this.byKind.set(kind, [path]);
      else same.push(path);
      return certain;
    } catch (error) {
      this.unseen(path, error);
      return false;
    }
  }

  private unseen(path: string, error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const why = Object.hasOwn(unreadable, code) ? unreadable[code] : undefined;
    if (why === undefined || this.problems.length >= maxProblems) return;
    this.problems.push(new KaiactlError(`cannot read ${visible(path)}: ${why}`));
  }

  /** A limit was reached: what was not searched is a problem, not a pass. */
  private cut(text: string): void {
    if (this.problems.some(({ message }) => message === text)) return;
    this.problems.push(new KaiactlError(text, { hint: 'Name the folders below it in several runs.' }));
  }

  private note(text: string): void {
    if (!this.notes.includes(text) && this.notes.length < 20) this.notes.push(text);
  }

  private async list(path: string, cwd: string): Promise<{ name: string; folder: boolean; file: boolean }[]> {
    const names: { name: string; folder: boolean; file: boolean }[] = [];
    try {
      for await (const entry of await opendir(resolve(cwd, path))) {
        this.entries += 1;
        if (this.entries > maxEntries) {
          this.cut(`only the first ${maxEntries} entries are searched`);
          break;
        }
        if (entry.name === 'node_modules' || entry.name === '.git') continue;
        names.push({
          name: entry.name,
          folder: entry.isDirectory(),
          file: entry.isFile() || entry.isSymbolicLink(),
        });
      }
    } catch (error) {
      this.unseen(path, error);
    }
    return names.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** Files of other languages and documents: a search skips them, and a user can still name one. */
const otherLanguage =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|cc|cpp|h|hpp|cs|php|swift|sol|md|rst|adoc|html?|css|scss|svg|map|snap)$/i;

/** Reused from file to file. */
const head = Buffer.alloc(headBytes);

/**
 * Recognises a file by its beginning; null: it is not a text.
 * @throws {Error} of the system when the file cannot be read
 */
function recogniseFile(kinds: readonly Kind[], path: string): Recognised | null {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const text = head.toString('latin1', 0, readSync(file, head, 0, headBytes, 0));
    return text.includes('\0') ? null : recognise(kinds, path, text);
  } finally {
    if (file !== null) closeSync(file);
  }
}
