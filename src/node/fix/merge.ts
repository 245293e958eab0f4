/** Edits of several findings as one change of the file: what is meant twice is done once, what collides is left for later. */
import type { Edit } from '../facts/report.js';

/** What brings edits that belong together: all of them are taken, or none. */
export interface Proposal {
  readonly edits: readonly Edit[];
}

export interface Merged<T extends Proposal> {
  /** Non-overlapping, in the file's order. */
  readonly edits: readonly Edit[];
  readonly taken: readonly T[];
  /** What changes text that something taken changes otherwise. */
  readonly left: readonly T[];
}

/** Merges proposals for one file; where two collide, the one that comes first is taken. */
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

/** Insertions at one place stand one behind the other; inside or around a change of the text there is no place. */
function overlaps(a: Edit, b: Edit): boolean {
  if (a.file !== b.file) return false;
  return from(a) < to(b) && from(b) < to(a);
}

/** Two stretches taken out that share some text. */
function union(a: Edit, b: Edit): Edit {
  const [first, last] = [from(a) <= from(b) ? a : b, to(a) >= to(b) ? a : b];
  return { ...first, endLine: last.endLine, endColumn: last.endColumn };
}

/** A place as one number: no file has as many characters in a line. */
const widest = 2 ** 27;

function from({ line, column }: Edit): number {
  return line * widest + column;
}

function to({ endLine, endColumn }: Edit): number {
  return endLine * widest + endColumn;
}
