/** Text in a given width. */

import { eastAsianWidth } from 'get-east-asian-width';

/** Characters that a terminal may draw together with others: marks, flags, skin tones, syllables of Hangul in parts. */
const joined = /[\p{M}\p{Regional_Indicator}\p{Emoji_Modifier}\u1160-\u11ff\u200d]/u;
/** Drawn as a picture: with the selector of one, and two letters of a flag. */
const picture = /\ufe0f|^\p{Regional_Indicator}{2}/u;

/** What a terminal draws as one. Intl.Segmenter is asked only where it matters, since it takes 10 ms to load. */
export function graphemes(text: string): Iterable<string> {
  return joined.test(text) ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment) : text;
}

/** The columns that a terminal needs for text without control characters. */
export function columns(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let count = 0;
  for (const one of graphemes(text)) count += picture.test(one) ? 2 : widthOf(one);
  return count;
}

function widthOf(grapheme: string): number {
  return /^\p{M}/u.test(grapheme) ? 0 : eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

/** Breaks text at blanks into lines of at most `width` columns; the first starts at column `first`, the others at `rest`. */
export function wrap(text: string, width: number, first: number, rest: number): string {
  return wrapWords(text.split(/ +/), width, first, rest);
}

/** The same of words, which may hold blanks. */
export function wrapWords(words: readonly string[], width: number, first: number, rest: number): string {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let used = first;
  for (const word of words) {
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
  return columns(text) <= width ? text : `${text.slice(0, fitting(text, width - 1))}…`;
}

/** How much of the text fits; at least one character. */
export function fitting(text: string, width: number): number {
  let end = 0;
  let used = 0;
  for (const character of graphemes(text)) {
    used += columns(character);
    if (end > 0 && used > width) break;
    end += character.length;
  }
  return end;
}
