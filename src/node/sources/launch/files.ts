/** The files of a deployment, as a reader of one of them sees the others. */
import type { FileRole, MissingFile, SourceKind, UsedFile } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';

/** Why a file is not read: "conf/kend.conf is not read: there is no such file". */
export interface Unread {
  readonly problem: string;
  /** Whether nothing is at the path. */
  readonly isAbsent?: true;
  /** Whether this is a folder of the deployment. */
  readonly isFolder?: true;
  /** Where it is, of a folder or a file outside of the deployment. */
  readonly path?: string;
}

/** What a file is read for; one with a secret is looked up, and not recorded as used. */
export type ReadRole = FileRole | 'secret';

/** A start that is not followed: its node is undetermined. */
export interface UnfollowedStart {
  /** The name of the service, container or unit; null if the file starts only one. */
  readonly name: string | null;
  readonly at: Span;
  /** A clause: "start.sh is not read: there is no such file". */
  readonly reason: string;
  /** Whether the starts above are followed, and the rest of the file is not read. */
  readonly isCut?: true;
}

/** The files that a run of commands writes. */
export interface Writes {
  /** By path: absolute, or relative to the folder of the file with the commands. */
  readonly files: ReadonlyMap<string, Placed>;
  /** The paths of scripts that the commands run themselves. */
  readonly run: ReadonlySet<string>;
  /** The condition that they depend on; null if there is none. */
  readonly when: Placed | null;
  /** The words of the commands that name a release of a node; absent for those of an image. */
  readonly paths?: () => readonly string[];
  /** What the commands use and miss. */
  readonly by: Pick<Scope, 'used' | 'missing'>;
}

export interface Files {
  /**
   * The file that another one names, and marks it as used. A relative path starts at the folder of `from`; an absolute
   * one is a path of the node's machine, searched below the folders between `from` and the root of the deployment.
   */
  read(path: string, from: LineIndex, role: ReadRole): LineIndex | Unread;
  /** As `read`, and leaves the file unmarked. */
  peek(path: string, from: LineIndex): LineIndex | Unread;
  /** The files of one kind in the order of their paths, placeholders masked; empty when a single file was named. */
  all(kind: SourceKind): readonly LineIndex[];
  /** The first 100 files whose path matches, in the order of the search; empty when a single file was named. */
  named(pattern: Pick<RegExp, 'test'>): readonly LineIndex[];
  /** A file of `all` with its placeholders. */
  written(file: LineIndex): LineIndex;
  /** Marks a file of `all` as used. */
  use(file: LineIndex, role: FileRole): void;
  /** Records the files that commands write to the machine. */
  wrote(writes: Writes): void;
  /** The same files after the commands of `from` wrote theirs, and what a launch of them uses and misses. */
  after(writes: Writes, from: LineIndex): Scope;
  /** Adds what decides something and is not among the files. */
  miss(missing: MissingFile): void;
  /** Adds a start that is not followed. */
  unfollowed(start: UnfollowedStart): void;
  /**
   * The value that this reading takes for a name from outside, such as a variable of compose; undefined for that of the files.
   * Records that the reading depends on the name.
   */
  outside(name: string, at: Placed): Placed | undefined;
  /** Records a file whose commands and values were read, so that what it assigns is no question. */
  heard(path: string): void;
  /** The same files without a record of what is read: one object as long as no text changes. */
  readonly plain: Files;
  /** The same files for one launch, whose used and missing files are recorded here and in this scope. */
  scope(): Scope;
}

/** What one launch, or all launches of one file, used and missed. */
export interface Scope extends Files {
  readonly used: readonly UsedFile[];
  readonly missing: readonly MissingFile[];
}
