/** The words of a start, and the places of pieces in them. */
import type { Span } from '../../facts/span.js';
import type { Placed } from './placed.js';

export class WordPlaces {
  private readonly words = new Map<Span, Placed>();
  /** Where the pieces that were found end in their words. */
  private readonly ends = new Map<Span, number>();

  keep(word: Placed, at = word.span()): Span {
    this.words.set(at, word);
    return at;
  }

  /** Keeps a word of a value: its place, or that of the value where the word begins or ends elsewhere. */
  keepIn(value: Span, word: Placed): Span {
    const { length } = word.text;
    const edges = [word.span({ start: 0, end: 1 }), word.span({ start: length - 1, end: length })];
    return this.keep(word, edges.every((edge) => isInside(edge, value)) ? word.span() : { ...value });
  }

  /** The first place of a piece in the word of this place, after another piece; else the place of the whole word. */
  locate(at: Span | null, piece: string, after: Span | null): Span | null {
    const word = at === null ? undefined : this.words.get(at);
    if (word === undefined) return at;
    const { text } = word;
    const from = after === null ? 0 : (this.ends.get(after) ?? 0);
    for (let start = text.indexOf(piece, from); start >= 0; start = text.indexOf(piece, start + 1)) {
      const end = start + piece.length;
      if (!boundary.test(text[start - 1] ?? ',') || !boundary.test(text[end] ?? ',')) continue;
      const span = word.span({ start, end });
      this.ends.set(span, end);
      return span;
    }
    return at;
  }
}

const boundary = /[\s,=]/;

function isInside(span: Span, { file, line, column, endLine, endColumn }: Span): boolean {
  const starts = span.line > line || (span.line === line && span.column >= column);
  const ends = span.endLine < endLine || (span.endLine === endLine && span.endColumn <= endColumn);
  return span.file === file && starts && ends;
}
