/** Edits put into a text: every character they do not name stays. */
import type { Edit } from '../facts/report.js';

/** A stretch of a text and what comes in its place; an empty stretch is a place to insert at. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the edits in it, line ends as the file has them; null where edits overlap, or one lies outside of it. */
export function apply(text: string, edits: readonly Edit[]): string | null {
  const changes = changesOf(text, edits)?.toSorted((a, b) => a.start - b.start || a.end - b.end);
  if (changes === undefined) return null;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: put } of changes) {
    if (start < from) return null;
    parts.push(text.slice(from, start), put);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** Where in the text the edits are, in their order; null where one lies outside of it. */
function changesOf(text: string, edits: readonly Edit[]): Change[] | null {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (line: number, column: number): number | null => {
    const start = starts[line - 1];
    if (start === undefined || column < 1) return null;
    const at = start + column - 1;
    return at <= (starts[line] ?? text.length + 1) - 1 ? at : null;
  };
  const changes: Change[] = [];
  for (const { line, column, endLine, endColumn, text: put } of edits) {
    const [start, end] = [offset(line, column), offset(endLine, endColumn)];
    if (start === null || end === null || end < start) return null;
    changes.push({ start, end, text: put.replace(/\r?\n/g, lineEnd(text, start)) });
  }
  return changes;
}

/** How the line ends that a place is in. */
function lineEnd(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return (end < 0 ? text.endsWith('\r\n') : text[end - 1] === '\r') ? '\r\n' : '\n';
}
