/** Lines that only assign a text, `NAME=value`, most lines of a conf: they run without a syntax tree. */
import type { Range } from '../text/line-index.js';
import { recordAssignment } from './assign.js';
import type { Shell } from './state.js';
import { type Cursor, skipLines } from './syntax/cursor.js';
import { reportCase } from './syntax-issues.js';
import { maxValue } from './value.js';

/** The value has no place where the shell expands anything, or where the text that it means is written otherwise. */
const plain =
  /([A-Za-z_]\w*)=(?:"([ -!#%&(-[\]-_a-|~]*)"|'([ -&(-~]*)'|([\w.,/%\r-]*))([ \t]*)((?<=[ \t])#[^\n]*)?(?:\n|$)/y;

/** Steps of a command line with one assignment: to read it, and to run it. */
const stepsPerLine = 1 + 1 + 2 + 1 / 4 + 2 + 3 + 2;

/** More steps than a line takes besides these, so that the limit is not reached within a line. */
const maxMore = 200;

/** Runs the next command line if it is plain, with the steps that it takes as any other. False: it is not. */
export function runPlainLine(shell: Shell, cursor: Cursor, doubtOf: (unit: Range) => string | null): boolean {
  skipLines(cursor);
  if (shell.observer !== null || shell.unreadFrom !== null) return false;
  plain.lastIndex = cursor.at;
  const match = plain.exec(cursor.text);
  if (match === null) return false;
  const [line, name = '', double, single, bare = '', blanks = '', comment] = match;
  const text = double ?? single ?? bare;
  const isBare = double === undefined && single === undefined;
  const hasPart = !isBare || text !== '';
  const steps =
    stepsPerLine +
    (hasPart ? 2 + text.length / 16 : 0) +
    (double === undefined ? 0 : text === '' ? 2 : 3) +
    (single === undefined ? text.length / 64 : (text.length + 1) / 64) +
    blanks.length / 4 +
    (comment === undefined ? 0 : 1) +
    (line.endsWith('\n') ? 1 : 0);
  if (text.length > maxValue || shell.steps.left < steps + maxMore || shell.memory.of(name).readOnly)
    return false;
  const start = cursor.at;
  const valueAt = start + name.length + 1;
  const end = valueAt + text.length + (isBare ? 0 : 2);
  cursor.unit = start;
  cursor.at = start + line.length;
  shell.steps.take(steps);
  shell.here = { start, end };
  shell.doubt.unit = doubtOf(shell.here);
  shell.substituted = false;
  reportCase(shell, name, shell.here);
  const from = valueAt + (isBare ? 0 : 1);
  const runs = text === '' ? [] : [{ text, start: from, end: from + text.length }];
  recordAssignment(
    shell,
    { name, append: false, start, end, value: { start: valueAt, end, parts: [] } },
    text,
    runs,
  );
  shell.memory.status = shell.doubt.unit === null ? 0 : null;
  return true;
}
