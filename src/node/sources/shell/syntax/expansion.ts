/** Expansions: $X, ${…}, $(…), $((…)), $'…', $"…". */
import { readUntilParenthesis } from './command.js';
import {
  type Cursor,
  cursorAt,
  matchAt,
  namesAssignedIn,
  nested,
  readName,
  SyntaxFault,
  sees,
} from './cursor.js';
import { matchingCloser, readAnsi, unclosed } from './quote.js';
import type { Word } from './tree.js';
import { readDouble, readDoubleUntil, readWord, WordParts } from './word.js';

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
  if (next === '{') nested(cursor, () => readBraces(cursor, parts, quoted));
  else if (next === '(') nested(cursor, () => readParentheses(cursor, parts, quoted));
  else if (next === '[') readOldArithmetic(cursor, parts, quoted);
  else if (next === "'" && !quoted) readAnsiPart(cursor, parts);
  else if (next === '"' && !quoted) {
    cursor.at += 1;
    readDouble(cursor, parts);
  } else if (next !== undefined && /[A-Za-z_]/.test(next)) {
    cursor.at += 1;
    const name = readName(cursor);
    parts.push({ type: 'parameter', name, operator: '', operand: null, quoted, start, end: cursor.at });
  } else if (next !== undefined && /[0-9@*#?$!-]/.test(next)) {
    cursor.at += 2;
    parts.push({ type: 'parameter', name: next, operator: '', operand: null, quoted, start, end: cursor.at });
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

/** Reads ${…}: plain, length, or with a default. Other operators are outside the subset or errors in bash. */
function readBraces(cursor: Cursor, parts: WordParts, quoted: boolean): void {
  const start = cursor.at;
  cursor.at += 2;
  if (cursor.text[cursor.at] === '#' && /[A-Za-z0-9_]/.test(cursor.text[cursor.at + 1] ?? '')) {
    cursor.at += 1;
    const name = readParameterName(cursor);
    if (sees(cursor, '}')) {
      cursor.at += 1;
      parts.push({ type: 'parameter', name, operator: '#', operand: null, quoted, start, end: cursor.at });
      return;
    }
    cursor.at = start + 2;
  }
  const name = readParameterName(cursor);
  const operator =
    name === '' ? null : /^(?::?[-=+?]|(?=\}))/.exec(cursor.text.slice(cursor.at, cursor.at + 2));
  if (operator === null) {
    readUnknownBraces(cursor, parts, quoted, start, name);
    return;
  }
  cursor.at += operator[0].length;
  const operand = operator[0] === '' ? null : readOperand(cursor, quoted, start);
  if (!sees(cursor, '}')) throw unclosed('}', start);
  const command = cursor.text.slice(start, cursor.at).indexOf('$(');
  if (command >= 0 && /\s#/.test(cursor.text.slice(start + command, cursor.at))) {
    throw new SyntaxFault('unsupported-syntax', 'a # inside a command inside an expansion', start);
  }
  cursor.at += 1;
  parts.push({ type: 'parameter', name, operator: operator[0], operand, quoted, start, end: cursor.at });
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
  if (cursor.at >= cursor.text.length) throw unclosed('}', start);
  parts.flush();
  return { parts: parts.list, start: from, end: cursor.at };
}

function readUnknownBraces(cursor: Cursor, parts: WordParts, quoted: boolean, start: number, name: string) {
  const end = matchingCloser(cursor, start + 2, '{', '}');
  const next = cursor.text[cursor.at] ?? '';
  const inner = cursor.text.slice(start + 2, end);
  cursor.at = end + 1;
  if (inner === '') throw new SyntaxFault('unsupported-syntax', 'an expansion without a name', start);
  const known = name !== '' && /[:#%/^,@[~]/.test(next) && inner !== `${name}:`;
  if (known || inner.startsWith('!') || inner.startsWith('#')) {
    const names = namesAssignedIn(`\${${inner}}[`);
    const index = /^\[([@*]|0|[1-9][0-9]{0,3})\]$/.exec(inner.slice(name.length))?.[1];
    const all: '@' | '*' | null = index === '@' || index === '*' ? index : null;
    const array = { name, index: all ?? Number(index) };
    const reason = `the expansion \${${name}${next}…}`;
    const [, indirect] = /^!([A-Za-z_]\w*)$/.exec(inner) ?? [];
    const operation =
      indirect !== undefined
        ? { name: indirect, operator: '!', operands: [] }
        : known
          ? operationIn(cursor, name, start + 2 + name.length, end)
          : null;
    const part = { type: 'other' as const, reason, quoted, names, mayFail: true };
    parts.push({
      ...part,
      ...(index === undefined ? {} : { array }),
      ...(operation === null ? {} : { operation }),
    });
  } else parts.push({ type: 'bad' });
}

/** The operator of ${X/from/to}, ${X#pattern}, ${X%pattern}, ${X:2}, ${X,,} or ${X^^}, also behind [@]; null: another one. */
function operationIn(cursor: Cursor, name: string, start: number, end: number) {
  const rest = cursor.text.slice(start, end);
  const [all = '', list = '', operator] =
    /^(\[[@*]\])?(\/[/#%]?|##?|%%?|:(?=\d+(?::\d+)?$)|,,?$|\^\^?$)/.exec(rest) ?? [];
  if (operator === undefined) return null;
  const from = start + all.length;
  const slash = operator.startsWith('/') ? cursor.text.slice(from, end).search(/(?<!\\)\//) : -1;
  const operands =
    slash < 0
      ? [[from, end]]
      : [
          [from, from + slash],
          [from + slash + 1, end],
        ];
  const words = operands.map(([first = 0, last = 0]) => arithmeticWord(cursor, first, last));
  return { name: `${name}${list}`, operator, operands: words };
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
  const inner = { ...cursorAt(cursor.text.slice(0, end), cursor.steps), at: start, depth: cursor.depth };
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
    parts.push({
      type: 'other',
      reason: `arithmetic with ${error.message}`,
      quoted: true,
      names,
      mayFail: true,
    });
  }
  parts.flush();
  return { parts: parts.list, start, end };
}
