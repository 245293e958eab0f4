/** Offsets to spans, and where in the conf a piece of a value stands. */
import type { Assignment } from '../../facts/shell.js';
import type { Span } from '../../facts/span.js';
import type { Range } from '../shell/syntax.js';

/** Turns offsets into lines and columns of one text. */
export class LineIndex {
  readonly text: string;
  /** As the user named it. */
  readonly file: string;
  private readonly starts: number[] = [0];
  /** Characters still looked through for pieces of values; then lineIndex are those of whole values. */
  searchable = 20_000_000;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  /** The lines without their ends. */
  lines(): string[] {
    const ends = this.text.endsWith('\n') ? this.starts.slice(0, -1) : this.starts;
    return ends.map((start, index) => {
      const end = (this.starts[index + 1] ?? this.text.length + 1) - 1;
      return this.text.slice(start, end).replace(/\r$/, '');
    });
  }

  span({ start, end }: Range): Span {
    const from = this.lineOf(start);
    const to = this.lineOf(end);
    return {
      file: this.file,
      line: from + 1,
      column: start - (this.starts[from] as number) + 1,
      endLine: to + 1,
      endColumn: end - (this.starts[to] as number) + 1,
    };
  }

  /** The way back, for a span that `span` made. */
  range({ line, column, endLine, endColumn }: Span): Range {
    return { start: this.offset(line, column), end: this.offset(endLine, endColumn) };
  }

  private offset(line: number, column: number): number {
    return (this.starts[line - 1] ?? 0) + column - 1;
  }

  private lineOf(offset: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * The place of a piece of a variable's value: exact where the text stands literally in one of its assignments,
 * after `after` when that is given; else the value of the last one. null: the file never assigns it.
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
  const ordered = [...near.filter((one) => one.effective), ...near.filter((one) => !one.effective)];
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

/** How many assignments of one variable are looked through. */
const most = 16;
const boundary = /[\s'"=,]/;

/** Finds the piece standing alone: not inside a longer word. Each place it stands at costs its length. */
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
