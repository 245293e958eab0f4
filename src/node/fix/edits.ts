/** Edits of a text: merged from several findings, and applied. */
import { groupBy } from '../../util/group-by.js';
import type { Edit } from '../facts/report.js';
import type { Texts } from '../sources/text/editable.js';
import type { Range } from '../sources/text/line-index.js';

/** Edits that are applied together or not at all. */
export interface Proposal {
  readonly edits: readonly Edit[];
}

export interface Merged<T extends Proposal> {
  /** Non-overlapping, in the file's order. */
  readonly edits: readonly Edit[];
  readonly taken: readonly T[];
  /** Proposals that conflict with a taken one. */
  readonly left: readonly T[];
}

/** Merges proposals for one file. Equal edits are applied once; of two that conflict, the first is taken. */
export function merge<T extends Proposal>(proposals: readonly T[]): Merged<T> {
  let edits: readonly Edit[] = [];
  const [taken, left]: [T[], T[]] = [[], []];
  for (const one of proposals) {
    const more = withAll(edits, one.edits);
    if (more === null) left.push(one);
    else taken.push(one);
    edits = more ?? edits;
  }
  return { edits: edits.toSorted((a, b) => from(a) - from(b) || to(a) - to(b)), taken, left };
}

function withAll(edits: readonly Edit[], more: readonly Edit[]): readonly Edit[] | null {
  return more.reduce<readonly Edit[] | null>((all, edit) => (all === null ? null : added(all, edit)), edits);
}

function added(edits: readonly Edit[], edit: Edit): readonly Edit[] | null {
  let merged = edit;
  const others: Edit[] = [];
  for (const other of edits) {
    if (isSame(other, edit)) return edits;
    if (!overlaps(other, merged)) others.push(other);
    else if (other.text === '' && merged.text === '') merged = union(other, merged);
    else return null;
  }
  return [...others, merged];
}

function isSame(a: Edit, b: Edit): boolean {
  return a.file === b.file && from(a) === from(b) && to(a) === to(b) && a.text === b.text;
}

/** Insertions at the same place do not overlap. */
function overlaps(a: Edit, b: Edit): boolean {
  if (a.file !== b.file) return false;
  return from(a) < to(b) && from(b) < to(a);
}

/** The union of two overlapping deletions. */
function union(a: Edit, b: Edit): Edit {
  const [first, last] = [from(a) <= from(b) ? a : b, to(a) >= to(b) ? a : b];
  return { ...first, endLine: last.endLine, endColumn: last.endColumn };
}

/** Lines are shorter than this, so that a place fits into one number. */
const maxWidth = 2 ** 27;

function from({ line, column }: Edit): number {
  return line * maxWidth + column;
}

function to({ endLine, endColumn }: Edit): number {
  return endLine * maxWidth + endColumn;
}

/** The texts of the files that the edits change; null where the edits of one of them do not apply. */
export function applyTo(textOf: (path: string) => string | undefined, edits: readonly Edit[]): Texts | null {
  const changed = new Map<string, string>();
  for (const [path, own] of groupBy(edits, ({ file }) => file)) {
    const text = textOf(path);
    const after = text === undefined ? null : apply(text, own);
    if (after === null) return null;
    if (after !== text) changed.set(path, after);
  }
  return changed;
}

/** Applies edits and keeps the file's line ends; null where edits overlap or an edit is outside the text. */
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

/** The edits as ranges, in their order; null where one is outside the text. */
function changesOf(text: string, edits: readonly Edit[]): (Range & { readonly text: string })[] | null {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (line: number, column: number): number | null => {
    const start = starts[line - 1];
    if (start === undefined || column < 1) return null;
    const at = start + column - 1;
    return at <= (starts[line] ?? text.length + 1) - 1 ? at : null;
  };
  const changes: (Range & { readonly text: string })[] = [];
  for (const { line, column, endLine, endColumn, text: put } of edits) {
    const [start, end] = [offset(line, column), offset(endLine, endColumn)];
    if (start === null || end === null || end < start) return null;
    changes.push({ start, end, text: put.replace(/\r?\n/g, lineEnd(text, start)) });
  }
  return changes;
}

/** The line end of the line at an offset. */
function lineEnd(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return (end < 0 ? text.endsWith('\r\n') : text[end - 1] === '\r') ? '\r\n' : '\n';
}
