/** One command of a script that is followed. */

import type { FileRole } from '../../facts/settings.js';
import { confPaths, readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Environment } from '../launch/launch.js';
import { expandValue } from '../shell/expand.js';
import type { Fields, Shell } from '../shell/state.js';
import type { Redirection, SimpleCommand, Word } from '../shell/syntax/tree.js';
import { isUnknown, partOf, type Value } from '../shell/value.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, wordsOf } from '../text/words.js';
import { startedBy, withoutWrappers } from './commands.js';
import { type ContainerExec, containerExec } from './container-access.js';
import { exportedTo } from './exported.js';
import { appliesInput, assignmentLike, isEditor, sourceOf, unpackedTo } from './file-commands.js';
import { causeOf, type Origins, originOf } from './origin.js';
import { baseName, namesSecret, pathIn, pathValue } from './paths.js';
import { documentText, printed, replacedIn, substituted, type WriteMode } from './writes.js';

/** The follower of a script, which is told what the commands do. */
interface Follows {
  readonly kinds: readonly Kind[];
  /** What the first command of a pipeline prints. */
  piped: Placed | null;
  readonly aliases: Map<string, Placed>;
  readonly functions: Set<string>;
  run(
    words: readonly Placed[],
    at: Placed,
    exported: Environment,
    folder: string,
    input: Placed | null,
  ): boolean;
  read(path: string, role: FileRole): Placed | null;
  within<T>(container: string, follow: () => T): T;
  hash(names: readonly Placed[], path: Placed | undefined): void;
  write(path: string, line: Placed, mode: WriteMode, isUnsure?: boolean): void;
  isAppended(path: string): boolean;
  isWritten(path: string): boolean;
  isFolder(path: string): boolean;
}

/** One command: what it writes, and what it starts. */
export class Step {
  private readonly follower: Follows;
  private readonly script: Placed;
  private readonly environment: Environment;
  private readonly given: Origins['given'];
  private readonly outputs: Origins['printed'];
  private readonly shell: Shell;
  private readonly command: SimpleCommand;
  private readonly folder: string;

  constructor(
    follower: Follows,
    script: Placed,
    { environment, given, printed }: Pick<Origins, 'environment' | 'given' | 'printed'>,
    shell: Shell,
    command: SimpleCommand,
  ) {
    this.follower = follower;
    this.script = script;
    this.environment = environment;
    this.given = given;
    this.outputs = printed;
    this.shell = shell;
    this.command = command;
    this.folder = partOf(shell.look('PWD') ?? '');
  }

  /** Handles the command, whose words are expanded. */
  take(fields: Fields): void {
    const words = fields.values.map((value, at) => this.word(value, fields.from[at] as Word));
    const program = words[0]?.text ?? '';
    // A function of the script replaces the command of its name, and its commands are followed.
    if (this.shell.memory.isFunction(program)) {
      this.output('', [], this.redirections());
      return;
    }
    const own = withoutWrappers(this.withAlias(words));
    const [first, ...args] = own;
    const name = baseName(first?.text ?? '');
    if (name === 'alias') this.define(args);
    if (name === 'export') this.exportFunctions();
    if (name === 'hash' && args[0]?.text === '-p') this.follower.hash(args.slice(2), args[1]);
    if (name === 'cd') this.enter(args[0]?.text ?? '');
    if (!this.shell.piped) this.follower.piped = this.printed(name, args);
    if (appliesInput(name, args)) this.apply();
    this.output(name, args, this.redirections());
    const inner = containerExec(own);
    if (inner !== null) this.changeIn(inner);
    const started = this.withAlias(words);
    // Its text runs in the place of the command.
    if (program === 'eval' && fields.exact && !fields.values.some(isUnknown)) return;
    if (startedBy(this.follower.kinds, started) === null) return;
    const { shell, command, script, environment } = this;
    const exported = exportedTo(shell, command, { script, environment, printed: this.outputs });
    this.follower.run(started, this.place(), exported, this.folder, this.input());
  }

  /** Handles the files that a command writes in a container. */
  private changeIn({ inside, words }: ContainerExec): void {
    const [program, ...args] = words;
    this.follower.within(inside, () => this.output(baseName(program?.text ?? ''), args, []));
  }

  /** The words with the alias of their first one: bash expands aliases in scripts only where `expand_aliases` is on. */
  private withAlias(words: readonly Placed[]): readonly Placed[] {
    const alias = this.follower.aliases.get(words[0]?.text ?? '');
    const isBash = /^#!.*\bbash\b/.test(this.script.text);
    if (alias === undefined || (isBash && !this.script.text.includes('expand_aliases'))) return words;
    return [...wordsOf(alias), ...words.slice(1)];
  }

  private define(aliases: readonly Placed[]): void {
    for (const [name, value] of aliases.map(pairOf))
      if (value !== null) this.follower.aliases.set(name, value);
  }

