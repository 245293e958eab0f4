/** The files of a deployment, read inside its folder and within limits. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { SourceKind } from '../facts/settings.js';
import { isInCheckout } from '../sources/checkout.js';
import { decodeBytes, type OpenTexts, readFile, realPath } from '../sources/file.js';
import type { Unread } from '../sources/launch/files.js';
import { templateOf } from '../sources/rendering.js';
import { isExact } from '../sources/text/editable.js';
import { LineIndex } from '../sources/text/line-index.js';
import { maxSteps } from '../sources/text/steps.js';
import { headBytes } from './classify.js';

/** The limit of files that `named` returns. */
const maxFiles = 100;
const maxSize = headBytes;

/** Steps to follow the files of a folder, about 6 s on a slow machine, and more for each file. */
const [maxFolderSteps, stepsPerFile] = [2_000_000, 5_000];

export interface DeploymentOptions {
  /** Null for stdin, which has no folder. */
  readonly cwd: string | null;
  /** The folder whose files may be read, relative to `cwd`. */
  readonly root: string;
  /** True to read files outside the folder too. */
  readonly outside: boolean;
  /** The paths of all files of the folder; default: none. */
  readonly paths?: readonly string[];
  /** The files of the folder by kind; default: none. */
  readonly byKind?: ReadonlyMap<SourceKind, readonly string[]>;
  readonly open?: OpenTexts | undefined;
}

/** Reads each file once. */
export class DeploymentFiles {
  readonly #options: DeploymentOptions;
  readonly #known = new Map<string, LineIndex | Unread>();
  /** Files whose text is all that they hold, as it is on disk: a byte order mark is left out of a text. */
  readonly #exact = new Map<string, string>();
  readonly #replaced = new Map<string, string>();
  readonly #modes = new Map<string, number>();
  readonly #all = new Map<SourceKind, readonly LineIndex[]>();
  readonly #root: string | null;
  readonly #limits = new Map<string, number>();
  #stepsLeft: number;
  /** Another object after a text was replaced. */
  state: { readonly files: DeploymentFiles } = { files: this };
  /** Whether the folder is in a checkout of git. */
  readonly isCheckout: boolean;

  constructor(options: DeploymentOptions) {
    this.#options = options;
    this.#root = options.cwd === null ? null : realPath(resolve(options.cwd, options.root));
    this.#stepsLeft = maxFolderSteps + stepsPerFile * (options.paths?.length ?? 0);
    this.isCheckout = this.#root !== null && isInCheckout(this.#root);
  }

  /** The limit of steps for a file that starts nodes, which is the same each time it is read. */
  limitOf(path: string): number {
    const limit = this.#limits.get(path) ?? Math.max(0, Math.min(maxSteps, this.#stepsLeft));
    this.#limits.set(path, limit);
    return limit;
  }

  /** Counts steps that a file took. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
  }

  /** The permission bits of a file that was read, without those that git does not keep; undefined if it was not read from disk. */
  modeOf({ file }: LineIndex): number | undefined {
    return this.#modes.get(file);
  }

  /** Whether it is the text of a file, which can be edited. */
  isExact({ file, text }: LineIndex): boolean {
    return this.#exact.get(file) === text;
  }

  /** From now on the file has this text. */
  replace(path: string, text: string): void {
    this.#exact.set(path, text);
    this.#replaced.set(this.#absolute(path), text);
    this.#known.set(this.#absolute(path), new LineIndex(path, text));
    this.#all.clear();
    this.state = { files: this };
  }

  /** The text that replaces that of a file; undefined if none does. */
  replaced(path: string): string | undefined {
    return this.#replaced.get(this.#absolute(path));
  }

  #absolute(path: string): string {
    return resolve(this.#options.cwd ?? '/', path);
  }

  read(path: string, from: LineIndex): LineIndex | Unread {
    const shown = visible(path, 200);
    if (path === '' || /[\uFDD0\0]/.test(path))
      return { problem: 'a file is not read: its name cannot be known' };
    let asNamed: Unread | null = null;
    for (const place of this.#placesOf(path, from)) {
      const found = this.#readAt(place, shown);
      if (!('problem' in found)) return found;
      asNamed ??= found;
    }
    return asNamed as Unread;
  }

  all(kind: SourceKind): readonly LineIndex[] {
    const known = this.#all.get(kind);
    if (known !== undefined) return known;
    const files = (this.#options.byKind?.get(kind) ?? []).flatMap((path) => {
      const file = this.#readAt(path);
      if ('problem' in file) return [];
      return [new LineIndex(path, templateOf(path, file.text, yamlKinds.has(kind)).text, file.text)];
    });
    this.#all.set(kind, files);
    return files;
  }

  named(pattern: Pick<RegExp, 'test'>): readonly LineIndex[] {
    const { paths = [] } = this.#options;
    const found = paths.filter((path) => pattern.test(path)).slice(0, maxFiles);
    return found.flatMap((path) => {
      const file = this.#readAt(path);
      return 'problem' in file ? [] : [file];
    });
  }

  /** The file on disk of one of `all`. */
  written(file: LineIndex): LineIndex {
    const read = this.#readAt(file.file);
    return 'problem' in read ? file : read;
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

  /** The absolute path that a file names. */
  keyOf(path: string, from: LineIndex): string {
    return isAbsolute(path) ? join(path) : resolve(this.#options.cwd ?? '/', dirname(from.file), path);
  }

  #readAt(path: string, shown = path): LineIndex | Unread {
    const { cwd } = this.#options;
    if (cwd === null) return { problem: `${shown} is not read: stdin has no folder` };
    const key = resolve(cwd, path);
    const file = this.#known.get(key) ?? this.#open(path, shown, cwd);
    this.#known.set(key, file);
    return file;
  }

  #open(path: string, shown: string, cwd: string): LineIndex | Unread {
    try {
      const real = realpathSync(resolve(cwd, path));
      if (!this.#options.outside && !isInside(real, this.#root))
        return {
          problem: `${shown} is not read: it lies outside the folder (--follow-outside reads it)`,
          path,
        };
      if (statSync(real).isDirectory()) return { problem: `${shown} is a folder`, isFolder: true, path };
      const { bytes, mode } = readFile(path, cwd, this.#options.open);
      if (bytes.length > maxSize)
        return { problem: `${shown} is not read: it is larger than ${maxSize >> 20} MiB` };
      const text = decodeBytes(bytes);
      if (isExact(text, bytes) && !text.startsWith('\uFEFF')) this.#exact.set(path, text);
      if (!this.isCheckout) this.#modes.set(path, mode);
      return new LineIndex(path, text.replace(/^\uFEFF/, ''));
    } catch (error) {
      if (error instanceof KaiactlError) return { problem: error.message };
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT')
        return { problem: `${shown} is not read: there is no such file`, isAbsent: true };
      return { problem: `${shown} is not read: it cannot be opened` };
    }
  }
}

const maxDepth = 16;
const yamlKinds: ReadonlySet<SourceKind> = new Set(['compose', 'kubernetes', 'yaml']);

function isInside(path: string, root: string | null): boolean {
  return root !== null && (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}
