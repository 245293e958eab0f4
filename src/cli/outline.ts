/** The command line as data, for completion and the manual page. */
import type { EventEmitter } from 'node:events';
import type { Argument, CommandUnknownOpts, Option } from 'commander';
import { argumentName } from './help.js';

/** Possible values: one of these words, a comma-separated list of them, a word or a file, … */
export type Values =
  | { readonly kind: 'words' | 'list' | 'word-or-file'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'report' | 'any' | 'none' };

/** Names that the declarations do not hold. */
export interface Known {
  readonly rules: readonly string[];
  readonly policies: readonly string[];
}

export type OptionOutline = ReturnType<typeof optionOutline>;

export interface CommandOutline {
  /** `['node', 'lint']`; empty for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  /** `[paths...]`. */
  readonly usage: string;
  /** Names of the commands below it. */
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  readonly values: Values;
  readonly options: readonly OptionOutline[];
  /** Text and examples under the options. */
  readonly after: string;
}

const files = /^<?\[?(?:file|files|paths?|conf|reports?|before|after|targets|folder|store)(?:\.\.\.)?\]?>?$/;

/** Every command except hidden ones, the program first. */
export function outline(
  program: CommandUnknownOpts,
  known: Known,
  path: readonly string[] = [],
): CommandOutline[] {
  const children = program.commands.filter((child) => !isHidden(child));
  const own: CommandOutline = {
    path,
    summary: program.summary() || program.description(),
    usage: program.registeredArguments.map(argumentName).join(' '),
    children: children.map((child) => ({ name: child.name(), summary: child.summary() })),
    values: acceptedValues(program.registeredArguments[0], known),
    options: [...program.options.map((option) => optionOutline(option, known)), help],
    after: afterOf(program),
  };
  return [own, ...children.flatMap((child) => outline(child, known, [...path, child.name()]))];
}

const help: OptionOutline = {
  names: ['-h', '--help'],
  flags: '-h, --help',
  description: 'display help',
  values: { kind: 'none' },
  default: null,
};

function isHidden(command: CommandUnknownOpts): boolean {
  const parent = command.parent;
  return parent !== null && !parent.createHelp().visibleCommands(parent).includes(command);
}

/** The text of addHelpText('after'), which commander passes to listeners only. */
function afterOf(command: CommandUnknownOpts): string {
  let text = '';
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (part: string) => (text += part),
  });
  return text.trim();
}

function acceptedValues(argument: Argument | undefined, { rules }: Known): Values {
  if (argument === undefined) return { kind: 'none' };
  if (argument.argChoices !== undefined) return { kind: 'words', words: argument.argChoices };
  if (argument.name() === 'rule') return { kind: 'words', words: rules };
  return { kind: files.test(argument.name()) ? 'file' : 'any' };
}

function optionOutline(option: Option, known: Known) {
  const { short, long, flags, description, defaultValue } = option;
  return {
    /** `-v`, `--verbose`. */
    names: [short, long].filter((name) => name !== undefined),
    /** `-v, --verbose`, `--format <name>`. */
    flags,
    description,
    values: optionValues(option, known),
    default: typeof defaultValue === 'string' ? defaultValue : null,
  };
}

function optionValues({ long, flags, required, optional, argChoices }: Option, known: Known): Values {
  if (!required && !optional) return { kind: 'none' };
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  const value = /[<[].*[>\]]/.exec(flags)?.[0] ?? '';
  if (value === '<format=file>') return { kind: 'report' };
  if (value === '<rules>') return { kind: 'list', words: known.rules };
  if (long === '--policy') return { kind: 'word-or-file', words: known.policies };
  return { kind: files.test(value) ? 'file' : 'any' };
}
