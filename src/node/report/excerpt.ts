/** A source line with carets below a span, for a terminal. */
import { columns, graphemes } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';

export interface Excerpt {
  readonly text: string;
  /** Blanks, then carets in the width of the marked text. */
  readonly caret: string;
}

/** One grapheme of the line as it is shown. */
interface Cell {
  readonly shown: string;
  readonly width: number;
  readonly marked: boolean;
}

const tab = '    ';

/**
 * Draws `from` (inclusive) to `to` (exclusive), columns counted from 1 in UTF-16 units, in at most `width` columns.
 * Tabs become blanks, control characters visible, wide characters count twice; a long line is cut around the mark.
 */
export function excerpt(line: string, from: number, to: number, width: number): Excerpt {
  const cells = cellsOf(line, from, to);
  const first = cells.findIndex(({ marked }) => marked);
  const start = first === -1 ? cells.length : first;
  const [begin, end] = windowAround(cells, start, width);
  const head = begin > 0 ? '…' : '';
  const tail = end < cells.length ? '…' : '';
  const kept = cells.slice(begin, end);
  const before = head.length + widthOf(kept.slice(0, start - begin));
  const marked = Math.max(1, widthOf(kept.filter(({ marked }) => marked)));
  return {
    text: (head + kept.map(({ shown }) => shown).join('') + tail).trimEnd(),
    caret: ' '.repeat(before) + '^'.repeat(Math.min(marked, Math.max(1, width - before))),
  };
}

function cellsOf(line: string, from: number, to: number): Cell[] {
  const cells: Cell[] = [];
  let at = 1;
  for (const character of graphemes(line)) {
    // Fast path for ASCII.
    const plain = character >= ' ' && character <= '~';
    const shown = plain ? character : character === '\t' ? tab : visible(character);
    cells.push({ shown, width: plain ? 1 : columns(shown), marked: at + character.length > from && at < to });
    at += character.length;
  }
  return cells;
}

/** The cells to show: all if they fit, otherwise a part in which the mark begins in the first third. */
function windowAround(cells: readonly Cell[], start: number, width: number): [number, number] {
  if (widthOf(cells) <= width) return [0, cells.length];
  const room = Math.max(1, width - 2);
  let begin = start;
  let used = 0;
  while (begin > 0 && used + (cells[begin - 1]?.width ?? 0) <= room / 3) used += cells[--begin]?.width ?? 0;
  if (widthOf(cells.slice(begin)) < room) {
    begin = cells.length;
    used = 0;
    while (begin > 0 && used + (cells[begin - 1]?.width ?? 0) <= room) used += cells[--begin]?.width ?? 0;
    return [begin, cells.length];
  }
  let end = start;
  while (end < cells.length && used + (cells[end]?.width ?? 0) <= room) used += cells[end++]?.width ?? 0;
  return [begin, end];
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
