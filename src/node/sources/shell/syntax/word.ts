/** Words: literal text, quotes and expansions, up to the character that ends them. */

import type { Range } from '../../text/line-index.js';
import { type Cursor, endsWord, matchAt, namesAssignedIn, nest } from './cursor.js';
import { readDollar, readProcess } from './expansion.js';
import { closeOf, matchingCloser, readSingle, unclosedQuote } from './quote.js';
import type { Part, Run, Word } from './tree.js';

/** The context of a word: decides what ends it and where ~ is a home folder. */
export type WordPlace = 'argument' | 'assignment' | 'operand' | 'pattern' | 'expression';

/** Collects parts and joins adjacent literal text. */
export class WordParts {
  readonly list: Part[] = [];
  private runs: Run[] = [];
  private quoted = false;
  private open = false;

  /** Adds literal text that is written in a range of the file. */
  add(text: string, quoted: boolean, { start, end }: Range): void {
    if (this.open && this.quoted !== quoted) this.flush();
    this.open = true;
    this.quoted = quoted;
    const last = this.runs.at(-1);
    const isNext = last?.end === start && isExact(last) && end - start === text.length;
    if (isNext) this.runs[this.runs.length - 1] = { text: last.text + text, start: last.start, end };
    else if (text !== '') this.runs.push({ text, start, end });
  }

  push(part: Part): void {
    this.flush();
    this.list.push(part);
  }

  flush(): void {
    const { open, quoted, runs } = this;
    if (open) this.list.push({ type: 'text', text: runs.map(({ text }) => text).join(''), quoted, runs });
    this.open = false;
    this.runs = [];
  }
}

function isExact({ text, start, end }: Run): boolean {
  return end - start === text.length;
}

/** A range of a text, with the places of its characters. */
export function cut(
  part: Part & { type: 'text' },
  from: number,
  to = part.text.length,
): Part & { type: 'text' } {
  let at = 0;
  const runs = part.runs.flatMap((run) => {
    const [first, last] = [Math.max(from - at, 0), Math.min(to - at, run.text.length)];
    at += run.text.length;
    if (first >= last) return [];
    const text = run.text.slice(first, last);
    return [isExact(run) ? { text, start: run.start + first, end: run.start + last } : { ...run, text }];
  });
  return { ...part, text: part.text.slice(from, to), runs };
}

/**
 * Reads one word; the cursor is not at a blank. ~ is a home folder at the start of a word, after each : of an
 * assignment, and after the = of an argument that looks like an assignment.
 */
export function readWord(cursor: Cursor, place: WordPlace): Word {
  const start = cursor.at;
  cursor.steps.take(2);
  const parts = new WordParts();
  let tildeMayStart = true;
  let equals = false;
  let assigns = place === 'assignment' || place === 'operand';
  for (;;) {
    const char = cursor.text[cursor.at];
    if (place === 'operand' ? char === undefined || char === '}' : endsHere(cursor, char, place)) break;
    const before = cursor.at;
    readPiece(cursor, parts, place, tildeMayStart);
    if (cursor.text.startsWith('\\\n', before)) continue;
    if (char === '=' && place === 'argument' && !equals) {
      assigns = /^[A-Za-z_]\w*$/.test(cursor.text.slice(start, before));
      tildeMayStart = assigns;
      equals = true;
    } else tildeMayStart = assigns && char === ':';
  }
  parts.flush();
  return { parts: parts.list, start, end: cursor.at };
}

function endsHere(cursor: Cursor, char: string | undefined, place: WordPlace): boolean {
  if ((char === '<' || char === '>') && cursor.text[cursor.at + 1] === '(') return false;
  if (place === 'expression' && (char === '(' || char === '|')) return false;
  return endsWord(char);
}

/** True at a pattern such as @(a|b). Without extglob, `name?()` is a function and `!(` a negated subshell. */
function extendedAt({ text, at, extglob }: Cursor, place: WordPlace): boolean {
  return /[@*+?!]/.test(text[at] ?? '') && (place === 'pattern' || extglob || text[at + 2] !== ')');
}

/** Reads parentheses whose content kaiactl does not evaluate. `opener`: the length of the text up to the first (. */
function readOpaque(cursor: Cursor, parts: WordParts, opener: number, reason: string): void {
  const start = cursor.at;
  cursor.at = matchingCloser(cursor, start + opener, '(', ')') + 1;
  const names = namesAssignedIn(cursor.text.slice(start, cursor.at));
  parts.push({ type: 'other', reason, quoted: false, names });
}

function readPiece(cursor: Cursor, parts: WordParts, place: WordPlace, tildeMayStart: boolean): void {
  const [char, next] = [cursor.text[cursor.at], cursor.text[cursor.at + 1]];
  cursor.steps.take();
  if (char === '\\') readBackslash(cursor, parts);
  else if (char === "'") addSingle(cursor, parts);
  else if (char === '"') readDouble(cursor, parts);
  else if (char === '$') readDollar(cursor, parts, false);
  else if (char === '`') readBackquote(cursor, parts, false);
  else if (char === '~') readTilde(cursor, parts, place, tildeMayStart);
  else if (char === '(' && place === 'expression') readOpaque(cursor, parts, 1, 'a regular expression');
  else if (next === '(' && (char === '<' || char === '>')) readProcess(cursor, parts);
  else if (next === '(' && extendedAt(cursor, place)) {
    if (place !== 'pattern') cursor.needsExtglob ||= !cursor.extglob;
    readOpaque(cursor, parts, 2, 'an extended pattern');
  } else readRun(cursor, parts, plainRun, false);
}

