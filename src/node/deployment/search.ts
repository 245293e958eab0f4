/** A search of folders for files that may hold settings. */
import { type Dirent, existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { type Ignores, unsearched } from '../../util/ignored.js';
import { tryOr } from '../../util/try-or.js';
import { Turns } from '../../util/turns.js';
import { visible } from '../../util/visible.js';
import type { SourceKind } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';
import type { OpenTexts } from '../sources/file.js';
import { Candidates } from './candidates.js';
import { isDiff, mayChange } from './changes.js';
import { headBytes, isConfName, recognise } from './classify.js';
import { mayFilter } from './firewalls.js';
import { mayForward } from './forwards.js';
import { Found } from './found.js';
import { mayCallMethod } from './ledger/callers.js';
import { familyOf, isHostedJob } from './ledger/family.js';
import { signsIn } from './ledger/signs.js';
import { type Vocabulary, vocabularyOf } from './ledger/vocabulary.js';
import { isOwnOutput } from './own-output.js';
import { searchedText } from './searched-text.js';

/** Limits of a search, so that a path such as / ends. */
const maxDepth = 32;
const maxEntries = 200_000;
const maxFound = 100_000;
const maxNotes = 20;
/** Errors of files that may hold settings. Files with other errors, such as sockets, hold no text. */
const unreadable: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'it cannot be read',
};
/** Names of files that often start nodes: one that cannot be read is undetermined. */
const startsOften = /\.(?:ya?ml|service|container|sh|env)$|^(?:Dockerfile|Containerfile)\b|^\.env$/;

/** How folders are searched. */
export interface SearchOptions {
  readonly isExcluded?: Ignores;
  /** True to follow links that lead out of the folder. */
  readonly outside?: boolean;
  /** Ends the search. */
  readonly signal?: AbortSignal;
  readonly open?: OpenTexts | undefined;
}

/** A link by which systemd starts an instance of a template: `multi-user.target.wants/ken@main.service`. */
const isInstance = /\.(?:wants|requires)[\\/][^\\/]*@[^\\/]+\.service$/;

const tooLong = `it is larger than ${headBytes >> 20} MiB, and may start a node behind that. Pass the node’s command with --command-line`;

/** An entry of a folder. */
interface Entry {
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'link' | 'other';
}

/** Searches folders for files with recognised content. */
export class Search extends Found {
  #entries = 0;
  #candidates = new Candidates();
  readonly #kinds: readonly Kind[];
  readonly #vocabulary: Vocabulary;
  readonly #cwd: string;
  readonly #options: SearchOptions;
  readonly #turns = new Turns();
  /** The links to files of the folder, by the real path of the file. */
  readonly #links = new Map<string, string>();
  /** The real paths of folders that links lead to. */
  readonly #linked = new Set<string>();

  constructor(kinds: readonly Kind[], cwd: string, options: SearchOptions) {
    super();
    this.#kinds = kinds;
    this.#cwd = cwd;
    this.#options = options;
    this.#vocabulary = vocabularyOf(kinds);
  }

