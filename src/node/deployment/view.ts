/** The files of a deployment as the launches of one file see them: together with those that its scripts write. */
import { dirname, isAbsolute, join } from 'node:path';
import { once } from '../../util/once.js';
import { oncePer } from '../../util/once-per.js';
import { visible } from '../../util/visible.js';
import type { FileRole, MissingFile, SourceKind, UsedFile } from '../facts/settings.js';
import type { ReadRole, Scope, UnfollowedStart, Unread, Writes } from '../sources/launch/files.js';
import type { Texts } from '../sources/text/editable.js';
import { LineIndex } from '../sources/text/line-index.js';
import { type Placed, PlacedIndex } from '../sources/text/placed.js';
import type { DeploymentFiles } from './files.js';

/** Files that the launches of one file read. */
const maxFiles = 100;

/** Files with a record of which were used, and of which are missing. */
export class View implements Scope {
  readonly used: UsedFile[] = [];
  readonly missing: MissingFile[] = [];
  /** Starts that are not followed, of all scopes. */
  readonly unfollowedStarts: UnfollowedStart[] = [];
  /** The files that were read, by path. */
  readonly files = new Map<string, LineIndex>();
  readonly #files: DeploymentFiles;
  readonly #above: View | null;
  readonly #texts: Texts;
  /** Files that commands wrote, by absolute path. */
  readonly #written: ReadonlyMap<string, LineIndex>;
  /** Absolute paths of written files that were read. */
  readonly #taken = new Set<string>();
  /** What commands wrote, of all scopes. */
  readonly writes: Writes[] = [];
  readonly #changed = once(() => new View(this.#files, this.#texts));

  /** What the readings of the start depend on from outside. */
  readonly asked: {
    readonly names: Map<string, Placed>;
    readonly heard: Set<string>;
    readonly sought: Set<string>;
  };
  readonly #given: ReadonlyMap<string, Placed>;

  /**
   * @param texts - those that differ from the files
   * @param given - values for names from outside
   */
  constructor(
    files: DeploymentFiles,
    texts: Texts = new Map(),
    above: View | null = null,
    written: ReadonlyMap<string, LineIndex> = new Map(),
    given: ReadonlyMap<string, Placed> = new Map(),
    asked: View['asked'] = { names: new Map(), heard: new Set(), sought: new Set() },
  ) {
    this.#files = files;
    this.#given = given;
    this.asked = asked;
    this.#above = above;
    this.#texts = texts;
    this.#written = written;
  }

  /** The same files, of which none was read, with other texts. */
  again(texts = this.#texts): View {
    return new View(this.#files, texts, null, new Map(), this.#given, this.asked);
  }

  /** The steps to follow a file that starts nodes; `spend` counts them. */
  limitOf(path: string): number {
    return this.#files.limitOf(path);
  }

  spend(steps: number): void {
    this.#files.spend(steps);
  }

  /** The files that were read and can be edited, but the one that starts the nodes. */
  editable(start: string): Texts {
    const exact = [...this.files.values()].filter((file) => file.file !== start && this.#isExact(file));
    return new Map(exact.map(({ file, text }) => [file, text]));
  }

  #isExact(file: LineIndex): boolean {
    return this.#texts.get(file.file) === file.text || this.#files.isExact(file);
  }

  /** The file with the text that it has here. */
  #asHere(file: LineIndex): LineIndex {
    const text = this.#texts.get(file.file);
    return text === undefined ? file : new LineIndex(file.file, text);
  }

