/** Pieces of a text with their places, as tests of readers write them. */
import type { Range } from '../../../src/node/sources/text/line-index.js';
import type { Placed } from '../../../src/node/sources/text/placed.js';

type Place = readonly [line: number, column: number];
/** A piece of text and its place: from the first character to behind the last. */
export type Piece = readonly [text: string, from: Place, to: Place];

export function piece(text: string, placed: Placed, range?: Range): Piece {
  const { line, column, endLine, endColumn } = placed.span(range);
  return [text, [line, column], [endLine, endColumn]];
}
