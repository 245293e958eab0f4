/** The text of a file that is searched, read in pieces of a limited size. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { decodeText, encodingOf } from '../../util/utf16.js';
import { type OpenTexts, openText } from '../sources/file.js';
import { headBytes } from './classify.js';

/** Pieces of one file, 128 MiB. */
const maxPieces = 16;
/** Characters of a piece that the next one begins with. */
const overlap = 4_096;
/** Bytes that show whether a file with zero bytes is a text. */
const shown = 4_096;

/** Reused from file to file. */
const buffer = Buffer.alloc(headBytes);

export interface SearchedText {
  /** The beginning of the file, which settings are recognised by. */
  readonly head: string;
  /** Whether the file is longer, and may start a node or is too long to know. */
  readonly mayStartBehind: boolean;
}

/**
 * Returns null if it is binary.
 * @throws {Error} of the system when it cannot be read
 */
export function searchedText(
  path: string,
  open: OpenTexts | undefined,
  mayStart: (text: string) => boolean = () => false,
): SearchedText | null {
  const text = openText(open, path);
  if (text !== undefined) return { head: text.slice(0, headBytes), mayStartBehind: false };
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const head = pieceOf(file);
    if (head === null || head.length < headBytes / 4)
      return head === null ? null : { head, mayStartBehind: false };
    let [last, isFound] = [head, false];
    for (let count = 1; !isFound; count += 1) {
      const piece = pieceOf(file);
      if (piece === null || piece === '') return { head, mayStartBehind: false };
      isFound =
        count >= maxPieces || (count === 1 && mayStart(head)) || mayStart(last.slice(-overlap) + piece);
      last = piece;
    }
    return { head, mayStartBehind: true };
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Characters are bytes, but in UTF-16. Returns null if it is binary. */
function pieceOf(file: number): string | null {
  const bytes = buffer.subarray(0, readSync(file, buffer, 0, headBytes, null));
  const text = bytes.toString('latin1');
  if (!text.includes('\0')) return text;
  if (encodingOf(bytes) !== 'utf-8') return decodeText(bytes).replaceAll('\0', '');
  return bytes.subarray(0, shown).some(isControl) ? null : text.replaceAll('\0', '');
}

/** Whether no text has the byte; zero bytes stand in UTF-16 and in texts that bash reads. */
function isControl(byte: number): boolean {
  return (byte > 0 && byte < 9) || (byte > 13 && byte < 32 && byte !== 27);
}
