/** Parses compound commands: if, loops, case, groups, subshells, functions, [[ … ]] and ((…)). */
import { readList, readUntilParenthesis, reservedAt } from './command.js';
import { readCondition } from './condition.js';
import {
  type Cursor,
  endsWord,
  nest,
  readName,
  SyntaxFault,
  sees,
  skipBlanks,
  skipLines,
  unexpectedToken,
} from './cursor.js';
import { arithmeticWord, plain } from './expansion.js';
import { matchingCloser, unclosedQuote } from './quote.js';
import { parentheses } from './simple-command.js';
import type { Clause, Command, Word } from './tree.js';
import { readWord } from './word.js';

const keywords = ['if', 'for', 'select', 'while', 'until', 'case', 'function', '{', '[['] as const;
type Keyword = (typeof keywords)[number] | '(' | '((';

/** The keyword of a compound command, or null. @throws {SyntaxFault} at a closing keyword */
export function compoundAt(cursor: Cursor): Keyword | null {
  if (sees(cursor, '((') && doubleParenthesis(cursor)) return '((';
  if (sees(cursor, '(')) return '(';
  const word = reservedAt(cursor);
  if (/^(?:then|else|elif|fi|do|done|esac|in|\}|\]\])$/.test(word)) throw unexpectedToken(cursor);
  return keywords.find((keyword) => keyword === word) ?? null;
}

/** True at the first word of a compound command. */
export function opensCompound(cursor: Cursor): boolean {
  const word = reservedAt(cursor);
  return sees(cursor, '(') || keywords.some((keyword) => keyword === word);
}

/** Bash tries arithmetic first; what is not closed by )) is a subshell in a subshell. */
function doubleParenthesis(cursor: Cursor): boolean {
  const next = cursor.text[matchingCloser(cursor, cursor.at + 2, '(', ')') + 1];
  // Bash stops there in a file that it sources, and reads on in a script that it runs.
  if (next === '\n' || next === '\\')
    throw new SyntaxFault('unsupported-syntax', 'a (( whose first ) ends a line', cursor.at);
  return next === ')';
}

/** Reads the compound command that `keyword` begins. */
export function readCompound(cursor: Cursor, keyword: Keyword): Command {
  const start = cursor.at;
  cursor.at += keyword.length;
  switch (keyword) {
    case 'if':
      return readIf(cursor, start);
    case 'while':
    case 'until':
      return readWhile(cursor, keyword, start);
    case 'for':
    case 'select':
      return readFor(cursor, keyword, start);
    case 'case':
      return readCase(cursor, start);
    case 'function':
      return readFunction(cursor, start);
    case '{': {
      const body = readBody(cursor, '}');
      return { type: 'sequence', commands: [body], start, end: cursor.at };
    }
    case '(': {
      const commands = readUntilParenthesis(cursor);
      if (!sees(cursor, ')')) throw new SyntaxFault('syntax-error', 'no matching )', start);
      if (commands.length === 0) throw unexpectedToken(cursor);
      cursor.at += 1;
      return { type: 'subshell', background: false, piped: false, commands, start, end: cursor.at };
    }
    case '((': {
      const close = matchingCloser(cursor, cursor.at, '(', ')');
      const expression = arithmeticWord(cursor, cursor.at, close);
      cursor.at = close + 2;
      return { type: 'arithmetic', expression, start, end: cursor.at };
    }
    case '[[': {
      const test = readCondition(cursor);
      return { type: 'condition', test, start, end: cursor.at };
    }
  }
}

/** Reads commands and their closing keyword. */
function readBody(cursor: Cursor, closer: string): Command {
  const body = readCommands(cursor);
  expectWord(cursor, closer);
  return body;
}

function readCommands(cursor: Cursor): Command {
  skipLines(cursor);
  return readList(cursor, true);
}

function expectWord(cursor: Cursor, word: string): void {
  skipLines(cursor);
  if (reservedAt(cursor) !== word) throw unexpectedToken(cursor);
  cursor.at += word.length;
}

/** elif is read as a nested if that shares its fi. */
function readIf(cursor: Cursor, start: number): Command {
  const test = readBody(cursor, 'then');
  const body = readCommands(cursor);
  let otherwise: Command | null = null;
  skipLines(cursor);
  const at = cursor.at;
  const word = reservedAt(cursor);
  if (word !== 'elif' && word !== 'else' && word !== 'fi') throw unexpectedToken(cursor);
  cursor.at += word.length;
  if (word === 'elif') otherwise = nest(cursor, () => readIf(cursor, at));
  else if (word === 'else') otherwise = readBody(cursor, 'fi');
  return { type: 'if', test, body, otherwise, start, end: cursor.at };
}

function readWhile(cursor: Cursor, keyword: string, start: number): Command {
  const test = readBody(cursor, 'do');
  const inner = readBody(cursor, 'done');
  const body: Command = { type: 'sequence', commands: [test, inner], start: test.start, end: inner.end };
  return { type: 'loop', keyword, assigns: [], words: [], header: null, body, start, end: cursor.at };
}

