/** Offsets into a text, as lines and columns and back. */
import type { Source } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';

/** Offsets into a text, the end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of a file as it is written, and the line where it begins. */
export interface Written {
  readonly file: string;
  readonly line: number;
  readonly written: string;
}

/** Lines and columns of one text. */
export class LineIndex {
  readonly text: string;
  /** As the user named it. */
  readonly file: string;
  private readonly starts: number[] = [0];
  private readonly asWritten: string;
  private split: readonly string[] | undefined;

  /** @param asWritten the text before its placeholders were masked */
  constructor(file: string, text: string, asWritten = text) {
    this.file = file;
    this.text = text;
    this.asWritten = asWritten;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  /** Whether placeholders are masked. */
  get isMasked(): boolean {
    return this.asWritten !== this.text;
  }

  /** The lines without their ends; the same array at each call. */
  lines(): readonly string[] {
    this.split ??= (this.text.endsWith('\n') ? this.starts.slice(0, -1) : this.starts).map((start, index) => {
      const end = (this.starts[index + 1] ?? this.text.length + 1) - 1;
      return this.text.slice(start, end).replace(/\r$/, '');
    });
    return this.split;
  }

  span({ start, end }: Range): Span {
    const from = lastAtMost(this.starts, start);
    const to = lastAtMost(this.starts, end);
    return {
      file: this.file,
      line: from + 1,
      column: start - (this.starts[from] as number) + 1,
      endLine: to + 1,
      endColumn: end - (this.starts[to] as number) + 1,
    };
  }

  /** A part of the text as the file has it, with its place. */
  source({ start, end }: Range): Written {
    const { file, line } = this.span({ start, end });
    return { file, line, written: this.asWritten.slice(start, end) };
  }

  /** The inverse of `span`. */
  range({ line, column, endLine, endColumn }: Span): Range {
    return { start: this.offset(line, column), end: this.offset(endLine, endColumn) };
  }

  private offset(line: number, column: number): number {
    return (this.starts[line - 1] ?? 0) + column - 1;
  }
}

/** The index of the last number that is not above `limit`, in an ascending list; 0 when there is none. */
export function lastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The comments of a text in which # begins a comment. */
export function commentsOf(text: string, lineIndex: LineIndex): Source['comments'] {
  return [...text.matchAll(quotedOrComment)].flatMap((match) => {
    const comment = match[1];
    if (comment === undefined) return [];
    const start = match.index + match[0].length - comment.length;
    return { text: comment.replace(/\r$/, ''), at: lineIndex.span({ start, end: start + comment.length }) };
  });
}

/** An apostrophe in a word, such as `node's`, opens a quote only if one closes it on its line. */
const quotedOrComment =
  /(?:^|[ \t;&|()])(#[^\n]*)|\\.|"(?:\\.|[^"\\])*"|(?<![A-Za-z0-9])'[^']*'|'[^'\n]*'/gms;
