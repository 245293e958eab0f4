/** The files that one command of a script writes. */
import { confPaths, readerOfConf } from '../../kinds/find.js';
import { expandValue } from '../shell/expand.js';
import type { Shell } from '../shell/state.js';
import type { Redirection, SimpleCommand } from '../shell/syntax/tree.js';
import { isUnknown, partOf } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { filledBy } from './filled.js';
import { filters, withoutFiles } from './filters.js';
import type { FollowedFiles, Passed } from './followed-files.js';
import { namesIn, type Origins } from './origin.js';
import { baseName, namesSecret, pathIn } from './paths.js';
import { linesOfSed, printText } from './writes.js';

const unchanged: Passed['change'] = (text) => text;

export abstract class FileStep<Files extends FollowedFiles> {
  protected readonly follower: Files;
  protected readonly origins: Origins;
  protected readonly script: Placed;
  protected readonly shell: Shell;
  protected readonly command: SimpleCommand;
  protected readonly folder: string;

  constructor(follower: Files, origins: Origins, command: SimpleCommand) {
    this.follower = follower;
    this.origins = origins;
    this.script = origins.script;
    this.shell = origins.shell;
    this.command = command;
    this.folder = partOf(this.shell.look('PWD') ?? '');
  }

  /** What the command reads from its standard input; null without one that is followed. */
  protected abstract stdin(): Passed | null;

  /** The standard input of the command; null if it is not known. */
  protected input(): Placed | null {
    const input = this.stdin();
    return input && this.textOf(input);
  }

  /** What a command with these words prints; null if it names no file and its output is not known. */
  protected printed(name: string, args: readonly Placed[]): Passed | null {
    const text = printText(name, args);
    if (text !== null) return this.passing(text);
    const words = args.map((arg) => arg.text);
    const rendered = renderedBy(name, words);
    if (rendered !== null) return { from: rendered.map((path) => this.pathTo(path)), change: unchanged };
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const given = filter === undefined ? null : withoutFiles(name, words);
    const named = given?.files ?? words.filter((word) => /^[^-].*\.\w+$/.test(word));
    const input = named.length === 0 ? this.stdin() : null;
    const from = input?.from ?? named.map((path) => this.pathTo(path));
    if (named.length === 0 && input === null) return null;
    const before = input?.change ?? unchanged;
    if (filter === undefined || given === null)
      return from.length === 0 ? null : { from, change: () => null };
    const filtered = (text: Placed | null) => text && filter(given.options, text);
    const change = (text: Placed) => filtered(before(text));
    const whole = input?.text && filtered(input.text);
    return whole === undefined ? { from, change } : whole && { from, change: () => whole, text: whole };
  }

  /** A text, as that of the files that it comes from. */
  protected passing(text: Placed): Passed {
    const { file } = this.script.span();
    const files = text.files.filter((one) => one !== file);
    const isMade = files.length === 0 && (!isKnown(text.text) || /\n./.test(text.text));
    return { from: isMade ? this.namedByVariables() : files, change: () => text, text };
  }

  /** The files that the values of the command's variables name: `X=$(sed … FILE); echo "$X"`. */
  private namedByVariables(): string[] {
    const { assignments } = this.shell.journal;
    this.shell.steps.count(assignments.length / 16);
    const bodies = this.command.redirections.flatMap(({ document }) => document?.body ?? []);
    const textOf = ({ start, end }: Range) => this.script.text.slice(start, end);
    const names = namesIn([this.command, ...bodies].map(textOf).join(' '));
    const own = assignments.filter(({ variable }) => names.has(variable));
    return this.filesNamedIn(own.map(({ valueAt }) => textOf(valueAt)).join(' '));
  }

