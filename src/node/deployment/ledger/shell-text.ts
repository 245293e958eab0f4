/** A text as a shell script: where bash stops, and what the script prints or searches for, which starts nothing. */
import { readUnit } from '../../sources/shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../../sources/shell/syntax/cursor.js';
import type { Command, Redirection, SimpleCommand } from '../../sources/shell/syntax/tree.js';
import type { Range } from '../../sources/text/line-index.js';
import { Lost, Steps } from '../../sources/text/steps.js';

const printers = /^(?:echo|printf|cat|logger)$/;
/** They read patterns, also where they pass a text on. */
const searchers = /^(?:[ef]?grep|rg|pgrep|pkill|killall|sed|awk|\[|test)$/;

/** What stands before a function whose output is read, and may be run. */
const readings = ['$(', '`', '<('];

export interface ShellText {
  /** The parts that are printed or searched for; none after a line that is not parsed. */
  readonly printed: readonly Range[];
  /** The error where bash stops, and the start of the command that it does not run; null if there is none. */
  readonly error: { readonly at: number; readonly from: number; readonly message: string } | null;
}

export function shellText(text: string): ShellText {
  const cursor = cursorAt(text, new Steps());
  const printed: Range[] = [];
  try {
    for (let unit = readUnit(cursor); unit !== null; unit = readUnit(cursor))
      for (const { command, isPiped } of simpleIn(unit, text, false))
        printed.push(...printedBy(command, text, isPiped));
    return { printed, error: null };
  } catch (error) {
    if (!(error instanceof SyntaxFault || error instanceof Lost)) throw error;
    if (error instanceof Lost || error.kind === 'unsupported-syntax' || error.inList)
      return { printed, error: null };
    return { printed, error: { at: error.at, from: cursor.unit, message: error.message } };
  }
}

function printedBy(command: SimpleCommand, text: string, isPiped: boolean): Range[] {
  const [name] = command.words;
  const program = name === undefined ? '' : text.slice(name.start, name.end);
  if (searchers.test(program)) return [command];
  if (!printers.test(program) || isPiped || command.redirections.some(isWritten)) return [];
  const bodies = command.redirections.flatMap(({ document }) => document?.body ?? []);
  return [command, ...bodies];

  function isWritten({ operator, start, end }: Redirection): boolean {
    return operator.includes('>') && !/^(?:\d|\/dev\/)/.test(text.slice(start, end));
  }
}

interface Simple {
  readonly command: SimpleCommand;
  /** Whether another command reads its output, or a file may take it. */
  readonly isPiped: boolean;
}

function* simpleIn(command: Command, text: string, isPiped: boolean): Generator<Simple> {
  if (command.type === 'simple') return yield { command, isPiped };
  for (const [part, isRead] of nestedCommands(command, text)) yield* simpleIn(part, text, isPiped || isRead);
}

/** The commands of a command, and whether something reads their output. */
function nestedCommands(
  command: Exclude<Command, SimpleCommand>,
  text: string,
): (readonly [Command, boolean])[] {
  switch (command.type) {
    case 'sequence':
      return command.commands.map((one) => [one, false]);
    case 'subshell':
      return command.commands.map((one, at) => [one, command.piped && at < command.commands.length - 1]);
    case 'and':
    case 'or':
      return [
        [command.left, false],
        [command.right, false],
      ];
    case 'redirected':
      return [[command.command, true]];
    case 'if':
      return [command.test, command.body, ...(command.otherwise === null ? [] : [command.otherwise])].map(
        (one) => [one, false],
      );
    case 'case':
      return command.clauses.flatMap(({ body }) => (body === null ? [] : [[body, false] as const]));
    case 'not':
    case 'timed':
      return [[command.command, false]];
    case 'coproc':
      return [[command.command, true]];
    case 'loop':
      return [[command.body, false]];
    case 'function':
      return [[command.body, readings.some((before) => text.includes(`${before}${command.name}`))]];
    case 'condition':
    case 'arithmetic':
      return [];
  }
}