  /** Searches a folder that the user named. */
  async root(path: string): Promise<void> {
    const root = realpathSync(resolve(this.#cwd, path));
    await this.#folder(path, root, 0);
    for (const [real, link] of this.#links) this.#link(link, real);
    this.#links.clear();
    const read = (one: string) => this.#textOf(one);
    const found = this.#candidates.completed(this.#startingScripts(), this.paths, read);
    // From the last on, so that the places of the others stay.
    for (const { path, at } of found.sort((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1))) {
      if (this.paths.includes(path)) continue;
      this.paths.splice(at, 0, path);
      this.ignored.splice(this.ignored.indexOf(path), 1);
    }
    this.#candidates = new Candidates();
  }

  /** Empty for a file that is gone. */
  #textOf(path: string): string {
    return tryOr(() => searchedText(resolve(this.#cwd, path), this.#options.open)?.head ?? '', '');
  }

  /** The scripts that name a node. */
  #startingScripts(): string[] {
    const paths = new Set(this.paths);
    const scripts = [...(this.byKind.get('script') ?? []), ...(this.byKind.get('command line') ?? [])];
    return scripts.filter((path) => paths.has(path));
  }

  /** Searches in the order of names. */
  async #folder(path: string, root: string, depth: number): Promise<void> {
    for (const entry of await this.#list(path, depth)) {
      await this.#turns.take();
      if (this.#options.signal?.aborted === true) return;
      if (this.paths.length >= maxFound) return this.#cut(`only the first ${maxFound} confs are read`);
      const child = entry.path;
      const target = entry.kind === 'link' ? this.#targetOf(child, root) : entry;
      if (target === null) continue;
      if (target.kind === 'link' && isInstance.test(child)) this.#add('systemd', child);
      const isFolder = target.kind === 'folder';
      if (this.#options.isExcluded?.(resolve(this.#cwd, child), isFolder) === true) this.excluded += 1;
      else if (isFolder && depth >= maxDepth)
        this.#cut(`folders more than ${maxDepth} levels deep are not searched`);
      else if (isFolder) await this.#folder(child, root, depth + 1);
      else if (target.kind === 'link') this.#links.set(target.path, child);
      else this.#file(child, target.kind === 'file');
    }
  }

  #file(path: string, isFile: boolean): void {
    const name = basename(path);
    if (isConfName(this.#kinds, name) || (isFile && this.#isSource(path))) this.paths.push(path);
    else if (this.own.at(-1) !== path) this.ignored.push(path);
  }

  /**
   * Where a link leads: a folder or file outside of the searched one, if those are followed; a `link` with the real path
   * for a file inside. Returns null if it is skipped.
   */
  #targetOf(path: string, root: string): Entry | null {
    try {
      const real = realpathSync(resolve(this.#cwd, path));
      const isFolder = statSync(real).isDirectory();
      if (real === root || real.startsWith(root + sep)) return isFolder ? null : { path: real, kind: 'link' }; // A folder inside is searched under its own name.
      if (this.#options.outside !== true) {
        this.#note(`${visible(path)}: the link leads out of the folder (--follow-outside follows it)`);
        if (isFolder || (statSync(real).isFile() && searchedText(real, undefined) !== null))
          this.#leave(path, root, 'the link leads out of the folder. Add --follow-outside');
        return null;
      }
      if (isFolder && this.#linked.has(real)) return null;
      if (isFolder) this.#linked.add(real);
      return { path, kind: isFolder ? 'folder' : 'file' };
    } catch {
      this.#note(`${visible(path)}: the link leads nowhere`);
      this.#leave(path, root, 'the link leads nowhere. Pass a folder that has what it names');
      return null;
    }
  }

  /** A link to what may hold settings is a question, but for one to a path of a machine whose tree is in the folder. */
  #leave(path: string, root: string, why: string): void {
    const from = resolve(this.#cwd, path);
    const leads = readlinkSync(from);
    const places = [resolve(dirname(from), leads)];
    for (let folder = dirname(from); isAbsolute(leads) && folder.startsWith(root); folder = dirname(folder))
      places.push(join(folder, leads));
    const isHere = places.slice(1).some((place) => existsSync(place));
    const isInside = places[0]?.startsWith(root + sep) === true && !startsOften.test(basename(path));
    if (!isHere && !isInside && familyOf(path) !== 'document') this.unread.push({ path, why });
  }

  /** A file is judged once: under the name that a launcher looks for, else under its own. */
  #link(path: string, real: string): void {
    const own = this.paths.findIndex((one) => resolve(this.#cwd, one) === real);
    if (own >= 0 && !isConfName(this.#kinds, path)) return;
    if (own >= 0) this.paths.splice(own, 1, path);
    else if (existsSync(real)) this.#file(path, true);
  }

  #isSource(path: string): boolean {
    if (isDiff.test(path)) this.changing.push(path);
    const family = familyOf(path);
    if (family === 'document') return false;
    try {
      const hint = this.#vocabulary.hint();
      const mayStart = (text: string) => hint.test(text) && signsIn(this.#vocabulary, path, text).length > 0;
      const searched = searchedText(resolve(this.#cwd, path), this.#options.open, mayStart);
      if (searched === null) return false;
      const { head: text, mayStartBehind } = searched;
      if (isHostedJob(path, text)) return false;
      const recognised = recognise(this.#kinds, resolve(this.#cwd, path), text);
      // The original that `--fix --backup` keeps.
      const [, original] = /^(.+)\.bak(?:\.\d+)?$/.exec(path) ?? [];
      const isKept = original !== undefined && existsSync(resolve(this.#cwd, original));
      if (isKept || (recognised.kind === null && isOwnOutput(text))) {
        this.own.push(path);
        return false;
      }
      this.#candidates.addImages(text);
      if (mayStartBehind && (recognised.kind === null || !recognised.certain))
        this.unread.push({ path, why: tooLong });
      if (hint.test(text)) this.signed.push(path);
      if (mayForward(text, path)) this.forwarding.push(path);
      if (family === 'settings' && mayFilter(path, text)) this.filtering.push(path);
      if (mayCallMethod(path, text)) this.calling.push(path);
      if (mayChange(text)) this.changing.push(path);
      if (recognised.kind === null) return false;
      const { kind, certain } = recognised;
      this.#candidates.add(kind, certain, text, { path, at: this.paths.length });
      this.#add(kind, path);
      return certain;
    } catch (error) {
      const unread = unreadOf(path, error);
      if (unread !== null) this.#note(unread);
      return unread !== null && startsOften.test(basename(path));
    }
  }

  #add(kind: SourceKind, path: string): void {
    const same = this.byKind.get(kind);
    if (same === undefined) this.byKind.set(kind, [path]);
    else same.push(path);
  }

  /** A limit was reached: what was not searched is a problem, not a pass. */
  #cut(text: string): void {
    if (this.problems.some(({ message }) => message === text)) return;
    this.problems.push(new KaiactlError(text, { hint: 'Name the folders below it in several runs.' }));
  }

  #note(text: string): void {
    if (!this.notes.includes(text) && this.notes.length < maxNotes) this.notes.push(text);
  }

  async #list(path: string, depth: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    try {
      for await (const entry of await opendir(resolve(this.#cwd, path))) {
        this.#entries += 1;
        if (this.#entries > maxEntries) {
          this.#cut(`only the first ${maxEntries} entries are searched`);
          break;
        }
        if (unsearched.has(entry.name)) continue;
        entries.push({ path: join(path, entry.name), kind: kindOf(entry) });
      }
    } catch (error) {
      const unread = unreadOf(path, error);
      if (unread !== null && depth === 0) this.problems.push(new KaiactlError(unread));
      else if (unread !== null) {
        this.#note(unread);
        this.unread.push({ path, why: `${unread}. Run as a user who may open it` });
      }
    }
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

/** Why a file or folder cannot be read; null if it holds no text. */
function unreadOf(path: string, error: unknown): string | null {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return Object.hasOwn(unreadable, code) ? `cannot read ${visible(path)}: ${unreadable[code]}` : null;
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}