  /** Programs that the script runs see its exported functions. */
  private exportFunctions(): void {
    const [, ...names] = /^export\s+-f\s.*/s.exec(this.place().text)?.[0].split(/\s+(?:-f\s+)?/) ?? [];
    for (const name of names) if (this.shell.memory.isFunction(name)) this.follower.functions.add(name);
  }

  private redirections(): readonly Redirection[] {
    return [...this.command.redirections, ...this.shell.outputs.flat()];
  }

  private enter(path: string): void {
    this.shell.memory.change('PWD', { value: pathValue(pathIn(this.folder, path)) });
  }

  private pathTo(path: string): string {
    return pathIn(this.folder, path);
  }

  private place(): Placed {
    return this.script.slice(this.command.start, this.command.end);
  }

  /** A word's text and place: exact where a file contains it literally. An unknown word keeps its known parts. */
  private word(value: Value, word: Word): Placed {
    const { script, shell, environment, given, outputs: printed } = this;
    const origins = { script, shell, environment, given, printed };
    const origin = isUnknown(value) ? null : originOf(value, word, origins);
    if (origin !== null) return origin;
    const written = given.get(word) ?? script.slice(word.start, word.end);
    if (!isUnknown(value)) return written.as(value);
    const cause = causeOf(word, origins);
    const parts = partOf(value).split(unfilled);
    return Placed.join(
      parts.flatMap((part, at) => [...(at === 0 ? [] : [cause.as(unfilled)]), written.as(part)]),
    );
  }

  private output(name: string, args: readonly Placed[], redirections: readonly Redirection[]): void {
    if (name === 'sed') this.edit(args);
    if (isEditor(name, args)) this.change(args);
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
    return printed(name, args) ?? this.unknown();
  }

  private textOfFiles(files: readonly Placed[]): Placed {
    const texts = files.map(({ text }) => this.follower.read(this.pathTo(text), 'copied') ?? this.unknown());
    return texts.length === 0 ? this.unknown() : Placed.join(texts);
  }

  /** The standard input: a here-document, a here-string, a file, or what the command before a pipe prints. */
  private input(): Placed | null {
    const document = this.command.redirections.find((one) => one.document !== null)?.document ?? null;
    if (document?.body) return documentText(this.script, this.shell, document.body, document);
    const text = this.command.redirections.find(({ operator }) => operator === '<<<');
    if (text !== undefined) return this.word(expandValue(this.shell, text), text);
    const file = this.command.redirections.find(({ operator }) => operator === '<');
    if (file !== undefined) return this.place().as(`loadScript("${this.pathOf(file)}")`);
    return this.shell.piped ? this.follower.piped : null;
  }

  /** What a command prints; null: it cannot be known. */
  private printed(name: string, args: readonly Placed[]): Placed | null {
    if (name !== 'cat') return printed(name, args);
    if (args.length === 0) return this.input();
    const texts = args.map(({ text }) =>
      namesSecret(text) ? null : this.follower.read(this.pathTo(text), 'copied'),
    );
    return texts.includes(null) ? null : Placed.join(texts.filter((one) => one !== null));
  }

  /** A deployment that is read from the standard input starts as if it were a file. */
  private apply(): void {
    const input = this.input();
    if (input !== null)
      this.follower.write(this.pathTo(`stdin-${this.command.start}.yaml`), input, 'replace');
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
    const edited = whole === null ? null : replacedIn(whole, args);
    if (edited !== null || readerOfConf(this.follower.kinds, path.text) === null) {
      if (whole !== null) this.follower.write(at, edited ?? this.unknown(), 'replace');
      return;
    }
    for (const line of substituted(args)) {
      const before = this.follower.read(at, 'copied');
      const after = before?.replace(assignmentLike(line.text), () => line) ?? null;
      if (after === null || after === before) this.follower.write(at, line, 'append');
      else this.follower.write(at, after, 'edit');
    }
  }

  /** What an editor makes of a conf, or of a file that was written before, is not known. */
  private change(args: readonly Placed[]): void {
    for (const { text } of args) {
      const path = this.pathTo(text);
      const isWritten = readerOfConf(this.follower.kinds, text) !== null || this.follower.isWritten(path);
      if (isWritten) this.follower.write(path, this.unknown(), 'replace');
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
      const text = this.textOfFiles([from]);
      if (!isFolder) this.follower.write(target, text, 'replace');
      if (!isFile) this.follower.write(`${target}/${baseName(from.text)}`, text, 'replace');
      const isWhole = name === 'ln' || name === 'mv' || args.some((arg) => /^-[a-zA-Z]*[rRa]/.test(arg.text));
      if (!isFile && (isWhole || from.text.endsWith('*'))) this.copyFolder(from.text, target, isFolder);
    }
  }

  /** The confs below a folder come from another one; null: from an archive, which is not read. */
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

  private pathOf(target: Redirection): string {
    const value = expandValue(this.shell, target);
    const known = isUnknown(value) && value.partly === undefined;
    return known
      ? this.script.text.slice(target.start, target.end).replaceAll(/["']/g, '')
      : this.pathTo(partOf(value));
  }
}
