/** Reads a conf's text the way bash sources it: one command line after the other, nothing executed. */

import type { Range } from '../text/range.js';
import { readUnit } from './command.js';
import { type Cursor, cursorAt, SyntaxFault } from './cursor.js';
import { run } from './evaluate.js';
import { Discard, Lost, Stop } from './leave.js';
import { type Decide, type Observer, Shell } from './state.js';
import { Steps } from './steps.js';
import type { Command } from './syntax.js';
import type { Unknown, Value } from './value.js';

/** What is set before the file is read. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, Value>>;
  readonly exported: readonly string[];
  /** What every other name holds. Default: it is not set. */
  readonly rest?: Unknown;
  /** Who follows the commands beside the variables. */
  readonly observer?: Observer;
  /** What is assumed of conditions that cannot be known. Default: nothing. */
  readonly decide?: Decide;
  /** True for a variable that whoever reads the file takes a setting from. Default: none is. */
  readonly isSetting?: (name: string) => boolean;
  /** Counts the work, together with what else is read of the file. Default: of this text alone. */
  readonly steps?: Steps;
}

/** How the reading ended: at the file's end, or why not. */
export interface Reading {
  readonly shell: Shell;
  /** Set when `exit` certainly ends the launcher while it reads the file. */
  readonly ends: { readonly reason: string; readonly start: number; readonly end: number } | null;
}

/**
 * Follows the whole text. Never throws: what bash would not survive is in the journal.
 * @param optional a stretch of which a template decides whether it is there
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
  if (surroundings.rest !== undefined) shell.memory.rest = surroundings.rest;
  // Bash takes it from nobody.
  shell.memory.change('IFS', { value: null });
  const cursor = cursorAt(text, shell.steps);
  let ends: Reading['ends'] = null;
  try {
    for (;;) {
      const unit = nextUnit(shell, cursor);
      if (unit === null) break;
      const doubtful = optional !== null && unit.start >= optional.start && unit.start < optional.end;
      runUnit(shell, unit, doubtful ? 'a template decides whether the line is there' : null);
      for (const name of cursor.documentNames.splice(0)) {
        shell.steps.take();
        shell.set(name, { unknown: 'an expansion in a here-document may set it' });
      }
    }
  } catch (error) {
    ends = afterEnd(shell, error, cursor);
  }
  return { shell, ends };
}

function nextUnit(shell: Shell, cursor: Cursor): Command | null {
  const start = cursor.at;
  try {
    return readUnit(cursor);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    reportFault(shell, error, start);
    return null;
  }
}

/** Bash runs nothing of the command line a fault stands in, and nothing after it. */
function reportFault(shell: Shell, fault: SyntaxFault, start: number): void {
  const { text } = shell;
  const at = Math.min(fault.at, text.length);
  const lost = 'bash stops here: nothing from this command on takes effect';
  if (fault.kind === 'unsupported-syntax') {
    shell.taint(`${fault.message} is outside what kaiactl reads`);
    shell.doubt.file = fault.message;
  }
  if (fault.inCommand) {
    const reason = 'an error inside $( ) ends the script in bash 5.2';
    shell.addExit({ reason, at: { start: at, end: Math.min(at + 1, text.length) } });
  }
  const first = text.slice(start).search(/[^\s]/);
  const command = text.slice(start + Math.max(first, 0), at).match(/^([A-Za-z_]\w*)=/);
  shell.addIssue({
    kind: fault.kind,
    at: { start: at, end: Math.min(at + 1, text.length) },
    variable: command?.[1] ?? null,
    becomes: `${fault.message}; ${fault.kind === 'unsupported-syntax' ? 'what follows is not read' : lost}`,
    likelyMistake: fault.kind !== 'unsupported-syntax',
  });
}

function runUnit(shell: Shell, unit: Command, doubt: string | null): void {
  shell.doubt.unit = doubt;
  try {
    run(shell, unit);
    // Where the line may have been left, so may its last command.
    if (shell.doubt.unit !== null) shell.memory.status = null;
  } catch (error) {
    if (!(error instanceof Discard)) throw error;
    shell.memory.status = 1;
    shell.addIssue({
      kind: 'syntax-error',
      at: { start: unit.start, end: unit.end },
      variable: null,
      becomes: `bash fails here (${error.message}) and skips the rest of the command line`,
      likelyMistake: true,
    });
  }
}

function afterEnd(shell: Shell, error: unknown, cursor: Cursor): Reading['ends'] {
  if (error instanceof Stop) {
    if (error.how === 'return') return null;
    if (shell.doubt.file !== null || shell.doubt.unit !== null) {
      shell.addExit({ reason: error.message, at: error.at });
      return null;
    }
    return { reason: error.message, start: error.at.start, end: error.at.end };
  }
  if (error instanceof RangeError || error instanceof Lost) {
    shell.taint(error.message);
    const at = { start: Math.min(cursor.at, shell.text.length), end: Math.min(cursor.at, shell.text.length) };
    shell.journal.syntaxIssues.push({
      kind: 'unsupported-syntax',
      at,
      variable: null,
      becomes: `${error.message}: nothing can be said about the variables`,
      likelyMistake: false,
    });
    return null;
  }
  throw error;
}