  protected filesNamedIn(text: string): string[] {
    const words = text.split(/[\s"'|<()]+/).filter((word) => /^[^-].*\.\w+$/.test(word));
    return words.map((path) => this.pathTo(path));
  }

  /** The part of a file that is not known is unknown; null if all are. */
  protected textOf({ from, change, text: whole }: Passed): Placed | null {
    if (whole !== undefined) return whole;
    const texts = from.map((path) => {
      const text = namesSecret(path) ? null : this.follower.read(path, 'copied');
      return text && change(text);
    });
    const isKnown = texts.some((text) => text !== null);
    return isKnown ? Placed.join(texts.map((text) => text ?? this.unknown())) : null;
  }

  protected record(to: string | null, passed: Passed): void {
    this.follower.changed({ ...passed, to, at: this.place(), folder: this.folder });
  }

  protected pathTo(path: string): string {
    return pathIn(this.folder, path);
  }

  protected place(): Placed {
    return this.script.slice(this.command.start, this.command.end);
  }

  /** Records what a command with these words writes, besides what it prints. */
  protected output(name: string, args: readonly Placed[]): void {
    if (name === 'sed') this.edit(args);
    if (/^(?:tee|cp|mv|install|ln)$/.test(name)) this.copy(name, args);
    const words = args.map(({ text }) => text);
    // What an editor makes of a conf, or of a file that was written before, is not known.
    const changed = isEditor(name, words)
      ? words.filter((word) => this.isConf(word) || this.follower.isWritten(this.pathTo(word)))
      : filledBy([name, ...words]);
    for (const path of changed) this.put(this.pathTo(path), null, 'replace');
    const [, folder] = unpacks.exec([name, ...words].join(' ')) ?? [];
    if (folder !== undefined) this.copyFolder(null, this.pathTo(folder), true);
    const [from, to] = name === 'rsync' ? args.slice(-2) : [];
    if (from !== undefined && to !== undefined)
      this.copyFolder(from.text.replace(/\/$/, '/*'), this.pathTo(to.text), true);
  }

  /** Records that the file of a redirection gets what a command prints. */
  protected redirect(printed: Passed | null, redirections: readonly Redirection[]): void {
    const target = redirections.find(({ operator }) => /^1?>[>|]?$|^&>>?$/.test(operator));
    if (target === undefined) return;
    const mode = target.operator.includes('>>') ? 'append' : 'replace';
    this.put(this.pathOf(target), printed, mode);
  }

  /** Records that a file gets what a command prints. */
  private put(path: string, printed: Passed | null, mode: 'append' | 'replace'): void {
    const added = (printed && this.textOf(printed)) ?? this.unknown();
    this.follower.write(path, added, mode);
    const appended: Passed = { from: [path], change: (before) => Placed.join([before, added]) };
    this.record(path, mode === 'append' ? appended : (printed ?? { from: [], change: () => null }));
  }

  private unknown(): Placed {
    return this.place().as(`${unfilled}\n`);
  }

  /** A sed that edits a file in place: of a conf its assignments, of another file literal texts. */
  private edit(args: readonly Placed[]): void {
    if (!args.some(({ text }) => inPlace.test(text))) return;
    const path = args.at(-1);
    if (path === undefined) return;
    const at = this.pathTo(path.text);
    const whole = this.follower.isAppended(path.text) ? null : this.follower.read(at, 'copied');
    const options = args.slice(0, -1).map(({ text }) => text);
    const words = options.filter((text) => !inPlace.test(text) && !/^(?:\.\w+)?$/.test(text));
    const edited = (whole && filters.sed?.(words, whole)) ?? null;
    this.record(at, { from: [at], change: (text) => filters.sed?.(words, text) ?? null });
    const lines = linesOfSed(args);
    const isExact = edited !== null && words.every(isKnown) && !lines.every(({ text }) => isKnown(text));
    if (isExact || !this.isConf(path.text)) {
      if (whole !== null) this.follower.write(at, edited ?? this.unknown(), 'replace');
      return;
    }
    for (const line of lines) {
      const before = this.follower.read(at, 'copied');
      const after = before?.replace(assignmentLike(line.text), () => line) ?? null;
      if (after === null || after === before) this.follower.write(at, line, 'append');
      else this.follower.write(at, after, 'edit');
    }
  }

  private isConf(path: string): boolean {
    return readerOfConf(this.follower.kinds, path) !== null;
  }

  /** tee writes the output of another command. A folder as target gets the file under its own name. */
  private copy(name: string, args: readonly Placed[]): void {
    const isOption = (at: number) => name === 'install' && /^-[mogS]$/.test(args[at - 1]?.text ?? '');
    const files = args.filter(({ text }, at) => !text.startsWith('-') && !isOption(at));
    const append = name === 'tee' && args.some(({ text }) => /^(?:-a|--append)$/.test(text));
    if (name === 'tee') {
      for (const file of files) this.put(this.pathTo(file.text), this.stdin(), append ? 'append' : 'replace');
      return;
    }
    const target = this.pathTo(files.at(-1)?.text ?? '');
    const isFolder = files.length > 2 || target.endsWith('/');
    // A path without an ending may be a file or a folder.
    const isFile = !isFolder && /\.(?!d$)\w+$/.test(target);
    for (const from of files.slice(0, -1)) {
      const isLost = isKnown(from.text) && this.follower.read(this.pathTo(from.text), 'copied') === null;
      const at = isFolder ? `${target.replace(/\/$/, '')}/${baseName(from.text)}` : target;
      if (isLost && !from.text.endsWith('*') && this.follower.copyMissing(at, from.text)) continue;
      const copied: Passed = { from: [this.pathTo(from.text)], change: unchanged };
      const text = this.textOf(copied) ?? this.unknown();
      const inside = `${target}/${baseName(from.text)}`;
      for (const to of [...(isFolder ? [] : [target]), ...(isFile ? [] : [inside])]) {
        this.follower.write(to, text, 'replace');
        this.record(to, copied);
      }
      const isWhole = name === 'ln' || name === 'mv' || args.some((arg) => /^-[a-zA-Z]*[rRa]/.test(arg.text));
      if (!isFile && (isWhole || from.text.endsWith('*'))) this.copyFolder(from.text, target, isFolder);
    }
  }

  /** The confs below a folder come from another one; null if it is an archive, which is not read. */
  private copyFolder(from: string | null, target: string, isInside: boolean): void {
    for (const conf of confPaths(this.follower.kinds)) {
      const folder = `${target.replace(/\/+$/, '')}/`;
      const below = conf.startsWith(folder) ? conf.slice(folder.length) : null;
      const source = below === null || from === null ? null : sourceOf(from, below, isInside);
      if (below === null || (from !== null && source === null)) continue;
      const text = source === null ? null : this.follower.read(this.pathTo(source), 'copied');
      const isKnown = from !== null && this.follower.isFolder(this.pathTo(from.replace(/\/?\*$/, '')));
      if (text !== null) this.follower.write(conf, text, 'replace');
      else if (!isKnown) this.follower.write(conf, this.unknown(), 'replace', true);
    }
  }

  protected pathOf(target: Redirection): string {
    const value = expandValue(this.shell, target);
    const known = isUnknown(value) && value.partly === undefined;
    return known
      ? this.script.text.slice(target.start, target.end).replaceAll(/["']/g, '')
      : this.pathTo(partOf(value));
  }
}

/** The file that `cp -r FROM TARGET` copies to this path below the target; null if there is none. */
function sourceOf(from: string, below: string, isInside: boolean): string | null {
  if (from.endsWith('*')) return `${from.slice(0, -1)}${below}`;
  const folder = from.replace(/\/+$/, '');
  const name = `${baseName(folder)}/`;
  if (below.startsWith(name)) return `${folder}/${below.slice(name.length)}`;
  return isInside || /\.\w+$/.test(folder) ? null : `${folder}/${below}`;
}

/** Matches the folder that a program unpacks or downloads files to. */
const unpacks = /^(?:git clone .* (?=\S+$)|tar (?:.* )?(?:-[a-zA-Z]*C|--directory) |unzip (?:.* )?-d )(\S+)/;

/** Whether this is a program that changes the files it names in ways that are not followed. */
function isEditor(name: string, words: readonly string[]): boolean {
  return editing.test(name) || (editingInPlace.test(name) && words.some((word) => asksInPlace.test(word)));
}

/** Programs that change the files they name, and those that do so where an option asks for it. */
export const editors = 'ed|ex|vim?|patch|crudini|sponge|truncate';
export const inPlaceEditors = 'perl|ruby|[gm]?awk|yq|dasel';
const editing = new RegExp(`^(?:${editors}|python3?)$`);
const editingInPlace = new RegExp(`^(?:${inPlaceEditors})$`);
const asksInPlace = /^(?:-[a-zA-Z0-9]*i.*|--in-?place)$/;
/** The options of sed that do the same. */
const inPlace = /^(?:-[a-zA-Z]*i|--in-place)/;

/** Whether they are `kubectl apply -f -` and `docker compose -f - up`. */
export function appliesInput(name: string, args: readonly Placed[]): boolean {
  const words = args.map(({ text }) => text).join(' ');
  return (
    deployers.test(name) &&
    /(?:^| )(?:-[fc]|--(?:file(?:name)?|compose-file))[ =]?(?:-|\/dev\/stdin)(?: |$)/.test(words)
  );
}

/** Programs that start what files describe. */
export const deployers = /^(?:kubectl|oc|docker|(?:docker|podman)-compose|podman)$/;

/** The files or folders whose manifests a command prints; null for another command. */
function renderedBy(name: string, words: readonly string[]): string[] | null {
  const command = [name, ...words].join(' ');
  const [, rest, of] = renders.exec(command) ?? [];
  if (rest === undefined && of === undefined) return null;
  const files = [...command.matchAll(/ (?:-f|--file)[ =]?(\S+)/g)].map(([, path = '']) => path);
  const paths = rest?.split(' ').filter((word) => /^[^-]/.test(word)) ?? files;
  return paths.length === 0 ? ['.'] : paths;
}

const renders =
  /^(?:(?:kubectl|oc) kustomize|kustomize build|helm template)((?: .*)?)$|^(?:docker|podman)[ -]compose\b(.*) config\b/;

/** The lines that assign the variable of this line. */
function assignmentLike(line: string): RegExp {
  const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)=/.exec(line)?.[1] ?? '';
  return name === '' ? /(?!)/g : new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}=.*\\n?`, 'gm');
}
