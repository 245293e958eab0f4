/** Command lines in turn, and what bash or kaiactl skips where one cannot be parsed. */
import { isBuiltin } from './builtins.js';
import type { Shell } from './state.js';
import { readUnit } from './syntax/command.js';
import { type Cursor, SyntaxFault } from './syntax/cursor.js';
import type { Command } from './syntax/tree.js';
import { reportFault } from './syntax-issues.js';

/** Reads the next command line, and skips lines that kaiactl cannot parse. @throws {SyntaxFault} where bash stops */
export function nextUnit(shell: Shell, cursor: Cursor): Command | null {
  for (;;) {
    try {
      return readUnit(cursor);
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      if (error.kind === 'unsupported-syntax') shell.unreadFrom ??= cursor.unit;
      if (shell.unreadFrom !== null && cursor.unit >= shell.unreadFrom) skipLine(shell, cursor, error);
      else if (error.inList) skipCommand(shell, cursor, error);
      else throw error;
    }
  }
}

/** Bash reads on in the next line. */
function skipCommand(shell: Shell, cursor: Cursor, fault: SyntaxFault): void {
  reportFault(shell, fault, cursor.unit);
  shell.memory.status = null;
  continueAt(cursor, lineEnd(cursor.text, fault.at) + 1);
}

/** What follows may be a part of the construct that is not parsed. */
function skipLine(shell: Shell, cursor: Cursor, fault: SyntaxFault): void {
  const { text, unit: start } = cursor;
  const end = lineEnd(text, start);
  const line = text.slice(start, end);
  shell.steps.take(line.length / 4);
  const reason = `kaiactl does not evaluate ${fault.message}`;
  if (start === shell.unreadFrom) reportFault(shell, fault, start);
  const isOpen = shell.leaveOpen({ start, end }, reason, 'changes only the variables that it names');
  for (const name of line.match(/[A-Za-z_]\w*|\.(?=\s)/g) ?? []) {
    shell.steps.take();
    if (name !== '.') shell.set(name, { unknown: reason });
    if (isOpen && (isBuiltin(name) || shell.memory.isFunction(name))) shell.taint(reason);
  }
  continueAt(cursor, end + 1);
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
}

function continueAt(cursor: Cursor, at: number): void {
  cursor.at = Math.min(at, cursor.text.length);
  cursor.depth = 0;
  cursor.pending = [];
}