  #writtenAt(key: string): LineIndex | undefined {
    const own = this.#written.get(key);
    return own !== undefined || this.#above === null ? own : this.#above.#writtenAt(key);
  }

  read(path: string, from: LineIndex, role: ReadRole): LineIndex | Unread {
    if (role === 'secret') return this.peek(path, from);
    if (this.#top.files.size >= maxFiles)
      return { problem: `${visible(path, 200)} is not read: only ${maxFiles} files are followed` };
    const file = this.peek(path, from);
    if ('problem' in file) {
      if (role === 'environment' && file.isAbsent && !isAbsolute(path))
        this.asked.sought.add(join(dirname(from.file), path));
      return file;
    }
    if (file instanceof PlacedIndex) this.#top.#taken.add(this.#keyOf(path, from));
    this.use(file, role);
    return file;
  }

  /** A relative path in a file that a command writes starts at the folder of that file. */
  #keyOf(path: string, from: LineIndex): string {
    const own = from instanceof PlacedIndex && !isAbsolute(path) ? from.path : null;
    return this.#files.keyOf(own === null ? path : join(dirname(own), path), from);
  }

  peek(path: string, from: LineIndex): LineIndex | Unread {
    const written = this.#writtenAt(this.#keyOf(path, from));
    if (written !== undefined) return written;
    const file = this.#files.read(path, from);
    if (!('problem' in file)) return this.#asHere(file);
    const own = join(dirname(from.file), path);
    return this.#texts.has(own) ? this.#asHere(new LineIndex(own, '')) : file;
  }

  all(kind: SourceKind): readonly LineIndex[] {
    const files = this.#files.all(kind);
    return this.#texts.size === 0 ? files : files.map((file) => this.#asHere(file));
  }

  named(pattern: Pick<RegExp, 'test'>): readonly LineIndex[] {
    return this.#files.named(pattern).map((file) => this.#asHere(file));
  }

  written(file: LineIndex): LineIndex {
    return this.#asHere(this.#files.written(file));
  }

  outside(name: string, at: Placed): Placed | undefined {
    if (!this.asked.names.has(name)) this.asked.names.set(name, at);
    return this.#given.get(name);
  }

  heard(path: string): void {
    this.asked.heard.add(path);
  }

  get plain(): View {
    return this.#texts.size === 0 ? plainOf(this.#files.state) : this.#top.#changed();
  }

  use(file: LineIndex, role: FileRole): void {
    // The text of a written file is not that of the file with its lines.
    if (!(file instanceof PlacedIndex)) this.files.set(file.file, file);
    const mode = file instanceof PlacedIndex ? undefined : this.#files.modeOf(file);
    if (!this.used.some((one) => one.path === file.file && one.role === role))
      this.used.push({ path: file.file, role, ...(mode === undefined ? {} : { mode }) });
    this.#above?.use(file, role);
  }

  wrote(writes: Writes): void {
    const { writes: known } = this.#top;
    const isSame = ({ files }: Writes) =>
      files.size === writes.files.size &&
      [...files].every(([path, { text }]) => writes.files.get(path)?.text === text);
    if (writes.files.size > 0 && !known.some(isSame)) known.push(writes);
  }

  /** The same files after the commands of `from` wrote theirs. */
  after({ files }: Writes, from: LineIndex): View {
    const written = [...files].map(
      ([path, text]) => [this.#files.keyOf(path, from), new PlacedIndex(text, path)] as const,
    );
    return new View(this.#files, this.#texts, this, new Map(written), this.#given, this.asked);
  }

  /** Whether a launch read this written file. */
  isTaken(path: string, from: LineIndex): boolean {
    return this.#top.#taken.has(this.#files.keyOf(path, from));
  }

  miss(missing: MissingFile): void {
    if (!this.missing.some(({ reason }) => reason === missing.reason)) this.missing.push(missing);
    this.#above?.miss(missing);
  }

  unfollowed(start: UnfollowedStart): void {
    const { unfollowedStarts: known } = this.#top;
    if (!known.some(({ name, reason }) => name === start.name && reason === start.reason)) known.push(start);
  }

  scope(): View {
    return new View(this.#files, this.#texts, this, new Map(), this.#given, this.asked);
  }

  get #top(): View {
    return this.#above === null ? this : this.#above.#top;
  }
}

const plainOf = oncePer(({ files }: DeploymentFiles['state']) => new View(files));
