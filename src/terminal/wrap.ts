/** Prose in a given width. */
import { columns } from './columns.js';

/** Breaks text at blanks into lines of at most `width` columns; the first starts at column `first`, the others at `rest`. */
export function wrap(text: string, width: number, first: number, rest: number): string {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let used = first;
  for (const word of text.split(/ +/)) {
    const wide = columns(word);
    const empty = line.trim() === '';
    if (!empty && used + 1 + wide > width) {
      lines.push(line);
      line = ' '.repeat(rest) + word;
      used = rest + wide;
    } else {
      line += empty ? word : ` ${word}`;
      used += wide + (empty ? 0 : 1);
    }
  }
  return [...lines, line].join('\n');
}

/** A line that is laid out already: blanks stay, and what does not fit goes on below, at column `rest`. */
export function fold(line: string, width: number, rest: number): string {
  const lines: string[] = [];
  let current = '';
  for (const part of line.split(/(?<= )(?=[^ ])/)) {
    if (current.trim() !== '' && columns((current + part).trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = ' '.repeat(rest);
    }
    current += part;
  }
  return [...lines, current.trimEnd()].join('\n');
}
