/** Tables in a given width. Text is wrapped, never cut. */
import { columns, fitting } from './wrap.js';

const gap = 2;
const minWidth = 12;

/**
 * Rows below a header. The widest columns are narrowed and their cells wrapped until the table fits. If it cannot fit,
 * each row becomes a list of its cells.
 */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, at) => Math.max(...all.map((row) => columns(row[at] ?? ''))));
  // A word is broken only if it takes a large part of the width.
  const maxFloor = Math.max(minWidth, Math.floor(width * 0.4));
  const floors = widths.map((_, at) =>
    Math.min(maxFloor, Math.max(...all.map((row) => longestPart(row[at] ?? '')))),
  );
  let over = sum(widths) + gap * (heads.length - 1) - width;
  for (; over > 0; over--) {
    const room = widths.map((one, at) => (one > (floors[at] ?? minWidth) ? one : 0));
    const widest = room.indexOf(Math.max(...room));
    if ((room[widest] ?? 0) === 0) return rows.map((row) => list(heads, row, width)).join('\n');
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return all.map((row) => line(row, widths)).join('\n');
}

function longestPart(cell: string): number {
  return Math.max(...parts(cell).map((part) => columns(part.trimEnd())));
}

function parts(text: string): string[] {
  return text.split(/(?<=[, ])(?! )/);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const broken = cells.map((cell, at) => brokenAt(cell, widths[at] ?? minWidth));
  const height = Math.max(...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    broken
      .map((lines, at) => padded(lines[row] ?? '', widths[at] ?? minWidth))
      .join(' '.repeat(gap))
      .trimEnd(),
  ).join('\n');
}

/** The first cell, and below it the other cells with text, each after its head. */
function list(heads: readonly string[], [first = '', ...others]: readonly string[], width: number): string {
  const label = Math.max(...heads.slice(1).map(columns)) + gap;
  const lines = others.flatMap((cell, at) => {
    if (cell === '') return [];
    const [top = '', ...rest] = brokenAt(cell, Math.max(1, width - gap - label));
    const head = ' '.repeat(gap) + padded(heads[at + 1] ?? '', label);
    return [head + top, ...rest.map((text) => ' '.repeat(gap + label) + text)];
  });
  return [...brokenAt(first, width), ...lines].join('\n');
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** Lines of at most `width` columns, broken after blanks and commas, or inside a longer word. */
function brokenAt(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of parts(text)) {
    if (line.trim() !== '' && columns(line + part.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += part;
    while (columns(line.trimEnd()) > width) {
      const cut = fitting(line, width);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
    }
  }
  return [...lines, line.trimEnd()];
}
