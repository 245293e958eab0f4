/** Evaluates a conf as bash sources it, one command line after the other, without executing anything. */
import { leftOut } from '../../facts/shell.js';
import type { Range } from '../text/line-index.js';
import { Lost, Steps } from '../text/steps.js';
import { runText } from './evaluate.js';
import { Stop } from './outcomes.js';
import { type Decide, type Observer, Shell } from './state.js';
import { type Cursor, cursorAt, SyntaxFault } from './syntax/cursor.js';
import { reportFault } from './syntax-issues.js';
import type { Element, Unknown, Value } from './value.js';

/** The state before the file is read. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, Value>>;
  readonly exported: readonly string[];
  /** The value of every other name. Default: unset. */
  readonly rest?: Unknown;
  /** The value of every other name to a condition. Default: unset. */
  readonly caller?: Unknown | null;
  readonly observer?: Observer;
  readonly sourced?: Observer['sourced'];
  /** $1 and the following arguments of a script. Default: unknown. */
  readonly args?: readonly Element[] | null;
  /** The path of a script. Default: unknown. */
  readonly self?: Value;
  /** Default: both outcomes of an unknown condition are followed. */
  readonly decide?: Decide;
  /** Whether this is a variable that is a setting. Default: none is. */
  readonly isSetting?: (name: string) => boolean;
  /** Whether a command that is not followed changes no variable. Default: it may change each. */
  readonly isWritten?: boolean;
  /** Shared with the other readers of the same file. Default: a new count. */
  readonly steps?: Steps;
}

/** The result of reading a conf. */
export interface Reading {
  readonly shell: Shell;
  /** Set when `exit` ends the launcher for certain while it reads the file. */
  readonly ends: { readonly reason: string; readonly start: number; readonly end: number } | null;
}

/**
 * Reads the whole text. Never throws: errors are syntax issues in the journal.
 * @param optional a range that a template may leave out
 */
export function readShell(text: string, surroundings: Surroundings, optional: Range | null = null): Reading {
  const shell = new Shell(
    text,
    surroundings.variables,
    surroundings.exported,
    surroundings.steps ?? new Steps(),
    surroundings.observer,
    surroundings.decide,
  );
  shell.isSetting = surroundings.isSetting ?? shell.isSetting;
  shell.isWritten = surroundings.isWritten ?? false;
  if (surroundings.rest !== undefined) shell.memory.rest = surroundings.rest;
  shell.sourced = surroundings.sourced ?? shell.sourced;
  shell.caller = surroundings.caller ?? null;
  shell.memory.args = surroundings.args ?? null;
  shell.self = shell.source = surroundings.self ?? null;
  // Bash does not import IFS from the environment.
  shell.memory.change('IFS', { value: null });
  // Bash drops a lone backslash at the end of a script; sh keeps it, as every shell does in a file that is sourced.
  const dropped = shell.self !== null && shell.expandsBraces ? /(?<!\\)(?:\\\\)*\\$/ : /$/;
  const cursor = cursorAt(
    text.replace(dropped, (all) => all.slice(1)),
    shell.steps,
  );
  let ends: Reading['ends'] = null;
  const doubtOf = ({ start }: Range) =>
    optional !== null && start >= optional.start && start < optional.end ? leftOut : null;
  try {
    runText(shell, cursor, doubtOf);
  } catch (error) {
    if (error instanceof SyntaxFault) reportFault(shell, error, cursor.unit);
    else ends = afterEnd(shell, error, cursor);
  }
  if (shell.shadowed !== null) shell.taint(shell.shadowed);
  return { shell, ends };
}

function afterEnd(shell: Shell, error: unknown, cursor: Cursor): Reading['ends'] {
  if (error instanceof Stop)
    return error.how === 'return'
      ? null
      : { reason: error.message, start: error.at.start, end: error.at.end };
  if (error instanceof RangeError || error instanceof Lost) {
    shell.taint(error.message);
    const end = Math.min(cursor.at, shell.text.length);
    shell.journal.syntaxIssues.push({
      kind: 'unsupported-syntax',
      at: { start: end, end },
      variable: null,
      becomes: `${error.message}: every variable is unknown`,
      likelyMistake: false,
    });
    return null;
  }
  throw error;
}
