/** The files of a deployment: read inside its folder and within limits, together with those that its scripts write. */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { FileRole, MissingFile, SourceKind, UsedFile } from '../facts/settings.js';
import { readFile, textOf } from '../sources/file.js';
import type { Scope, Unread } from '../sources/launch/files.js';
import { templateOf } from '../sources/rendering.js';
import { LineIndex } from '../sources/text/line-index.js';
import { type Placed, PlacedIndex } from '../sources/text/placed.js';

/** Files that the launches of one file read. */
const maxFiles = 100;
const maxSize = 1 << 20;

export interface DeploymentOptions {
  /** null: no folder (stdin). */
  readonly cwd: string | null;
  /** The folder whose files may be read, relative to `cwd`. */
  readonly root: string;
  /** True to read files outside the folder too. */
  readonly outside: boolean;
  /** The files of the folder by kind; default: none. */
  readonly byKind?: ReadonlyMap<SourceKind, readonly string[]>;
}

/** Reads each file once. */
export class DeploymentFiles {
  readonly #options: DeploymentOptions;
  readonly #known = new Map<string, LineIndex | Unread>();
  readonly #written = new Map<string, LineIndex>();
  readonly #all = new Map<SourceKind, readonly LineIndex[]>();
  readonly #root: string | null;

  constructor(options: DeploymentOptions) {
    this.#options = options;
    this.#root = options.cwd === null ? null : realpath(resolve(options.cwd, options.root));
  }

  /** The files as the launches of one file see them. */
  scope(): View {
    return new View(this, null);
  }

  read(path: string, from: LineIndex): LineIndex | Unread {
    const shown = visible(path, 200);
    const { cwd } = this.#options;
    if (path === '' || /[\uFDD0\0]/.test(path))
      return { problem: 'a file is not read: its name cannot be known' };
    const written = this.#written.get(this.#keyOf(path, from));
    if (written !== undefined) return written;
    if (cwd === null) return { problem: `${shown} is not read: stdin has no folder` };
    const [place = path, ...others] = this.#placesOf(path, from);
    const asNamed = this.#readAt(place, shown, cwd);
    if (!('problem' in asNamed)) return asNamed;
    for (const other of others) {
      const found = this.#readAt(other, shown, cwd);
      if (!('problem' in found)) return found;
    }
    return asNamed;
  }

  write(path: string, from: LineIndex, text: Placed): void {
    this.#written.set(this.#keyOf(path, from), new PlacedIndex(text));
  }

  all(kind: SourceKind): readonly LineIndex[] {
    const known = this.#all.get(kind);
    if (known !== undefined) return known;
    const { byKind, cwd } = this.#options;
    const files = (byKind?.get(kind) ?? []).flatMap((path) => {
      const file = cwd === null ? null : this.#readAt(path, path, cwd);
      if (file === null || 'problem' in file) return [];
      return [new LineIndex(path, templateOf(path, file.text, yamlKinds.has(kind)).text)];
    });
    this.#all.set(kind, files);
    return files;
  }

  /** Where a path may lie: a machine's absolute path often has its whole tree below a folder of the deployment. */
  #placesOf(path: string, from: LineIndex): string[] {
    if (!isAbsolute(path)) return [join(dirname(from.file), path)];
    const { root, cwd } = this.#options;
    const places = [path];
    const end = resolve(cwd ?? '/', root);
    for (let folder = dirname(from.file); ; folder = join(folder, '..')) {
      const at = resolve(cwd ?? '/', folder);
      if (at !== end && !at.startsWith(`${end}${sep}`)) return places;
      places.push(join(folder, path));
      if (at === end || places.length > maxDepth) return places;
    }
  }

  #keyOf(path: string, from: LineIndex): string {
    return isAbsolute(path) ? join(path) : resolve(this.#options.cwd ?? '/', dirname(from.file), path);
  }

  #readAt(path: string, shown: string, cwd: string): LineIndex | Unread {
    const key = resolve(cwd, path);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const file = this.#open(path, shown, cwd);
    this.#known.set(key, file);
    return file;
  }

  #open(path: string, shown: string, cwd: string): LineIndex | Unread {
    try {
      const real = realpathSync(resolve(cwd, path));
      if (!this.#options.outside && !isInside(real, this.#root))
        return { problem: `${shown} is not read: it lies outside the folder (--follow-outside reads it)` };
      const { bytes } = readFile(path, cwd);
      if (bytes.length > maxSize)
        return { problem: `${shown} is not read: it is larger than ${maxSize >> 10} KiB` };
      return new LineIndex(path, textOf(bytes).replace(/^\uFEFF/, ''));
    } catch (error) {
      if (error instanceof KaiactlError) return { problem: error.message };
      const { code } = error as NodeJS.ErrnoException;
      const why = code === 'ENOENT' ? 'there is no such file' : 'it cannot be opened';
      return { problem: `${shown} is not read: ${why}` };
    }
  }
}

const maxDepth = 16;
const yamlKinds: ReadonlySet<SourceKind> = new Set(['compose', 'kubernetes', 'yaml']);

function isInside(path: string, root: string | null): boolean {
  return root !== null && (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}

function realpath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Files with a record of which were used, and of which are missing. */
class View implements Scope {
  readonly used: UsedFile[] = [];
  readonly missing: MissingFile[] = [];
  /** The files that were read, by path. */
  readonly files = new Map<string, LineIndex>();
  readonly #files: DeploymentFiles;
  readonly #above: View | null;

  constructor(files: DeploymentFiles, above: View | null) {
    this.#files = files;
    this.#above = above;
  }

  read(path: string, from: LineIndex, role: FileRole): LineIndex | Unread {
    if (this.#top.files.size >= maxFiles)
      return { problem: `${visible(path, 200)} is not read: only ${maxFiles} files are followed` };
    const file = this.#files.read(path, from);
    if (!('problem' in file)) this.use(file, role);
    return file;
  }

  all(kind: SourceKind): readonly LineIndex[] {
    return this.#files.all(kind);
  }

  use(file: LineIndex, role: FileRole): void {
    this.files.set(file.file, file);
    if (!this.used.some((one) => one.path === file.file && one.role === role))
      this.used.push({ path: file.file, role });
    this.#above?.use(file, role);
  }

  write(path: string, from: LineIndex, text: Placed): void {
    this.#files.write(path, from, text);
  }

  miss(missing: MissingFile): void {
    if (!this.missing.some(({ reason }) => reason === missing.reason)) this.missing.push(missing);
    this.#above?.miss(missing);
  }

  scope(): View {
    return new View(this.#files, this);
  }

  get #top(): View {
    return this.#above === null ? this : this.#above.#top;
  }
}

export type { View };
