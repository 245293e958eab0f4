/** Text cut out of files, with the place of each character. */
import type { Span } from '../../facts/span.js';
import { LineIndex, lastAtMost, type Range, type Written } from './line-index.js';
import { ownFolder, unfilled } from './placeholders.js';

/** A run of characters and its range in a file. Where both have the same length, characters match one by one. */
interface Piece {
  readonly text: string;
  readonly in: LineIndex;
  readonly from: number;
  readonly to: number;
}

/** Characters; as long as the longest file of one node. */
const maxJoined = 1 << 20;

export class Placed {
  readonly text: string;
  private readonly pieces: readonly Piece[];
  private readonly starts: readonly number[];

  private constructor(pieces: readonly Piece[]) {
    let length = 0;
    this.pieces = pieces;
    this.starts = pieces.map(({ text }) => {
      length += text.length;
      return length - text.length;
    });
    this.text = pieces.map(({ text }) => text).join('');
  }

  /** A range of a file, unchanged. */
  static at(file: LineIndex, start = 0, end = file.text.length): Placed {
    return new Placed([{ text: file.text.slice(start, end), in: file, from: start, to: end }]);
  }

  /** Text that the file writes in another way, such as an escape: each character has the place of the whole range. */
  static for(text: string, file: LineIndex, start: number, end: number): Placed {
    return new Placed([{ text, in: file, from: start, to: end }]);
  }

  /** An empty text at the beginning of a file. */
  static nowhere(file: string): Placed {
    return Placed.at(new LineIndex(file, ''));
  }

  /**
   * Joins parts, with a text between them that has the place of the part behind it. A text longer than `maxJoined` (from
   * repeated `A=$A$A`) becomes unknown.
   */
  static join(parts: readonly Placed[], between = ''): Placed {
    const all =
      between === '' ? parts : parts.flatMap((part, at) => (at === 0 ? [part] : [part.as(between), part]));
    const first = all.find(({ pieces }) => pieces.length > 0)?.pieces.slice(0, 1) ?? [];
    if (all.reduce((sum, { text }) => sum + text.length, 0) > maxJoined)
      return new Placed(first).as(unfilled);
    const kept = all.flatMap(({ pieces }) => pieces.filter(({ text }) => text !== ''));
    return new Placed(kept.length > 0 ? kept : first);
  }

  /** Joins parts; a part without a place has the place of this text. */
  joined(parts: readonly (Placed | string)[]): Placed {
    const placed = parts.map((part) => (typeof part === 'string' ? this.as(part) : part));
    return Placed.join([this.slice(0, 0), ...placed]);
  }

  /** Another text with the same place. */
  as(text: string): Placed {
    const [first] = this.pieces;
    if (first === undefined || text === this.text) return this;
    const last = this.pieces.findLast((piece) => piece.in === first.in) ?? first;
    return new Placed([{ text, in: first.in, from: first.from, to: last.to }]);
  }

  slice(start: number, end = this.text.length): Placed {
    const parts: Piece[] = [];
    for (let index = this.pieceAt(start); index < this.pieces.length; index++) {
      const piece = this.pieces[index] as Piece;
      const first = this.starts[index] as number;
      if (first >= end && parts.length > 0) break;
      const a = Math.min(Math.max(0, start - first), piece.text.length);
      const b = Math.max(a, Math.min(piece.text.length, end - first));
      const exact = piece.to - piece.from === piece.text.length;
      const [from, to] = exact ? [piece.from + a, piece.from + b] : [piece.from, piece.to];
      parts.push({ text: piece.text.slice(a, b), in: piece.in, from, to });
      if (first + piece.text.length >= end) break;
    }
    return new Placed(parts);
  }

  /** As `String.split`. */
  split(separator: RegExp): Placed[] {
    if (!separator.test(this.text)) return [this];
    const parts: Placed[] = [];
    let start = 0;
    for (const match of this.text.matchAll(new RegExp(separator, 'g'))) {
      parts.push(this.slice(start, match.index));
      start = match.index + match[0].length;
    }
    return [...parts, this.slice(start)];
  }

  /** As `String.replace` with a global pattern: `by` gets each match and its place; null leaves it unchanged. */
  replace(pattern: RegExp, by: (match: RegExpExecArray, at: Placed) => Placed | null): Placed {
    const parts: Placed[] = [];
    let start = 0;
    for (const match of this.text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const replacement = by(match, this.slice(match.index, end));
      if (replacement === null) continue;
      parts.push(this.slice(start, match.index), replacement);
      start = end;
    }
    return parts.length === 0 ? this : Placed.join([...parts, this.slice(start)]);
  }

  trim(): Placed {
    const start = this.text.length - this.text.trimStart().length;
    return this.slice(start, Math.max(start, this.text.trimEnd().length));
  }

  /** The place of a range of the text. For a range over two files, only the part in the first file. */
  span({ start, end }: Range = { start: 0, end: this.text.length }): Span {
    const first = this.pieces[this.pieceAt(start)];
    if (first === undefined) throw new Error('an empty text has no place');
    let last = this.pieces[this.pieceAt(Math.max(start, end - 1))] as Piece;
    if (last.in !== first.in) last = first;
    const from = this.offset(first, start);
    const to = this.offset(last, end, true);
    return first.in.span({ start: from, end: to > from ? to : Math.max(from, first.to) });
  }

  /** The part of a file that a range of the text comes from, within one piece. */
  source(start: number, end: number): Written {
    const piece = this.pieces[this.pieceAt(start)];
    if (piece === undefined) throw new Error('an empty text has no place');
    return piece.in.source({ start: this.offset(piece, start), end: this.offset(piece, end, true) });
  }

  /** The files that parts of the text come from. */
  get files(): string[] {
    return [...new Set(this.pieces.map((piece) => piece.in.file))];
  }

  /** Whether this is the same characters from the same places. */
  isSame({ pieces }: Placed): boolean {
    return (
      pieces.length === this.pieces.length &&
      pieces.every((one, at) => {
        const { text, in: file, from, to } = this.pieces[at] as Piece;
        return one.text === text && one.in === file && one.from === from && one.to === to;
      })
    );
  }

  private offset(piece: Piece, at: number, isEnd = false): number {
    if (piece.to - piece.from !== piece.text.length) return isEnd ? piece.to : piece.from;
    const within = at - (this.starts[this.pieces.indexOf(piece)] as number);
    return piece.from + Math.max(0, Math.min(within, piece.text.length));
  }

  private pieceAt(at: number): number {
    return lastAtMost(this.starts, at);
  }
}

/** Whether the text holds no unknown part. */
export function isKnown(text: string): boolean {
  return !text.includes(unfilled) && !text.includes(ownFolder);
}

/** The line index of a text that was joined from pieces. */
export class PlacedIndex extends LineIndex {
  /** Where a command writes the text; null for another text. */
  readonly path: string | null;
  private readonly placed: Placed;
  private readonly ranges = new Map<Span, Range>();

  constructor(placed: Placed, path: string | null = null) {
    super(placed.span().file, placed.text);
    this.path = path;
    this.placed = placed;
  }

  isSame({ placed }: PlacedIndex): boolean {
    return this.placed.isSame(placed);
  }

  override span(range: Range): Span {
    const span = this.placed.span(range);
    this.ranges.set(span, range);
    return span;
  }

  override source({ start, end }: Range): Written {
    return this.placed.source(start, end);
  }

  override range(span: Span): Range {
    return this.ranges.get(span) ?? { start: 0, end: 0 };
  }
}
