/** The place of a piece of a value in a conf. */

import type { Assignment } from '../../facts/shell.js';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../text/line-index.js';

/** The place of a piece of a flag's value inside its word. */
export function within(lineIndex: LineIndex, at: Span, piece: string, after: Span | null): Span | null {
  const { start, end } = lineIndex.range(at);
  const from = after === null ? start : Math.max(start, lineIndex.range(after).end);
  const found = lineIndex.text.slice(from, end).indexOf(piece);
  return found < 0 ? at : lineIndex.span({ start: from + found, end: from + found + piece.length });
}

/**
 * The place of a piece of a variable's value: exact where an assignment contains the text literally (and after `after`, if
 * that is given); else the value of the last assignment. null: the file never assigns the variable.
 */
export function pieceOf(
  lineIndex: LineIndex,
  assignments: readonly Assignment[],
  piece: string,
  after: Span | null,
): Span | null {
  const last = assignments.findLast(({ effective }) => effective) ?? null;
  if (last === null) return null;
  if (piece === '') return last.valueAt;
  const near = assignments.slice(-most);
  const ordered =
    near.length === 1
      ? near
      : [...near.filter((one) => one.effective), ...near.filter((one) => !one.effective)];
  const from = after === null ? -1 : lineIndex.range(after).end;
  for (const least of from < 0 ? [-1] : [from, -1]) {
    for (const { valueAt } of ordered) {
      const { start, end } = lineIndex.range(valueAt);
      if (lineIndex.searchable < 0) return last.valueAt;
      lineIndex.searchable -= Math.max(64, end - start);
      const found = wordIn(lineIndex, piece, Math.max(start, least), end);
      if (found >= 0) return lineIndex.span({ start: found, end: found + piece.length });
    }
  }
  return last.valueAt;
}

/** The limit of assignments of one variable that are searched. */
const most = 16;

const boundary = /[\s'"=,]/;

/** Finds the piece as a whole word. Each candidate costs its length. */
function wordIn(lineIndex: LineIndex, piece: string, start: number, end: number): number {
  const text = lineIndex.text.slice(start, end);
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    lineIndex.searchable -= piece.length;
    if (lineIndex.searchable < 0) return -1;
    const before = text[at - 1] ?? ' ';
    const behind = text[at + piece.length] ?? ' ';
    if (boundary.test(before) && boundary.test(behind)) return start + at;
  }
  return -1;
}
