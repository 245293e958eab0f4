/** CSV (RFC 4180). */
import { visible } from './visible.js';

/** The cells of a row; null if a quote is not closed. `mark` separates them. */
export function cellsOf(row: string, mark = ','): string[] | null {
  const found: string[] = [];
  const cell = new RegExp(`(?: *"((?:[^"]|"")*)"[ \\r]*|([^"${mark}]*))(${mark}|$)`, 'y');
  for (;;) {
    const match = cell.exec(row);
    if (match === null) return null;
    found.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    if (match[3] === '') return found;
  }
}

/** The text of a cell on one line; an apostrophe precedes what a spreadsheet would calculate. */
export function cellText(value: string | number | boolean | null | undefined, maxLength: number): string {
  const text = visible(String(value ?? ''), maxLength);
  return /^\s*[=+\-@|%]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
}
