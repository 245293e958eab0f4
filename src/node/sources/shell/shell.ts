/** Evaluates a conf as bash sources it, one command line after the other, without executing anything. */
import { leftOut } from '../../facts/shell.js';
import type { Range } from '../text/line-index.js';
import { Lost } from '../text/steps.js';
import { runText } from './evaluate.js';
import { Stop } from './outcomes.js';
import { Shell, type Surroundings } from './state.js';
import { type Cursor, cursorAt, SyntaxFault } from './syntax/cursor.js';
import { reportFault } from './syntax-issues.js';

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
  const shell = new Shell(text, surroundings);
  // Bash drops a lone backslash at the end of a script; sh keeps it, as every shell does in a file that is sourced.
  const dropped = shell.self !== null && shell.expandsBraces ? /(?<!\\)(?:\\\\)*\\$/ : /$/;
  const kept = text.replace(dropped, (all) => all.slice(1));
  const cursor = cursorAt(kept, shell.steps);
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
