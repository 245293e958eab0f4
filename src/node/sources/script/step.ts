/** One command of a script that is followed. */

import type { FileRole } from '../../facts/settings.js';
import type { Environment } from '../launch/launch.js';
import { expandValue } from '../shell/expand.js';
import type { Fields } from '../shell/state.js';
import type { Redirection, Word } from '../shell/syntax/tree.js';
import { isUnknown, partOf, type Value } from '../shell/value.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, splitWords } from '../text/words.js';
import { startedBy } from './commands.js';
import { type ContainerExec, containerExec } from './container-run.js';
import { exportedTo } from './exported.js';
import { appliesInput, deployers, FileStep } from './file-step.js';
import type { FollowedFiles, Passed } from './followed-files.js';
import { isShell } from './names.js';
import { causeOf, originOf } from './origin.js';
import { outputOf } from './output.js';
import { baseName, pathIn, pathValue } from './paths.js';
import { withoutWrappers } from './wrappers.js';
import { documentText } from './writes.js';

/** The follower of a script, which is told what the commands do. */
interface Follows extends FollowedFiles {
  /** What the last command before a pipe prints. */
  piped: Passed | null;
  readonly aliases: Map<string, Placed>;
  readonly functions: Set<string>;
  run(
    words: readonly Placed[],
    at: Placed,
    exported: Environment,
    folder: string,
    input: Placed | null,
  ): boolean;
  within<T>(container: string, follow: () => T): T;
  hash(names: readonly Placed[], path: Placed | undefined): void;
}

/** One command: what it writes, and what it starts. */
export class Step extends FileStep<Follows> {
  /** Handles the command, whose words are expanded. */
  take(fields: Fields): void {
    this.follower.piped = this.follow(fields);
  }

  /** Returns what the command prints. */
  private follow(fields: Fields): Passed | null {
    const words = fields.values.map((value, at) => this.word(value, fields.from[at] as Word));
    const program = words[0]?.text ?? '';
    // A function of the script replaces the command of its name, and its commands are followed.
    if (this.shell.memory.isFunction(program)) {
      this.redirect(this.printed('', []), this.redirections());
      return null;
    }
    const own = withoutWrappers(this.withAlias(words));
    const [first, ...args] = own;
    const name = baseName(first?.text ?? '');
    if (name === 'alias') this.define(args);
    if (name === 'export') this.exportFunctions();
    if (name === 'hash' && args[0]?.text === '-p') this.follower.hash(args.slice(2), args[1]);
    if (name === 'cd') this.enter(args[0]?.text ?? '');
    const printed = this.printed(name, args);
    this.takeInput(name, args);
    this.output(name, args);
    this.redirect(printed, this.redirections());
    const inner = containerExec(own);
    if (inner !== null) this.changeIn(inner);
    const started = this.withAlias(words);
    // Its text runs in the place of the command.
    if (program === 'eval' && fields.exact && !fields.values.some(isUnknown)) return printed;
    if (startedBy(this.follower.kinds, started) === null) return printed;
    const exported = exportedTo(this.command, this.origins);
    this.follower.run(started, this.place(), exported, this.folder, this.input());
    return printed;
  }

  /** Handles the files that a command writes in a container. */
  private changeIn({ inside, words }: ContainerExec): void {
    const [program, ...args] = words;
    this.follower.within(inside, () => this.output(baseName(program?.text ?? ''), args));
  }

  /** The words with the alias of their first one: bash expands aliases in scripts only where `expand_aliases` is on. */
  private withAlias(words: readonly Placed[]): readonly Placed[] {
    const alias = this.follower.aliases.get(words[0]?.text ?? '');
    const isBash = /^#!.*\bbash\b/.test(this.script.text);
    if (alias === undefined || (isBash && !this.script.text.includes('expand_aliases'))) return words;
    return [...splitWords(alias), ...words.slice(1)];
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

  /** A word's text and place: exact where a file contains it literally. An unknown word keeps its known parts. */
  private word(value: Value, word: Word): Placed {
    const { origins, script } = this;
    const origin = isUnknown(value) ? null : originOf(value, word, origins);
    if (origin !== null) return origin;
    const written = origins.given.get(word) ?? script.slice(word.start, word.end);
    if (!isUnknown(value)) return written.as(value);
    const cause = causeOf(word, origins);
    const parts = partOf(value).split(unfilled);
    return Placed.join(
      parts.flatMap((part, at) => [...(at === 0 ? [] : [cause.as(unfilled)]), written.as(part)]),
    );
  }

  /** The standard input: a here-document, a here-string, a file, or what the command before a pipe prints. */
  protected override stdin(): Passed | null {
    const { redirections } = this.command;
    const document = redirections.find((one) => one.document !== null)?.document ?? null;
    if (document?.body) return this.passing(documentText(this.script, this.shell, document.body, document));
    const text = redirections.find(({ operator }) => operator === '<<<');
    if (text !== undefined) return this.passing(this.word(expandValue(this.shell, text), text));
    const file = redirections.find(({ operator }) => operator === '<');
    if (file !== undefined) return { from: [this.pathOf(file)], change: (one) => one };
    return this.shell.piped ? this.follower.piped : null;
  }

  /** What the commands of `<(…)` print: if that is not known, it may be made of each file that they name. */
  private printedIn({ start, end }: Word): Passed {
    const read = (path: string, role: FileRole) => this.follower.read(path, role);
    const text = outputOf(this.shell, { start, end }, this.script, { isImage: false, read });
    if (text !== null) return this.passing(text);
    return { from: this.filesNamedIn(this.script.text.slice(start + 2, end - 1)), change: () => null };
  }

  /** The text of the standard input, or a call that loads its file. */
  protected override input(): Placed | null {
    const file = this.command.redirections.find(({ operator }) => operator === '<');
    return file === undefined ? super.input() : this.place().as(`loadScript("${this.pathOf(file)}")`);
  }

  /** A deployment that is read from the standard input, or from `<(…)`, starts as if it were a file. */
  private takeInput(name: string, args: readonly Placed[]): void {
    for (const word of this.command.words)
      if (deployers.test(name) && this.script.text.startsWith('<(', word.start))
        this.record(null, this.printedIn(word));
    const runs = (isShell(name) || name === 'ssh') && !args.some(({ text }) => text === '-c');
    const isApplied = appliesInput(name, args);
    const input = runs || isApplied ? this.stdin() : null;
    if (input === null) return;
    this.record(null, input);
    const text = isApplied ? this.textOf(input) : null;
    if (text !== null) this.follower.write(this.pathTo(`stdin-${this.command.start}.yaml`), text, 'replace');
  }
}
