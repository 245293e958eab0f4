/** The parser's position in the text, and what all of its parts share. */
import type { Steps } from '../../text/steps.js';
import type { HereDocument } from './tree.js';

/** Bash stops reading here. */
export class SyntaxFault extends Error {
  readonly kind: 'syntax-error' | 'unclosed-quote' | 'unsupported-syntax';
  readonly at: number;
  /** True inside $( ) and <( ): bash 5.2 then ends the whole script, older versions stop reading the file. */
  inCommand = false;
  /** True inside NAME=( ): bash skips the command and the rest of the line, and reads on. */
  inList = false;

  constructor(kind: SyntaxFault['kind'], message: string, at: number) {
    super(message);
    this.kind = kind;
    this.at = at;
  }
}

export interface Cursor {
  readonly text: string;
  at: number;
  /** The start of the current command line. */
  unit: number;
  /** Nesting depth of commands and expansions, limited to protect the stack. */
  depth: number;
  /** Here-documents whose bodies start after the next newline. */
  pending: HereDocument[];
  /** Whether `shopt -s extglob` was run; false if it may be off. */
  extglob: boolean;
  /** Whether the current command line is a syntax error without extglob. */
  needsExtglob: boolean;
  /** Names that expansions in here-documents may assign. */
  documentNames: string[];
  readonly steps: Steps;
}

/** The fault of an unexpected word or operator. */
export function unexpectedToken(cursor: Cursor): SyntaxFault {
  const rest = /^[^\s]{1,20}/.exec(cursor.text.slice(cursor.at, cursor.at + 20))?.[0];
  const message = rest === undefined ? 'the file ends too early' : `unexpected ${rest}`;
  return new SyntaxFault('syntax-error', message, cursor.at);
}

export function cursorAt(text: string, steps: Steps): Cursor {
  const state = { at: 0, unit: 0, depth: 0, pending: [], documentNames: [] };
  return { text, ...state, extglob: false, needsExtglob: false, steps };
}

const maxDepth = 200;

/** Runs `read` one level deeper. @throws {SyntaxFault} beyond 200 levels */
export function nest<T>(cursor: Cursor, read: () => T): T {
  if (cursor.depth >= maxDepth) {
    throw new SyntaxFault('unsupported-syntax', `nested more than ${maxDepth} levels deep`, cursor.at);
  }
  cursor.depth += 1;
  cursor.steps.take();
  const result = read();
  cursor.depth -= 1;
  return result;
}

/** Whether `expected` comes next. */
export function sees(cursor: Cursor, expected: string): boolean {
  return cursor.text.startsWith(expected, cursor.at);
}

/** The text that a sticky pattern matches at the cursor; '' when it does not match. */
export function matchAt({ text, at }: Cursor, pattern: RegExp): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Skips line continuations: bash removes them first. */
function skipContinuations(cursor: Cursor): void {
  for (; sees(cursor, '\\\n'); cursor.at += 2) cursor.steps.take(1 / 4);
}

/** Skips blanks, line continuations and a comment, up to a newline. */
export function skipBlanks(cursor: Cursor): void {
  const start = cursor.at;
  for (;;) {
    const char = cursor.text[cursor.at];
    if (char === ' ' || char === '\t') cursor.at += 1;
    else if (sees(cursor, '\\\n')) cursor.at += 2;
    else break;
  }
  cursor.steps.take((cursor.at - start) / 4);
  if (cursor.text[cursor.at] === '#') {
    const end = cursor.text.indexOf('\n', cursor.at);
    cursor.at = end < 0 ? cursor.text.length : end;
    cursor.steps.take();
  }
}

/** Skips a newline and the here-documents announced before it. */
export function skipNewline(cursor: Cursor): void {
  cursor.at += 1;
  cursor.steps.take();
  const documents = cursor.pending;
  cursor.pending = [];
  for (const document of documents) skipDocument(cursor, document);
}

/** Skips blanks, comments and newlines. */
export function skipLines(cursor: Cursor): void {
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.at] !== '\n') return;
    skipNewline(cursor);
  }
}

function skipDocument(cursor: Cursor, document: HereDocument): void {
  const { text } = cursor;
  const { delimiter, quoted, stripTabs } = document;
  const start = cursor.at;
  while (cursor.at < text.length) {
    const found = text.indexOf('\n', cursor.at);
    const end = found < 0 ? text.length : found;
    const raw = text.slice(cursor.at, end);
    cursor.steps.take(1 + raw.length / 16);
    document.body = { start, end: cursor.at };
    cursor.at = Math.min(end + 1, text.length);
    if ((stripTabs ? raw.replace(/^\t+/, '') : raw) === delimiter) return;
    if (!quoted && /\$[{(]/.test(raw)) cursor.documentNames.push(...namesAssignedIn(raw));
  }
  document.body = { start, end: text.length };
}

/** Names that an expansion outside the subset may assign: ${NAME:=…}, and every name beside a $((. */
export function namesAssignedIn(text: string): string[] {
  const names = [...text.matchAll(/\$\{([A-Za-z_]\w*):?=/g)].map((match) => match[1] ?? '');
  if (/\$\(\(|\$\[|\[/.test(text)) names.push(...(text.match(/[A-Za-z_]\w*/g) ?? []));
  return names;
}

const wordEnds = new Set([undefined, ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);

/** True at a character that ends an unquoted word, and at the end of the text. */
export function endsWord(char: string | undefined): boolean {
  return wordEnds.has(char);
}

const nameRun = /[A-Za-z_][A-Za-z0-9_]*/y;
const nameRest = /[A-Za-z0-9_]+/y;

/** Reads a shell name; '' when there is none. */
export function readName(cursor: Cursor): string {
  let name = '';
  do {
    cursor.steps.take(1 / 4);
    skipContinuations(cursor);
    const found = matchAt(cursor, name === '' ? nameRun : nameRest);
    name += found;
    cursor.at += found.length;
  } while (sees(cursor, '\\\n'));
  return name;
}