function readFor(cursor: Cursor, keyword: string, start: number): Command {
  skipBlanks(cursor);
  const assigns: string[] = keyword === 'select' ? ['REPLY'] : [];
  const words: Word[] = [];
  let header: Word[] | null = null;
  if (keyword === 'for' && sees(cursor, '((')) {
    const close = matchingCloser(cursor, cursor.at + 2, '(', ')');
    assigns.push(...(cursor.text.slice(cursor.at, close).match(/[A-Za-z_]\w*/g) ?? []));
    if (cursor.text[close + 1] !== ')') throw unclosedQuote('))', cursor.at);
    const expressions = cursor.text.slice(cursor.at + 2, close);
    if (!/["'`$\\]/.test(expressions) && expressions.split(';').length !== 3) throw unexpectedToken(cursor);
    if (expressions.split(';').length === 3) header = expressionsAt(cursor, cursor.at + 2, expressions);
    cursor.at = close + 2;
  } else {
    if (endsWord(cursor.text[cursor.at])) throw unexpectedToken(cursor);
    const name = readName(cursor);
    // Bash rejects a name such as `x]` only when it runs the loop.
    if (endsWord(cursor.text[cursor.at])) assigns.push(name);
    else readWord(cursor, 'argument');
    readForWords(cursor, words);
  }
  skipBlanks(cursor);
  if (sees(cursor, ';')) cursor.at += 1;
  skipLines(cursor);
  const closer = reservedAt(cursor) === '{' ? '}' : 'done';
  expectWord(cursor, closer === '}' ? '{' : 'do');
  const body = readBody(cursor, closer);
  return { type: 'loop', keyword, assigns, words, header, body, start, end: cursor.at };
}

function expressionsAt(cursor: Cursor, start: number, text: string): Word[] {
  let at = start;
  return text.split(';').map((one) => {
    const word = arithmeticWord(cursor, at, at + one.length);
    at += one.length + 1;
    return word;
  });
}

function readForWords(cursor: Cursor, words: Word[]): void {
  const start = cursor.at;
  skipLines(cursor);
  if (reservedAt(cursor) !== 'in') {
    words.push({ parts: [{ ...plain, name: '@', quoted: true, start, end: start }], start, end: start });
    return;
  }
  cursor.at += 2;
  for (;;) {
    skipBlanks(cursor);
    const char = cursor.text[cursor.at];
    if (char === undefined || char === ';' || char === '\n') return;
    if (endsWord(char)) throw unexpectedToken(cursor);
    words.push(readWord(cursor, 'argument'));
  }
}

function readCase(cursor: Cursor, start: number): Command {
  skipBlanks(cursor);
  if (endsWord(cursor.text[cursor.at])) throw unexpectedToken(cursor);
  const subject = readWord(cursor, 'argument');
  expectWord(cursor, 'in');
  const clauses: Clause[] = [];
  for (;;) {
    skipLines(cursor);
    if (reservedAt(cursor) === 'esac') break;
    const patterns = readPatterns(cursor);
    let body: Command | null = null;
    skipLines(cursor);
    if (!sees(cursor, ';;') && !sees(cursor, ';&') && reservedAt(cursor) !== 'esac') {
      body = readList(cursor, true);
      skipLines(cursor);
    }
    const end = /^;;&|^;;|^;&/.exec(cursor.text.slice(cursor.at, cursor.at + 3))?.[0] ?? '';
    cursor.at += end.length;
    if (end === '' && reservedAt(cursor) !== 'esac') throw unexpectedToken(cursor);
    clauses.push({ patterns, body, fallsThrough: end.includes('&') });
  }
  cursor.at += 4;
  return { type: 'case', subject, clauses, start, end: cursor.at };
}

function readPatterns(cursor: Cursor): Word[] {
  const patterns: Word[] = [];
  if (sees(cursor, '(')) cursor.at += 1;
  for (;;) {
    skipBlanks(cursor);
    if (endsWord(cursor.text[cursor.at])) throw unexpectedToken(cursor);
    patterns.push(readWord(cursor, 'argument'));
    skipBlanks(cursor);
    const char = cursor.text[cursor.at];
    cursor.at += 1;
    if (char === ')') return patterns;
    if (char !== '|') throw unexpectedToken({ ...cursor, at: cursor.at - 1 });
  }
}

function readFunction(cursor: Cursor, start: number): Command {
  skipBlanks(cursor);
  if (endsWord(cursor.text[cursor.at])) throw unexpectedToken(cursor);
  const word = readWord(cursor, 'argument');
  skipBlanks(cursor);
  const rest = parentheses(cursor);
  cursor.at += rest.length;
  skipLines(cursor);
  const keyword = compoundAt(cursor);
  if (keyword === null || keyword === 'function') throw unexpectedToken(cursor);
  const body = readCompound(cursor, keyword);
  return { type: 'function', name: cursor.text.slice(word.start, word.end), body, start, end: cursor.at };
}
