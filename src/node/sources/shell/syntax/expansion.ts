/** Expansions: $X, ${…}, $(…), $((…)), $'…', $"…". */
import { readUntilParenthesis } from './command.js';
import {
  type Cursor,
  cursorAt,
  matchAt,
  namesAssignedIn,
  nest,
  readName,
  SyntaxFault,
  sees,
} from './cursor.js';
import { matchingCloser, readAnsi, unclosedQuote } from './quote.js';
import type { Word } from './tree.js';
import { cut, readDouble, readDoubleUntil, readWord, WordParts } from './word.js';

/** Reads an expansion from its $ into `parts`. A $ that starts no expansion is a plain character. */
export function readDollar(cursor: Cursor, parts: WordParts, quoted: boolean): void {
  // Bash removes line continuations first.
  while (cursor.text.startsWith('\\\n', cursor.at + 1)) cursor.at += 2;
  const next = cursor.text[cursor.at + 1];
  const start = cursor.at;
  // Bash reads $${ as an opener when it looks for the closing quote, but as $$ and a brace when it expands.
  if (quoted && next === '$' && /^[{(][^})]*["'`]/.test(cursor.text.slice(start + 2, start + 202))) {
    throw new SyntaxFault('unsupported-syntax', '$$ right before a bracket with quotes', start);
  }
  if (next === '{') nest(cursor, () => readBraces(cursor, parts, quoted));
  else if (next === '(') nest(cursor, () => readParentheses(cursor, parts, quoted));
  else if (next === '[') readOldArithmetic(cursor, parts, quoted);
  else if (next === "'" && !quoted) readAnsiPart(cursor, parts);
  else if (next === '"' && !quoted) {
    cursor.at += 1;
    readDouble(cursor, parts);
  } else if (next !== undefined && /[A-Za-z_]/.test(next)) {
    cursor.at += 1;
    const name = readName(cursor);
    parts.push({ ...plain, name, quoted, start, end: cursor.at });
  } else if (next !== undefined && /[0-9@*#?$!-]/.test(next)) {
    cursor.at += 2;
    parts.push({ ...plain, name: next, quoted, start, end: cursor.at });
  } else {
    cursor.at += 1;
    parts.add('$', quoted, { start, end: cursor.at });
  }
}

function readAnsiPart(cursor: Cursor, parts: WordParts): void {
  const start = cursor.at;
  const value = readAnsi(cursor);
  if (value !== null) parts.add(value, true, { start, end: cursor.at });
  else parts.push({ type: 'other', reason: "a byte escape in $'…'", quoted: true, names: [] });
}

const specialName = /[0-9]+|[@*#?$!-]/y;

/** `$NAME` but for the name and its place. */
export const plain = {
  type: 'parameter',
  subscript: null,
  indirect: false,
  operator: '',
  operands: [],
} as const;

/** Reads ${…}. Where it is not in the subset, or bash rejects it, its value is not known. */
function readBraces(cursor: Cursor, parts: WordParts, quoted: boolean): void {
  const start = cursor.at;
  cursor.at += 2;
  const name = readParameterName(cursor);
  const operator =
    name === '' ? null : /^(?::?[-=+?]|(?=\}))/.exec(cursor.text.slice(cursor.at, cursor.at + 2));
  if (operator === null || /^[#!]$/.test(name)) {
    readMoreBraces(cursor, parts, quoted, start);
    return;
  }
  cursor.at += operator[0].length;
  const operands = operator[0] === '' ? [] : [readOperand(cursor, quoted, start)];
  if (!sees(cursor, '}')) throw unclosedQuote('}', start);
  const command = cursor.text.slice(start, cursor.at).indexOf('$(');
  if (command >= 0 && /\s#/.test(cursor.text.slice(start + command, cursor.at))) {
    throw new SyntaxFault('unsupported-syntax', 'a # inside a command inside an expansion', start);
  }
  cursor.at += 1;
  parts.push({ ...plain, name, operator: operator[0], operands, quoted, start, end: cursor.at });
}

function readParameterName(cursor: Cursor): string {
  const name = readName(cursor);
  if (name !== '') return name;
  const special = matchAt(cursor, specialName);
  cursor.at += special.length;
  return special;
}

function readOperand(cursor: Cursor, quoted: boolean, start: number): Word {
  if (!quoted) return readWord(cursor, 'operand');
  const parts = new WordParts();
  const from = cursor.at;
  readDoubleUntil(cursor, parts, '}');
  if (cursor.at >= cursor.text.length) throw unclosedQuote('}', start);
  parts.flush();
  return { parts: parts.list, start: from, end: cursor.at };
}

/** Reads ${…} with another operator, a subscript, or a mark before the name. */
function readMoreBraces(cursor: Cursor, parts: WordParts, quoted: boolean, start: number): void {
  const end = matchingCloser(cursor, start + 2, '{', '}');
  const text = cursor.text.slice(start + 2, end);
  if (text === '') throw new SyntaxFault('unsupported-syntax', 'an expansion without a name', start);
  const inner = cursorWithin(cursor, start + 2, end + 1);
  cursor.at = end + 1;
  const read = attempt(() => parameterIn(inner, quoted));
  if (read !== null && inner.at === end) parts.push({ ...read, quoted, start, end: end + 1 });
  else if (/^(?:\w+[:#%/^,@[~]|[!#])/.test(text) && !/^\w+:$/.test(text)) {
    const reason = `the expansion \${${/^[!#]?\w*./.exec(text)?.[0] ?? ''}…}`;
    parts.push({ type: 'other', reason, quoted, names: namesAssignedIn(`\${${text}}[`), mayFail: true });
  } else parts.push({ type: 'bad' });
}

/** Another cursor that reads a range of the text, as deep as this one. */
function cursorWithin({ text, steps, depth }: Cursor, at: number, end: number): Cursor {
  return { ...cursorAt(text.slice(0, end), steps), at, depth };
}

/** Null if the text cannot be parsed. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
}

const operators = /(?::?[-=+?]|\/[/#%]?|##?|%%?|\^\^?|,,?|:|@[ULuQ](?=\}$))?/y;

/** The expansion between the braces; null if it is not in the subset. */
function parameterIn(cursor: Cursor, quoted: boolean) {
  const mark = matchAt(cursor, /[#!](?=[\w@*])/y);
  cursor.at += mark.length;
  const name = readParameterName(cursor);
  const subscript = /^[A-Za-z_]/.test(name) ? readSubscript(cursor) : null;
  const found = { ...plain, name, subscript, indirect: mark === '!' };
  if (name === '' || mark === '#') return name === '' ? null : { ...found, operator: 'length' };
  const all = subscript === null && mark === '!' ? matchAt(cursor, /[@*](?=\}$)/y) : '';
  const operator = all || matchAt(cursor, operators);
  cursor.at += operator.length;
  if (all !== '') return { ...found, operator: `names${all}` };
  if (operator === ':' && sees(cursor, '}')) return null;
  const operands =
    operator === '' || operator.startsWith('@')
      ? []
      : operator === ':'
        ? rangeOperands(cursor)
        : /[-=+?]$/.test(operator)
          ? [readOperand(cursor, quoted, cursor.at)]
          : operator.startsWith('/')
            ? split(readWord(cursor, 'operand'), /[#%]$/.test(operator) ? 0 : 1)
            : [readWord(cursor, 'operand')];
  return { ...found, operator, operands };
}

/** The two expressions of ${X:from:length}: a colon in parentheses, or of `?:`, separates nothing. */
function rangeOperands(cursor: Cursor): Word[] {
  const { text, at: start } = cursor;
  const end = text.length - 1;
  const within = /\$\{|[[({]|[\])}]|[?:]/g;
  let depth = 0;
  within.lastIndex = start;
  cursor.at = end;
  for (let match = within.exec(text); match !== null; match = within.exec(text)) {
    if (match[0] === ':' && depth === 0)
      return [arithmeticWord(cursor, start, match.index), arithmeticWord(cursor, match.index + 1, end)];
    depth += /[\])}:]/.test(match[0]) ? -1 : 1;
  }
  return [arithmeticWord(cursor, start, end)];
}

/** The words before and behind the first slash that no quotes protect, not before this character. */
function split(word: Word, from: number): Word[] {
  const { parts } = word;
  for (const [index, part] of parts.entries()) {
    const at = part.type !== 'text' || part.quoted ? -1 : part.text.indexOf('/', index === 0 ? from : 0);
    if (at < 0 || part.type !== 'text') continue;
    const before = [...parts.slice(0, index), cut(part, 0, at)];
    return [
      { ...word, parts: before },
      { ...word, parts: [cut(part, at + 1), ...parts.slice(index + 1)] },
    ];
  }
  return [word];
}

/** Reads […] behind a name; null if there is none. */
export function readSubscript(cursor: Cursor): Word | null {
  if (cursor.text[cursor.at] !== '[') return null;
  const start = cursor.at + 1;
  const close = matchingCloser(cursor, start, '[', ']');
  cursor.at = close + 1;
  return arithmeticWord(cursor, start, close);
}

/** Reads $((…)), or $(…), whose value is never known. */
function readParentheses(cursor: Cursor, parts: WordParts, quoted: boolean): void {
  const start = cursor.at;
  if (cursor.text.startsWith('((', start + 1)) {
    const close = arithmeticCloser(cursor);
    if (cursor.text[close + 1] === ')') {
      const expression = arithmeticWord(cursor, start + 3, close);
      cursor.at = close + 2;
      // Bash reads a # after a blank as a comment and then finds no closer.
      const comment = /\s#/.test(cursor.text.slice(start, close));
      if (comment && quoted) throw new SyntaxFault('unsupported-syntax', 'a # in quoted arithmetic', start);
      if (comment) parts.push({ type: 'bad' });
      else parts.push({ type: 'arithmetic', expression, quoted, start, end: cursor.at });
      return;
    }
  }
  readSubstitution(cursor);
  parts.push({ type: 'command', quoted, start, end: cursor.at });
}

/** Reads $[…], an older form of $((…)). */
function readOldArithmetic(cursor: Cursor, parts: WordParts, quoted: boolean): void {
  const start = cursor.at;
  const close = matchingCloser(cursor, start + 2, '[', ']');
  if (/\s#/.test(cursor.text.slice(start, close)))
    throw new SyntaxFault('unsupported-syntax', 'a # in the arithmetic $[…]', start);
  const expression = arithmeticWord(cursor, start + 2, close);
  cursor.at = close + 1;
  parts.push({ type: 'arithmetic', expression, quoted, start, end: cursor.at });
}

/** Reads <(…) or >(…), whose value is the path of a pipe. */
export function readProcess(cursor: Cursor, parts: WordParts): void {
  readSubstitution(cursor);
  parts.push({ type: 'other', reason: 'a process substitution', quoted: false, names: [] });
}

function arithmeticCloser(cursor: Cursor): number {
  const start = cursor.at;
  try {
    return matchingCloser(cursor, start + 3, '(', ')');
  } catch (error) {
    // Bash also reads the rest of the text on its way to the end.
    if (error instanceof SyntaxFault) error.inCommand = cursor.text.includes('$(', start + 3);
    throw error;
  }
}

/** Reads $( ), <( ) or >( ). Bash reads commands that begin with another ( only when it runs them. */
function readSubstitution(cursor: Cursor): void {
  const start = cursor.at;
  cursor.at += 2;
  try {
    if (sees(cursor, '(')) cursor.at = matchingCloser(cursor, cursor.at, '(', ')');
    else readUntilParenthesis(cursor);
    if (!sees(cursor, ')')) throw new SyntaxFault('unclosed-quote', 'no matching )', start);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    if (error.inList) throw new SyntaxFault('unsupported-syntax', 'an error in a list inside $( )', error.at);
    error.inCommand = true;
    throw error;
  }
  cursor.at += 1;
}

/** The text of an arithmetic expression: expanded as in double quotes, and quotes in it are removed. */
export function arithmeticWord(cursor: Cursor, start: number, end: number): Word {
  const inner = cursorWithin(cursor, start, end);
  const parts = new WordParts();
  try {
    while (inner.at < end) {
      readDoubleUntil(inner, parts, '"');
      inner.at += 1;
    }
  } catch (error) {
    // Bash finds an expansion that is not closed in it only when it evaluates it.
    if (!(error instanceof SyntaxFault) || error.kind !== 'unclosed-quote' || error.inCommand) throw error;
    const names = cursor.text.slice(start, end).match(/[A-Za-z_]\w*/g) ?? [];
    const reason = `arithmetic with ${error.message}`;
    parts.push({ type: 'other', reason, quoted: true, names, mayFail: true });
  }
  parts.flush();
  return { parts: parts.list, start, end };
}