const plainRun = /(?:[^\\'"$`~<>;&|() \t\n}:=@*+?!]|[@*+?!](?!\())+/y;

/** Reads characters without special meaning, or else one character. */
function readRun(cursor: Cursor, parts: WordParts, pattern: RegExp, quoted: boolean): void {
  const run = matchAt(cursor, pattern) || (cursor.text[cursor.at] as string);
  cursor.steps.take(run.length / 64);
  parts.add(run, quoted, { start: cursor.at, end: cursor.at + run.length });
  cursor.at += run.length;
}

/** Reads ~ up to a slash or colon. With a quote or $ before it, bash does not expand the ~. */
function readTilde(cursor: Cursor, parts: WordParts, place: WordPlace, mayStart: boolean): void {
  cursor.at += 1;
  const inOperand = place === 'operand';
  const prefix = inOperand ? /^[^/:}'"\\$`]*/ : /^[^ \t\n/:;&|()<>'"\\$`]*/;
  const rest = prefix.exec(cursor.text.slice(cursor.at, cursor.at + 256))?.[0] ?? '';
  const next = cursor.text[cursor.at + rest.length];
  cursor.steps.take(1 + rest.length / 16);
  const continued = cursor.text.startsWith('\\\n', cursor.at + rest.length);
  const quoted = !continued && next !== undefined && /['"\\$`]/.test(next);
  const invalid = !continued && rest !== '' && !/^(?:[A-Za-z_][\w.-]*\$?|[-+]?[0-9]*)$/.test(rest);
  if (!mayStart || quoted || invalid) parts.add('~', false, { start: cursor.at - 1, end: cursor.at });
  else parts.push({ type: 'tilde', ofUser: rest !== '' || continued });
}

function addSingle(cursor: Cursor, parts: WordParts): void {
  const start = cursor.at + 1;
  parts.add(readSingle(cursor), true, { start, end: cursor.at - 1 });
}

function readBackslash(cursor: Cursor, parts: WordParts): void {
  const next = cursor.text[cursor.at + 1];
  cursor.at += 2;
  if (next === undefined) {
    cursor.at -= 1;
    parts.add('\\', true, { start: cursor.at - 1, end: cursor.at });
  } else if (next !== '\n') parts.add(next, true, { start: cursor.at - 1, end: cursor.at });
}

/**
 * Reads "…" from its opening quote into `parts`. `inner`: in the operand of a "${X:-…}", where bash removes every
 * backslash. @throws {SyntaxFault} when it is not closed
 */
export function readDouble(cursor: Cursor, parts: WordParts, inner = false): void {
  const start = cursor.at;
  cursor.at += 1;
  parts.add('', true, { start, end: start });
  nest(cursor, () => readDoubleUntil(cursor, parts, '"', inner));
  if (cursor.text[cursor.at] !== '"') throw unclosedQuote('"', start);
  cursor.at += 1;
}

const doubleRun = /[^\\"'$`}]+/y;

/** Reads text under the rules of double quotes up to `end`, which is left unread, or the end of the text. */
export function readDoubleUntil(cursor: Cursor, parts: WordParts, end: '"' | '}', inner = false): void {
  const { text } = cursor;
  for (;;) {
    const char = text[cursor.at];
    cursor.steps.take();
    if (char === undefined || char === end) return;
    // In the operand of "${X:-…}", $'…' and $"…" are quotes as they are outside, and ' must be closed.
    if (char === '$') readDollar(cursor, parts, end === '"' || !/['"]/.test(text[cursor.at + 1] ?? ''));
    else if (char === "'" && end === '}') readQuoteInOperand(cursor, parts);
    else if (char === '`') readBackquote(cursor, parts, true);
    else if (char === '\\') readDoubleBackslash(cursor, parts, end, inner);
    else if (char === '"') readDouble(cursor, parts, true);
    else readRun(cursor, parts, doubleRun, true);
  }
}

/** Reads '…' in "${X:-'…'}": both quotes stay, and a } between them closes nothing. */
function readQuoteInOperand(cursor: Cursor, parts: WordParts): void {
  const start = cursor.at;
  const text = `'${readSingle(cursor)}'`;
  if (!/["$`\\]/.test(text)) parts.add(text, true, { start, end: cursor.at });
  else {
    const names = namesAssignedIn(cursor.text.slice(start, cursor.at));
    parts.push({ type: 'other', reason: 'an expansion in quotes within quotes', quoted: true, names });
  }
}

function readDoubleBackslash(cursor: Cursor, parts: WordParts, closer: string, inner: boolean): void {
  const start = cursor.at;
  const next = cursor.text[cursor.at + 1];
  cursor.at += next === undefined ? 1 : 2;
  if (next === '\n') return;
  if (inner && next !== undefined && !/["$`\\]/.test(next)) {
    parts.push({ type: 'other', reason: 'a backslash in quotes within quotes', quoted: true, names: [] });
    return;
  }
  const escapes = /["$`\\]/.test(next ?? '') || (closer === '}' && next === '}');
  const end = cursor.at;
  if (next !== undefined && escapes) parts.add(next, true, { start: end - 1, end });
  else parts.add(`\\${next ?? ''}`, true, { start, end });
}

/** Reads `…`, whose value is never known. @throws {SyntaxFault} when it is not closed */
function readBackquote(cursor: Cursor, parts: WordParts, quoted: boolean): void {
  const start = cursor.at;
  cursor.at = closeOf(cursor, start, '`') + 1;
  parts.push({ type: 'command', quoted, start, end: cursor.at });
}
