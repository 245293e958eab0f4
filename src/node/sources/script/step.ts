/** One command of a script that is followed. */
import { readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { LaunchVariable } from '../launch/launch.js';
import { expandValue } from '../shell/expand.js';
import type { Fields, Shell } from '../shell/state.js';
import type { Redirection, SimpleCommand, Word } from '../shell/syntax/tree.js';
import { isUnknown, partOf, type Value } from '../shell/value.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { baseName, startedBy } from './commands.js';
import { documentText, printed, substituted } from './writes.js';

/** The follower of a script, which is told what the commands do. */
interface Follows {
  readonly kinds: readonly Kind[];
  /** What the first command of a pipeline prints. */
  piped: Placed | null;
  run(words: readonly Placed[], at: Placed, exported: Environment): boolean;
  write(path: string, line: Placed, mode: 'append' | 'replace'): void;
}

/** One command: what it writes, and what it starts. */
export class Step {
  private readonly follower: Follows;
  private readonly script: Placed;
  private readonly environment: Environment;
  private readonly shell: Shell;
  private readonly command: SimpleCommand;

  constructor(
    follower: Follows,
    script: Placed,
    environment: Environment,
    shell: Shell,
    command: SimpleCommand,
  ) {
    this.follower = follower;
    this.script = script;
    this.environment = environment;
    this.shell = shell;
    this.command = command;
  }

  /** Handles the command, whose words are expanded. */
  take(fields: Fields): void {
    const words = fields.values.map((value, at) => this.word(value, fields.from[at] as Word));
    const name = baseName(words[0]?.text ?? '');
    if (!this.shell.piped) this.follower.piped = printed(name, words.slice(1));
    const redirections = [...this.command.redirections, ...this.shell.outputs.flat()];
    this.output(name, words.slice(1), redirections);
    if (startedBy(this.follower.kinds, words) === null) return;
    const { shell, command, script, environment } = this;
    this.follower.run(words, this.place(), exportedTo(shell, command, script, environment));
  }

  private place(): Placed {
    return this.script.slice(this.command.start, this.command.end);
  }

  /** A word's text and place: exact where the script contains it literally. An unknown word keeps its known parts. */
  private word(value: Value, { start, end }: Word): Placed {
    const all = this.script.slice(start, end);
    if (!isUnknown(value)) {
      const at = value === '' ? -1 : all.text.indexOf(value);
      return at < 0 ? all.as(value) : all.slice(at, at + value.length);
    }
    return all.as(partOf(value));
  }

  private output(name: string, args: readonly Placed[], redirections: readonly Redirection[]): void {
    if (name === 'sed') this.edit(args);
    if (name === 'tee' || name === 'cp' || name === 'mv' || name === 'install') this.copy(name, args);
    const target = redirections.find(({ operator }) => /^1?>[>|]?$|^&>>?$/.test(operator));
    if (target === undefined) return;
    const mode = target.operator.includes('>>') ? 'append' : 'replace';
    this.follower.write(this.pathOf(target), this.textOf(name, args, redirections), mode);
  }

  private textOf(name: string, args: readonly Placed[], redirections: readonly Redirection[]): Placed {
    const document = redirections.find((one) => one.document !== null)?.document ?? null;
    if (name === 'cat' && document?.body && args.length === 0)
      return documentText(this.script, this.shell, document.body, document);
    return printed(name, args) ?? this.place().as(`${unfilled}\n`);
  }

  /** A sed that edits a conf in place. */
  private edit(args: readonly Placed[]): void {
    if (!args.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text))) return;
    const path = args.findLast(({ text }) => readerOfConf(this.follower.kinds, text) !== null);
    if (path === undefined) return;
    for (const line of substituted(args)) this.follower.write(path.text, line, 'append');
  }

  /** tee writes the output of another command; the content of a copied file is unknown. */
  private copy(name: string, args: readonly Placed[]): void {
    const files = args.filter(({ text }) => !text.startsWith('-'));
    const append = name === 'tee' && args.some(({ text }) => /^(?:-a|--append)$/.test(text));
    const document = this.command.redirections.find((one) => one.document !== null)?.document ?? null;
    const input = document?.body
      ? documentText(this.script, this.shell, document.body, document)
      : this.follower.piped;
    const text = (name === 'tee' ? input : null) ?? this.place().as(`${unfilled}\n`);
    for (const file of name === 'tee' ? files : files.slice(-1))
      this.follower.write(file.text, text, append ? 'append' : 'replace');
  }

  private pathOf(target: Redirection): string {
    const value = expandValue(this.shell, target);
    return isUnknown(value)
      ? this.script.text.slice(target.start, target.end).replaceAll(/["']/g, '')
      : value;
  }
}

export type Environment = ReadonlyMap<string, LaunchVariable>;

/** The environment of a command: exported variables, and over them assignments before the command. */
export function exportedTo(
  shell: Shell,
  command: SimpleCommand,
  script: Placed,
  environment: Environment,
): Environment {
  const map = new Map<string, LaunchVariable>();
  const whole = script.slice(command.start, command.end);
  for (const [name, { value, exported }] of shell.memory.all()) {
    if (!exported || value === undefined || value === null) continue;
    const given = environment.get(name);
    const same = given !== undefined && !isUnknown(value) && given.value?.text === value;
    map.set(name, same ? given : variable(value, whole));
  }
  for (const { name, value } of command.assignments)
    map.set(name, variable(expandValue(shell, value), script.slice(value.start, value.end)));
  return map;
}

function variable(value: Value, at: Placed): LaunchVariable {
  if (isUnknown(value)) return { value: null, at: at.span(), indeterminate: value.unknown };
  const found = value === '' ? -1 : at.text.indexOf(value);
  const text = found < 0 ? at.as(value) : at.slice(found, found + value.length);
  return { value: text, at: at.span(), indeterminate: null };
}
