/** Redirections and here-documents. */
import { type Cursor, endsWord, skipBlanks, unexpected } from './cursor.js';
import type { HereDocument, Redirection } from './syntax.js';
import { readWord } from './word.js';

/** Redirections, if any stand here. Their words are kept: bash expands them in the shell itself. */
export function readRedirections(cursor: Cursor): Redirection[] {
  const words: Redirection[] = [];
  for (;;) {
    skipBlanks(cursor);
    const operator = redirectionAt(cursor);
    if (operator === null) return words;
    words.push(readRedirection(cursor, operator));
  }
}

const redirection = /(?:[0-9]+|\{[A-Za-z_]\w*\})?(?:<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)|&>>|&>/y;

/** The redirection operator at the cursor, or null. */
export function redirectionAt(cursor: Cursor): string | null {
  redirection.lastIndex = cursor.at;
  const operator = redirection.exec(cursor.text)?.[0] ?? null;
  if (operator !== null && /^[<>]$/.test(operator) && cursor.text[cursor.at + 1] === '(') return null;
  return operator;
}

/** Reads a redirection whose operator is `operator`; a here-document's body is announced. */
export function readRedirection(cursor: Cursor, operator: string): Redirection {
  cursor.at += operator.length;
  skipBlanks(cursor);
  const before = cursor.at;
  if (endsWord(cursor.text[cursor.at])) throw unexpected(cursor);
  const word = readWord(cursor, 'argument');
  if (!/(?:^|[^<])<<-?$/.test(operator)) return { ...word, operator, document: null };
  const raw = cursor.text.slice(before, cursor.at);
  const quoted = /['"\\]/.test(raw);
  const delimiter = raw.replaceAll(/\\(.)|['"]/gs, '$1');
  const document: HereDocument = { delimiter, quoted, stripTabs: operator.endsWith('-'), body: null };
  cursor.pending.push(document);
  return { parts: [], start: word.start, end: word.end, operator, document };
}
