/** Text cut out of a file, and where each of its characters stands there: what a source hands to the readers. */
import type { Span } from '../../facts/span.js';
import { LineIndex } from './line-index.js';
import { unfilled } from './placeholders.js';
import type { Range } from './range.js';

/** A run of characters. `from` to `to` is as long as the text where each character stands for itself. */
interface Piece {
  readonly text: string;
  readonly in: LineIndex;
  readonly from: number;
  readonly to: number;
}

/** As long as the longest file of one node. */
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

  /** A stretch of a file as it stands. */
  static at(file: LineIndex, start = 0, end = file.text.length): Placed {
    return new Placed([{ text: file.text.slice(start, end), in: file, from: start, to: end }]);
  }

  /** Text that is written another way there: every character stands for the whole stretch. */
  static for(text: string, file: LineIndex, start: number, end: number): Placed {
    return new Placed([{ text, in: file, from: start, to: end }]);
  }

  /** No text at all, at the beginning of a file. */
  static nowhere(file: string): Placed {
    return Placed.at(new LineIndex(file, ''));
  }

  /** The parts one behind the other; what grows beyond `maxJoined` (`A=$A$A` again and again) is not known. */
  static join(parts: readonly Placed[]): Placed {
    const all = parts.flatMap(({ pieces }) => pieces);
    const kept = all.filter(({ text }) => text !== '');
    const length = kept.reduce((sum, { text }) => sum + text.length, 0);
    if (length > maxJoined) return new Placed(all.slice(0, 1)).as(unfilled);
    return new Placed(kept.length > 0 ? kept : all.slice(0, 1));
  }

  /** Other text for the same place. */
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

  /** Pieces between separators, as `text.split` makes them. */
  split(separator: RegExp): Placed[] {
    const parts: Placed[] = [];
    let start = 0;
    for (const match of this.text.matchAll(new RegExp(separator, 'g'))) {
      parts.push(this.slice(start, match.index));
      start = match.index + match[0].length;
    }
    return [...parts, this.slice(start)];
  }

  trim(): Placed {
    const start = this.text.length - this.text.trimStart().length;
    return this.slice(start, Math.max(start, this.text.trimEnd().length));
  }

  /** Where a stretch of the text stands; of a stretch over two files, where its beginning stands. */
  span({ start, end }: Range = { start: 0, end: this.text.length }): Span {
    const first = this.pieces[this.pieceAt(start)];
    if (first === undefined) throw new Error('an empty text has no place');
    let last = this.pieces[this.pieceAt(Math.max(start, end - 1))] as Piece;
    if (last.in !== first.in) last = first;
    const from = this.offset(first, start);
    const to = this.offset(last, end, true);
    return first.in.span({ start: from, end: to > from ? to : Math.max(from, first.to) });
  }

  private offset(piece: Piece, at: number, isEnd = false): number {
    if (piece.to - piece.from !== piece.text.length) return isEnd ? piece.to : piece.from;
    const within = at - (this.starts[this.pieces.indexOf(piece)] as number);
    return piece.from + Math.max(0, Math.min(within, piece.text.length));
  }

  private pieceAt(at: number): number {
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}

/** True when it is known what stands there. */
export function isKnown(text: string): boolean {
  return !text.includes(unfilled);
}

/** Places for a text that was put together from pieces. */
export class PlacedIndex extends LineIndex {
  private readonly placed: Placed;
  private readonly ranges = new Map<Span, Range>();

  constructor(placed: Placed) {
    super(placed.span().file, placed.text);
    this.placed = placed;
  }

  override span(range: Range): Span {
    const span = this.placed.span(range);
    this.ranges.set(span, range);
    return span;
  }

  override range(span: Span): Range {
    return this.ranges.get(span) ?? { start: 0, end: 0 };
  }
}
