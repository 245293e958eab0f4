/** Spans as an editor counts them, and back. */
import type { Position, Range, TextEdit } from 'vscode-languageserver-protocol';
import type { Edit } from '../facts/report.js';
import type { Span } from '../facts/span.js';

/** The first character of a line that starts with a byte order mark, which the text of an editor does not hold. */
const byteOrderMark = '\uFEFF';

/** Both count UTF-16 units. `source`: the text of the first line, if it is known. */
export function rangeOf(at: Span, source: string | null = null): Range {
  const shift = marked(at, source) ? 1 : 0;
  const position = (line: number, column: number): Position => ({
    line: line - 1,
    character: Math.max(0, column - 1 - (line === 1 ? shift : 0)),
  });
  return { start: position(at.line, at.column), end: position(at.endLine, at.endColumn) };
}

function marked({ line }: Span, source: string | null): boolean {
  return line === 1 && source?.startsWith(byteOrderMark) === true;
}

/** The edits of a fix in one file; null where one changes what an editor does not show as text: a line end, a byte order mark. */
export function textEdits(edits: readonly Edit[]): TextEdit[] | null {
  const all = edits.map((edit) => ({ range: rangeOf(edit, edit.source), newText: edit.text }));
  return edits.some(isUnseen) ? null : all;
}

function isUnseen(edit: Edit): boolean {
  const { line, column, endLine, endColumn, text, source = null } = edit;
  if (marked(edit, source) && column === 1) return true;
  return source !== null && text === '' && line === endLine && column > source.length && endColumn > column;
}

/** Whether the ranges have a place in common, which may be an end of one. */
export function touch(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
