/** What scripts do while they are followed: the files that they read and write, and the nodes and containers they start. */
import type { FileRole, MissingFile } from '../../facts/settings.js';
import { readerOfConf, type Starter } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { ReadRole, Unread } from '../launch/files.js';
import type { ConfBase, Environment } from '../launch/launch.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { Steps } from '../text/steps.js';
import type { StartedNode } from './commands.js';
import type { ContainerRun } from './container-run.js';
import { baseName, fileAt } from './paths.js';
import type { WriteMode } from './writes.js';

export interface Follows {
  readonly kinds: readonly Kind[];
  readonly steps: Steps;
  /** The text of a file that a command runs; null if it is not known to exist. Default: none is known. */
  open?(path: string, role: ReadRole): Placed | Unread | null;
  /** Whether an unknown condition is assumed to hold, by its place (see placeOf). Default: none is. */
  holds?(place: string): boolean;
  /** The value that another file gives to a variable which nothing sets. Default: none does. */
  outside?(name: string, at: Placed): Placed | undefined;
  /** Whether a command that is not followed changes no variable. Default: it may change each. */
  readonly isWritten?: boolean;
  /** True in an image, which has a working folder. */
  readonly isImage?: boolean;
}

/** A text that a command prints: that of files or of folders, changed. */
export interface Passed {
  readonly from: readonly string[];
  /** Null: the program is not followed. */
  readonly change: (text: Placed) => Placed | null;
  /** The text, where a command says it itself. */
  readonly text?: Placed;
}

/** A text that a command writes to a file, or hands to a tool that starts what it says. */
export interface Change extends Passed {
  /** Null for the input of a tool. */
  readonly to: string | null;
  readonly at: Placed;
  /** The folder that the command runs in. */
  readonly folder: string;
}

const [maxWritten, maxChanges] = [100, 200];

export class FollowedFiles {
  readonly confs = new Map<string, WrittenConf>();
  /** Files that were written, by path. */
  readonly written = new Map<string, Placed>();
  readonly changes: Change[] = [];
  protected readonly options: Follows;

  constructor(options: Follows) {
    this.options = options;
  }

  get kinds(): readonly Kind[] {
    return this.options.kinds;
  }

  /** The text of a file that was written or is among the files. */
  protected open(path: string, role: ReadRole): Placed | Unread | null {
    const at = fileAt(path);
    if (at === null) return null;
    return this.written.get(at) ?? this.options.open?.(at, role) ?? null;
  }

  /** The path of a file or folder with a secret that no script makes; null if it is not found. */
  secretAt(path: string): string | null {
    const file = this.isWritten(path) ? null : this.open(path, 'secret');
    if (file === null) return null;
    return 'problem' in file ? (file.path ?? null) : isKnown(file.text) ? file.span().file : null;
  }

  changed(change: Change): void {
    if (this.changes.length < maxChanges) this.changes.push(change);
  }

  read(path: string, role: FileRole): Placed | null {
    const file = this.open(path, role);
    return file === null || 'problem' in file ? null : file;
  }

  /** The written files as they are on the machine: a conf that lines are appended to begins with unknown lines. */
  get files(): ReadonlyMap<string, Placed> {
    const files = [...this.written].map(
      ([path, text]) =>
        [path, this.isAppended(path) ? Placed.join([text.as(`${unfilled}\n`), text]) : text] as const,
    );
    return new Map(files);
  }

  /** Whether this is a conf whose first lines are those of the packaged one, which are not read. */
  isAppended(path: string): boolean {
    return this.confs.get(readerOfConf(this.options.kinds, path)?.launcher ?? '')?.base === 'packaged';
  }

  /** Whether this is a folder that is among the files. */
  isFolder(path: string): boolean {
    const file = this.open(path, 'copied');
    return file !== null && 'problem' in file && file.isFolder === true;
  }

  isWritten(path: string): boolean {
    return this.written.has(fileAt(path) ?? '');
  }

  write(path: string, line: Placed, mode: WriteMode, isUnsure = false): void {
    const at = fileAt(path);
    if (at !== null && this.written.size < maxWritten) {
      const before = mode === 'append' ? this.read(path, 'copied') : null;
      this.written.set(at, before === null ? line : Placed.join([before, line]));
    }
    const reader = readerOfConf(this.options.kinds, path);
    if (reader === null) return;
    const known = this.confs.get(reader.launcher);
    const { base, lines } = known ?? { base: 'packaged', lines: [] };
    const keeps = mode !== 'replace' && known?.missing !== undefined;
    this.confs.set(reader.launcher, {
      ...reader,
      ...(keeps ? { missing: known.missing } : {}),
      base: mode === 'append' || (mode === 'edit' && known !== undefined) ? base : 'none',
      lines: mode === 'append' ? [...lines, line] : [line],
      isUnsure,
    });
  }

  /** Records that a conf is the copy of a file that is not among the files. False: it is no conf. */
  copyMissing(path: string, name: string): boolean {
    const reader = readerOfConf(this.options.kinds, path);
    if (reader === null) return false;
    const reason = `${name}, which is copied to ${baseName(path)}, is not among the files`;
    const missing = { name, decides: 'settings' as const, reason };
    this.written.delete(fileAt(path) ?? '');
    this.confs.set(reader.launcher, { ...reader, base: 'unknown', lines: [], missing });
    return true;
  }
}

/** A conf that scripts wrote. */
export interface WrittenConf extends Starter {
  /** `packaged`: the lines are appended to the packaged conf. */
  readonly base: ConfBase;
  readonly lines: readonly Placed[];
  /** Whether this is one that may be among the files of a folder, an archive or a repository. */
  readonly isUnsure?: boolean;
  /** The file that it is a copy of, which is not among the files. */
  readonly missing?: MissingFile;
}

export interface ScriptStart extends StartedNode {
  /** The folder it is started in. */
  readonly folder?: string;
  readonly at: Placed;
  readonly exported: Environment;
}

export interface StartedContainer {
  readonly run: ContainerRun;
  readonly at: Placed;
  readonly exported: Environment;
}

/** Something that a tool does on the machine. `when`: the condition that it depends on; `environment`: of its commands. */
export type Action = { readonly when?: Placed | null; readonly environment?: Environment } & (
  | { readonly script: Placed; readonly folder?: string }
  | { readonly words: readonly Placed[] }
  | { readonly path: string; readonly text: Placed; readonly mode: 'append' | 'replace' }
  | { readonly run: ContainerRun; readonly at: Placed }
);
