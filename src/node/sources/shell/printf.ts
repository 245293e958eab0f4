/** What printf prints. */
import { maxValue } from './value.js';

/** A part of an output, and where it is from: a range of the format, or one of the values. */
export interface PrintedPart {
  readonly text: string;
  readonly from: readonly [start: number, end: number] | number;
}

const escapes: Readonly<Record<string, string>> = { '%%': '%', '\\n': '\n', '\\t': '\t', '\\\\': '\\' };

/** The format again and again while values are left; null if what it prints is not known. */
export function printfParts(format: string, values: readonly string[]): PrintedPart[] | null {
  const pieces = [...format.matchAll(/%%|%[-0]?\d{0,3}[sd]|\\[nt\\]|[^%\\]+/g)];
  if (pieces.map(([piece]) => piece).join('') !== format) return null;
  const parts: PrintedPart[] = [];
  let [used, length] = [0, 0];
  do {
    const before = used;
    for (const { 0: piece, index } of pieces) {
      const [, flag = '', width = '', letter] = /^%([-0]?)(\d*)([sd])$/.exec(piece) ?? [];
      const isGiven = letter !== undefined && used < values.length;
      const plain = escapes[piece] ?? piece;
      const value = letter === undefined ? plain : (values[used] ?? (letter === 'd' ? '0' : ''));
      if (letter === 'd' && !/^(?:0|-?[1-9]\d{0,14})$/.test(value)) return null;
      if (letter !== undefined && flag === '0' && (letter === 's' || value.startsWith('-'))) return null;
      const text = flag === '-' ? value.padEnd(Number(width)) : value.padStart(Number(width), flag || ' ');
      parts.push({ text, from: isGiven ? used : [index, index + piece.length] });
      length += text.length;
      if (isGiven) used += 1;
    }
    if (before === used || length > maxValue) return before === 0 ? parts : null;
  } while (used < values.length);
  return parts;
}
