/** Quotes '…' and $'…', and the search for matching closers. */
import { type Cursor, SyntaxFault } from './cursor.js';

/** Reads '…' from its opening quote. @throws {SyntaxFault} when it is never closed */
export function readSingle(cursor: Cursor): string {
  const start = cursor.at;
  const end = cursor.text.indexOf("'", start + 1);
  if (end < 0) throw unclosedQuote("'", start);
  cursor.at = end + 1;
  cursor.steps.take((end - start) / 64);
  return cursor.text.slice(start + 1, end);
}

/** The fault of a quote or bracket that is never closed. */
export function unclosedQuote(closer: string, at: number): SyntaxFault {
  return new SyntaxFault('unclosed-quote', `no matching ${closer}`, at);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** Reads $'…' from the $. null for a byte escape above 0x7f. An escaped NUL ends the text, as in bash. */
export function readAnsi(cursor: Cursor): string | null {
  const start = cursor.at;
  const { text } = cursor;
  let at = start + 2;
  let value: string | null = '';
  let ended = false;
  for (;;) {
    const char = text[at];
    cursor.steps.take(1 / 8);
    if (char === undefined) throw unclosedQuote("'", start);
    if (char === "'") break;
    let piece: string | null = char;
    let length = 1;
    if (char === '\\' && at + 1 < text.length) [piece, length] = ansiEscape(text, at);
    at += length;
    if (piece === '\0') ended = true;
    if (ended || value === null) continue;
    value = piece === null ? null : value + piece;
  }
  cursor.at = at + 1;
  return value;
}

function ansiEscape(text: string, at: number): [string | null, number] {
  const char = text[at + 1] as string;
  const simple = simpleEscapes[char];
  if (simple !== undefined) return [simple, 2];
  const rest = text.slice(at + 1, at + 11);
  const octal = /^[0-7]{1,3}/.exec(rest);
  if (octal !== null) return ascii(Number.parseInt(octal[0], 8) & 0xff, 1 + octal[0].length);
  const hex = /^x([0-9A-Fa-f]{1,2})/.exec(rest);
  if (hex !== null) return ascii(Number.parseInt(hex[1] as string, 16), 1 + hex[0].length);
  const unicode = /^(?:u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/.exec(rest);
  if (unicode !== null)
    return ascii(Number.parseInt((unicode[1] ?? unicode[2]) as string, 16), 1 + unicode[0].length);
  if (char === 'c' || char === 'x') return [null, 2];
  return [`\\${char}`, 2];
}

/** Beyond ASCII the result depends on the locale in which the node is started. */
function ascii(code: number, length: number): [string | null, number] {
  return [code < 0x80 ? String.fromCharCode(code) : null, length];
}

/**
 * Finds the closer that matches an opener before `from`, and skips quotes and nested pairs (of braces only ${…}).
 * @throws {SyntaxFault} when there is none
 */
export function matchingCloser(cursor: Cursor, from: number, opener: string, closer: string): number {
  const { text } = cursor;
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    cursor.steps.take(1 / 64);
    if (char === '\\' || (char === '$' && text[at + 1] === '$')) at += 1;
    else if (char === '$' && opener === '{' && text[at + 1] === '(') at = commandCloser(cursor, at + 2);
    else if (char === '$' && opener === '{' && text[at + 1] === '[')
      at = matchingCloser(cursor, at + 2, '[', ']');
    else if (char === '$' && opener !== '{' && text[at + 1] === '{')
      at = matchingCloser(cursor, at + 2, '{', '}');
    else if (char === '$' && text[at + 1] === "'") at = closeOf(cursor, at + 1, "'", true);
    else if (char === "'") at = closeOf(cursor, at, "'");
    else if (char === '"' || char === '`') at = closeOf(cursor, at, char);
    else if (char === closer) {
      depth -= 1;
      if (depth === 0) return at;
    } else if (char === opener && (opener !== '{' || text[at - 1] === '$')) depth += 1;
  }
  throw unclosedQuote(closer, from);
}

function commandCloser(cursor: Cursor, from: number): number {
  try {
    return matchingCloser(cursor, from, '(', ')');
  } catch (error) {
    if (error instanceof SyntaxFault) error.inCommand = true;
    throw error;
  }
}

/** Finds the closing quote of the one at `from`. In double quotes $(…) has its own. @throws {SyntaxFault} when there is none */
export function closeOf(cursor: Cursor, from: number, quote: string, escapes = quote !== "'"): number {
  const { text, steps } = cursor;
  for (let at = from + 1; at < text.length; at += 1) {
    steps.take(1 / 64);
    if (text[at] === '\\' && escapes) at += 1;
    else if (text[at] === quote) return at;
    else if (quote === '"' && text[at] === '$' && text[at + 1] === '(') at = commandCloser(cursor, at + 2);
  }
  throw unclosedQuote(quote, from);
}
