/** Parses [[ … ]]. */
import { type Cursor, endsWord, nest, sees, skipBlanks, skipLines, unexpectedToken } from './cursor.js';
import type { Condition, Word } from './tree.js';
import { readWord, type WordPlace } from './word.js';

/** Reads the condition and its ]]. @throws {SyntaxFault} on a syntax error */
export function readCondition(cursor: Cursor): Condition {
  const condition = readOr(cursor);
  skipLines(cursor);
  if (!closes(cursor)) throw unexpectedToken(cursor);
  cursor.at += 2;
  return condition;
}

function closes(cursor: Cursor): boolean {
  return sees(cursor, ']]') && endsWord(cursor.text[cursor.at + 2]);
}

const readOr = (cursor: Cursor) => readJoined(cursor, 'or', '||', readAnd);
const readAnd = (cursor: Cursor) => readJoined(cursor, 'and', '&&', readTerm);

/** Reads operands of one operator, grouped to the right. */
function readJoined(
  cursor: Cursor,
  type: 'and' | 'or',
  operator: string,
  readOperand: (cursor: Cursor) => Condition,
): Condition {
  const left = readOperand(cursor);
  skipLines(cursor);
  if (!sees(cursor, operator)) return left;
  cursor.at += operator.length;
  return nest(cursor, () => ({ type, left, right: readJoined(cursor, type, operator, readOperand) }));
}

function readTerm(cursor: Cursor): Condition {
  skipLines(cursor);
  if (sees(cursor, '!') && endsWord(cursor.text[cursor.at + 1])) {
    cursor.at += 1;
    return nest(cursor, () => ({ type: 'not', condition: readTerm(cursor) }));
  }
  if (sees(cursor, '(')) return readParenthesised(cursor);
  const first = readOperand(cursor, 'argument');
  const raw = cursor.text.slice(first.start, first.end);
  skipBlanks(cursor);
  // Bash allows no newline after a single word.
  if (cursor.text[cursor.at] === '\n') throw unexpectedToken(cursor);
  if (/^-[abcdefghknoprstuvwxzGLNORS]$/.test(raw)) {
    return { type: 'unary', operator: raw, operand: readOperand(cursor, 'argument') };
  }
  const operator = binaryAt(cursor);
  if (operator === null) return { type: 'unary', operator: '-n', operand: first };
  cursor.at += operator.length;
  skipBlanks(cursor);
  return { type: 'binary', operator, left: first, right: readRight(cursor, operator) };
}

/** The right side of =~ may hold parentheses and bars, that of == extended patterns such as @(a|b). */
function readRight(cursor: Cursor, operator: string): Word {
  const isExpression = operator === '=~' && /[(|]/.test(cursor.text[cursor.at] ?? '');
  return isExpression
    ? readWord(cursor, 'expression')
    : readOperand(cursor, operator === '=~' ? 'expression' : 'pattern');
}

function readParenthesised(cursor: Cursor): Condition {
  cursor.at += 1;
  const inner = nest(cursor, () => readOr(cursor));
  skipLines(cursor);
  if (!sees(cursor, ')')) throw unexpectedToken(cursor);
  cursor.at += 1;
  return inner;
}

function readOperand(cursor: Cursor, place: WordPlace): Word {
  skipBlanks(cursor);
  if (endsWord(cursor.text[cursor.at]) || closes(cursor)) throw unexpectedToken(cursor);
  return readWord(cursor, place);
}

function binaryAt(cursor: Cursor): string | null {
  const rest = cursor.text.slice(cursor.at, cursor.at + 5);
  return /^(?:[<>]|(?:==|=~|=|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=\s|\\\n|$))/.exec(rest)?.[0] ?? null;
}
