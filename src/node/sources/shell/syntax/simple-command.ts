/** Parses simple commands: assignments, words and redirections. */
import { readCommand } from './command.js';
import { compoundAt } from './compound.js';
import {
  type Cursor,
  endsWord,
  matchAt,
  namesAssignedIn,
  readName,
  SyntaxFault,
  sees,
  skipBlanks,
  skipLines,
  unexpectedToken,
} from './cursor.js';
import { readSubscript } from './expansion.js';
import type { AssignmentSyntax, Command, HereDocument, Redirection, Word } from './tree.js';
import { readWord } from './word.js';

/** Reads a simple command or a function definition. @throws {SyntaxFault} when there is neither */
export function readSimple(cursor: Cursor): Command {
  const start = cursor.at;
  const assignments: AssignmentSyntax[] = [];
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  for (;;) {
    const operator = redirectionAt(cursor);
    const assignment = words.length === 0 && operator === null ? readAssignment(cursor) : null;
    if (operator !== null) redirections.push(readRedirection(cursor, operator));
    else if (assignment !== null) assignments.push(assignment);
    else if (endsWord(cursor.text[cursor.at]) && !processSubstitution(cursor)) break;
    else words.push(readWord(cursor, 'argument'));
    if (sees(cursor, '(') && declaresList(cursor, words)) words.push(withList(cursor, words.pop() as Word));
    const end = cursor.at;
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === '(') return functionOrFault(cursor, words, assignments, start);
    if (endsWord(cursor.text[cursor.at]) && redirectionAt(cursor) === null && !processSubstitution(cursor)) {
      return { type: 'simple', assignments, words, redirections, start, end };
    }
  }
  throw unexpectedToken(cursor);
}

function processSubstitution(cursor: Cursor): boolean {
  return sees(cursor, '<(') || sees(cursor, '>(');
}

/** `name ()` starts a function; any other ( after a word is an error. */
function functionOrFault(
  cursor: Cursor,
  words: readonly Word[],
  assignments: readonly AssignmentSyntax[],
  start: number,
): Command {
  const [first] = words;
  if (words.length !== 1 || assignments.length > 0 || first === undefined) throw unexpectedToken(cursor);
  const empty = parentheses(cursor);
  if (empty === '') throw unexpectedToken(cursor);
  cursor.at += empty.length;
  skipLines(cursor);
  const keyword = compoundAt(cursor);
  if (keyword === null || keyword === 'function') throw unexpectedToken(cursor);
  const body = readCommand(cursor);
  return { type: 'function', name: cursor.text.slice(first.start, first.end), body, start, end: body.end };
}

/** The () of a function definition at the cursor; '' when there is none. */
export function parentheses(cursor: Cursor): string {
  return /^\([ \t]*\)/.exec(cursor.text.slice(cursor.at, cursor.at + 200))?.[0] ?? '';
}

/** Reads NAME=value, NAME[0]+=value or NAME=( … ); null for anything else. */
function readAssignment(cursor: Cursor): AssignmentSyntax | null {
  const start = cursor.at;
  const name = readName(cursor);
  const subscript = name === '' ? null : readSubscript(cursor);
  const append = sees(cursor, '+=');
  if (name === '' || !(append || sees(cursor, '='))) {
    cursor.at = start;
    return null;
  }
  cursor.at += append ? 2 : 1;
  cursor.at += matchAt(cursor, continuedList).length;
  const list = sees(cursor, '(');
  const items: Word[] = [];
  let value = list ? readArray(cursor, items) : readWord(cursor, 'assignment');
  const isList = list && endsWord(cursor.text[cursor.at]);
  if (list && !isList) {
    const { end } = readWord(cursor, 'assignment');
    const names = namesAssignedIn(cursor.text.slice(value.start, end));
    // Bash takes it literally.
    const reason = 'a list with text behind it';
    value = { ...value, parts: [{ type: 'other', reason, quoted: true, names }] };
  }
  return { name, append, items: isList ? items : null, subscript, value, start, end: cursor.at };
}

/** Line continuations between = and a list. */
const continuedList = /(?:\\\n)+(?=\()/y;

/** True after `declare NAME=`, where a list may follow. */
function declaresList({ text }: Cursor, words: readonly Word[]): boolean {
  const [first, last] = [words[0], words.at(-1)].map((word) => text.slice(word?.start, word?.end));
  return (
    words.length > 1 &&
    /^(?:export|readonly|declare|typeset|local|alias|eval|let)$/.test(first ?? '') &&
    /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$/.test(last ?? '')
  );
}

/** The word joined with the list after it. */
function withList(cursor: Cursor, { parts, start }: Word): Word {
  const items: Word[] = [];
  const list = readArray(cursor, items);
  const names = namesAssignedIn(cursor.text.slice(list.start, list.end));
  const added = { type: 'other', reason: 'a list', quoted: true, names, items } as const;
  return { parts: [...parts, added], start, end: cursor.at };
}

/** Reads the list of NAME=( words ), and adds each word to `items`. */
function readArray(cursor: Cursor, items: Word[]): Word {
  const start = cursor.at;
  cursor.at += 1;
  const parts: Word['parts'][number][] = [];
  for (;;) {
    skipLines(cursor);
    if (cursor.at >= cursor.text.length) throw new SyntaxFault('unclosed-quote', 'no matching )', start);
    if (sees(cursor, ')')) break;
    if (endsWord(cursor.text[cursor.at]) && !processSubstitution(cursor))
      throw Object.assign(unexpectedToken(cursor), { inList: true });
    const word = readWord(cursor, 'argument');
    items.push(word);
    for (const part of word.parts) parts.push(part);
  }
  cursor.at += 1;
  return { parts, start, end: cursor.at };
}

/** Reads the redirections after a compound command. */
export function readRedirections(cursor: Cursor): Redirection[] {
  const words: Redirection[] = [];
  for (;;) {
    skipBlanks(cursor);
    const operator = redirectionAt(cursor);
    if (operator === null) return words;
    words.push(readRedirection(cursor, operator));
  }
}

const redirection = /(?:[0-9]+|\{[A-Za-z_]\w*\})?(?:<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\())|&>>|&>/y;

/** The redirection operator at the cursor, or null. */
function redirectionAt(cursor: Cursor): string | null {
  const operator = matchAt(cursor, redirection);
  return operator === '' ? null : operator;
}

/** Reads the redirection of `operator`. The body of a here-document is read after the next newline. */
function readRedirection(cursor: Cursor, operator: string): Redirection {
  cursor.at += operator.length;
  skipBlanks(cursor);
  const before = cursor.at;
  if (endsWord(cursor.text[cursor.at]) && !processSubstitution(cursor)) throw unexpectedToken(cursor);
  const word = readWord(cursor, 'argument');
  if (!/(?:^|[^<])<<-?$/.test(operator)) return { ...word, operator, document: null };
  const raw = cursor.text.slice(before, cursor.at);
  const quoted = /['"\\]/.test(raw);
  const delimiter = raw.replaceAll(/\\(.)|['"]/gs, '$1');
  const document: HereDocument = { delimiter, quoted, stripTabs: operator.endsWith('-'), body: null };
  cursor.pending.push(document);
  return { parts: [], start: word.start, end: word.end, operator, document };
}
