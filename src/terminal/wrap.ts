/** Text in a given width. */

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const zeroWidth = /\p{Mn}|\p{Me}/u;

/** The columns that a terminal needs for text without control characters. */
export function columns(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return count;
}

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

/** Wraps one line and keeps its blanks; the other lines start at column `rest`. */
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

/** The text in at most `width` columns; longer text ends in an ellipsis. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += columns(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}
