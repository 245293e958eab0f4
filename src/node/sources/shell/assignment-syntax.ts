/** How assignments are written: `NAME=value`, `NAME[0]+=value`, `NAME=( … )`, and the lists that declare takes. */
import {
  type Cursor,
  endsWord,
  namesAssignedIn,
  readName,
  SyntaxFault,
  sees,
  skipLines,
  unexpected,
} from './cursor.js';
import { matchingCloser } from './quote.js';
import type { AssignmentSyntax, Word } from './syntax.js';
import { readWord } from './word.js';

/** null: what stands here is no assignment. */
export function readAssignment(cursor: Cursor): AssignmentSyntax | null {
  const start = cursor.at;
  const name = readName(cursor);
  let subscript: string | null = null;
  if (name !== '' && cursor.text[cursor.at] === '[') {
    const close = matchingCloser(cursor, cursor.at + 1, '[', ']');
    subscript = cursor.text.slice(cursor.at + 1, close);
    cursor.at = close + 1;
  }
  const append = sees(cursor, '+=');
  if (name === '' || !(append || sees(cursor, '='))) {
    cursor.at = start;
    return null;
  }
  cursor.at += append ? 2 : 1;
  const list = sees(cursor, '(');
  if (sees(cursor, '\\\n('))
    throw new SyntaxFault('unsupported-syntax', 'a list on a continued line', cursor.at);
  const value = list ? readArray(cursor) : readWord(cursor, 'assignment');
  return { name, append, array: subscript !== null || list, subscript, value, start, end: cursor.at };
}

/** True right behind `declare NAME=`, where a list may stand. */
export function declaresList({ text }: Cursor, words: readonly Word[]): boolean {
  const [first, last] = [words[0], words.at(-1)].map((word) => text.slice(word?.start, word?.end));
  return (
    words.length > 1 &&
    /^(?:export|readonly|declare|typeset|local)$/.test(first ?? '') &&
    /^[A-Za-z_]\w*\+?=$/.test(last ?? '')
  );
}

/** The word with the list behind it. */
export function withList(cursor: Cursor, { parts, start }: Word): Word {
  const list = readArray(cursor);
  const names = namesAssignedIn(cursor.text.slice(list.start, list.end));
  return {
    parts: [...parts, { kind: 'other', reason: 'a list', quoted: true, names }],
    start,
    end: cursor.at,
  };
}

/** NAME=( words ): read for its end only. */
function readArray(cursor: Cursor): Word {
  const start = cursor.at;
  cursor.at += 1;
  const parts: Word['parts'][number][] = [];
  for (;;) {
    skipLines(cursor);
    if (cursor.at >= cursor.text.length) throw new SyntaxFault('unclosed-quote', 'no matching )', start);
    if (sees(cursor, ')')) break;
    if (endsWord(cursor.text[cursor.at])) throw unexpected(cursor);
    for (const part of readWord(cursor, 'argument').parts) parts.push(part);
  }
  cursor.at += 1;
  if (!endsWord(cursor.text[cursor.at])) {
    throw new SyntaxFault('unsupported-syntax', 'text right after a list', cursor.at);
  }
  return { parts, start, end: cursor.at };
}
