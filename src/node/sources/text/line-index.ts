/** Offsets to lines and columns, and back. */
import type { Span } from '../../facts/span.js';
import type { Range } from './range.js';

/** Turns offsets into lines and columns of one text. */
export class LineIndex {
  readonly text: string;
  /** As the user named it. */
  readonly file: string;
  private readonly starts: number[] = [0];
  /** Characters still looked through for pieces of values; then places are those of whole values. */
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
