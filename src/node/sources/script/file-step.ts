/** The files that one command of a script writes. */
import { confPaths, readerOfConf } from '../../kinds/find.js';
import { expandValue } from '../shell/expand.js';
import type { Shell } from '../shell/state.js';
import type { Redirection, SimpleCommand } from '../shell/syntax/tree.js';
import { isUnknown, partOf } from '../shell/value.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { filters } from './filters.js';
import type { FollowedFiles } from './followed-files.js';
import { baseName, pathIn } from './paths.js';
import { documentText, linesOfSed, printText } from './writes.js';

export abstract class FileStep<Files extends FollowedFiles> {
  protected readonly follower: Files;
  protected readonly script: Placed;
  protected readonly shell: Shell;
  protected readonly command: SimpleCommand;
  protected readonly folder: string;

  constructor(follower: Files, script: Placed, shell: Shell, command: SimpleCommand) {
    this.follower = follower;
    this.script = script;
    this.shell = shell;
    this.command = command;
    this.folder = partOf(shell.look('PWD') ?? '');
  }

  /** The standard input of the command; null if it is not known. */
  protected abstract input(): Placed | null;

  protected pathTo(path: string): string {
    return pathIn(this.folder, path);
  }

  protected place(): Placed {
    return this.script.slice(this.command.start, this.command.end);
  }

  /** Records what a command with these words and redirections writes. */
  protected output(name: string, args: readonly Placed[], redirections: readonly Redirection[]): void {
    if (name === 'sed') this.edit(args);
    if (isEditor(name, args)) this.change(name, args);
    if (/^(?:tee|cp|mv|install|ln)$/.test(name)) this.copy(name, args);
    if (name === 'curl' || name === 'wget') this.download(args);
    const unpacked = unpackedTo(name, args);
    if (unpacked !== null) this.copyFolder(null, this.pathTo(unpacked), true);
    const [from, to] = name === 'rsync' ? args.slice(-2) : [];
    if (from !== undefined && to !== undefined)
      this.copyFolder(from.text.replace(/\/$/, '/*'), this.pathTo(to.text), true);
    const target = redirections.find(({ operator }) => /^1?>[>|]?$|^&>>?$/.test(operator));
    if (target === undefined) return;
    const mode = target.operator.includes('>>') ? 'append' : 'replace';
    this.follower.write(this.pathOf(target), this.textOf(name, args, redirections), mode);
  }

  private textOf(name: string, args: readonly Placed[], redirections: readonly Redirection[]): Placed {
    const document = redirections.find((one) => one.document !== null)?.document ?? null;
    if (name === 'cat' && document?.body && args.length === 0)
      return documentText(this.script, this.shell, document.body, document);
    if (name === 'cat') return this.textOfFiles(args);
    return printText(name, args) ?? this.unknown();
  }

  private textOfFiles(files: readonly Placed[]): Placed {
    const texts = files.map(({ text }) => this.follower.read(this.pathTo(text), 'copied') ?? this.unknown());
    return texts.length === 0 ? this.unknown() : Placed.join(texts);
  }

  private unknown(): Placed {
    return this.place().as(`${unfilled}\n`);
  }

  /** A downloaded file may hold anything. */
  private download(args: readonly Placed[]): void {
    const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z]*[oO]|--output|--output-document)$/.test(text));
    const path = at < 0 ? undefined : args[at + 1];
    if (path !== undefined && !/^(?:-|https?:)/.test(path.text))
      this.follower.write(this.pathTo(path.text), this.unknown(), 'replace');
  }

  /** A sed that edits a file in place: of a conf its assignments, of another file literal texts. */
  private edit(args: readonly Placed[]): void {
    if (!args.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text))) return;
    const path = args.at(-1);
    if (path === undefined) return;
    const at = this.pathTo(path.text);
    const whole = this.follower.isAppended(path.text) ? null : this.follower.read(at, 'copied');
    const options = args.slice(0, -1).map(({ text }) => text);
    const words = options.filter((text) => !/^(?:-[a-zA-Z]*i|--in-place|\.\w+$|$)/.test(text));
    const edited = (whole && filters.sed?.(words, whole)) ?? null;
    const lines = linesOfSed(args);
    const isExact = edited !== null && words.every(isKnown) && !lines.every(({ text }) => isKnown(text));
    if (isExact || readerOfConf(this.follower.kinds, path.text) === null) {
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

  /** What an editor makes of a conf, of a file that was written before or, in its place, of another is not known. */
  private change(name: string, args: readonly Placed[]): void {
    for (const { text } of args) {
      const path = this.pathTo(text);
      const isThere = () => isInPlace(name, args) && this.follower.read(path, 'copied') !== null;
      if (readerOfConf(this.follower.kinds, text) !== null || this.follower.isWritten(path) || isThere())
        this.follower.write(path, this.unknown(), 'replace');
    }
  }

  /** tee writes the output of another command. A folder as target gets the file under its own name. */
  private copy(name: string, args: readonly Placed[]): void {
    const isOption = (at: number) => name === 'install' && /^-[mogS]$/.test(args[at - 1]?.text ?? '');
    const files = args.filter(({ text }, at) => !text.startsWith('-') && !isOption(at));
    const append = name === 'tee' && args.some(({ text }) => /^(?:-a|--append)$/.test(text));
    const input = this.input();
    if (name === 'tee') {
      for (const file of files)
        this.follower.write(this.pathTo(file.text), input ?? this.unknown(), append ? 'append' : 'replace');
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
      const text = this.textOfFiles([from]);
      if (!isFolder) this.follower.write(target, text, 'replace');
      if (!isFile) this.follower.write(`${target}/${baseName(from.text)}`, text, 'replace');
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

/** The folder that a program unpacks or downloads files to; null if none is named. */
function unpackedTo(name: string, args: readonly Placed[]): string | null {
  if (name === 'git')
    return args[0]?.text === 'clone' && args.length > 2 ? (args.at(-1)?.text ?? null) : null;
  const option = name === 'tar' ? /^(?:-[a-zA-Z]*C|--directory)$/ : name === 'unzip' ? /^-d$/ : null;
  const at = option === null ? -1 : args.findIndex(({ text }) => option.test(text));
  return at < 0 ? null : (args[at + 1]?.text ?? null);
}

/** Whether this is a program that changes the files it names in ways that are not followed. */
function isEditor(name: string, args: readonly Placed[]): boolean {
  return /^(?:ed|ex|vim?|patch|crudini|sponge|truncate|python3?)$/.test(name) || isInPlace(name, args);
}

function isInPlace(name: string, args: readonly Placed[]): boolean {
  const isAsked = args.some(({ text }) => /^(?:-[a-zA-Z0-9]*i.*|--in-?place)$/.test(text));
  return isAsked && /^(?:perl|ruby|[gm]?awk|yq|dasel)$/.test(name);
}

/** Whether they are `kubectl apply -f -` and `docker compose -f - up`. */
export function appliesInput(name: string, args: readonly Placed[]): boolean {
  const isInput = args.some(
    ({ text }, at) => /^(?:-f|--file(?:name)?)$/.test(text) && args[at + 1]?.text === '-',
  );
  return isInput && /^(?:kubectl|oc|docker|docker-compose|podman)$/.test(name);
}

/** The lines that assign the variable of this line. */
function assignmentLike(line: string): RegExp {
  const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)=/.exec(line)?.[1] ?? '';
  return name === '' ? /(?!)/g : new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}=.*\\n?`, 'gm');
}
