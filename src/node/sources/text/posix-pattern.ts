/** The regular expressions of grep and sed, as far as they match in little time. */
import { escapeForRegExp } from '../../../util/escape-for-reg-exp.js';
import { tryOr } from '../../../util/try-or.js';

const classes: Readonly<Record<string, string>> = {
  '[:space:]': '\\s',
  '[:blank:]': ' \\t',
  '[:alpha:]': 'A-Za-z',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:digit:]': '0-9',
  '[:alnum:]': 'A-Za-z0-9',
};

/**
 * Patterns with more repetitions are not matched: the time would grow with more than the square of the line. The search
 * for the start counts as one, a repetition at the end as none.
 */
const maxRepetitions = 2;

/** The longest line that is matched. */
export const maxLine = 2000;

/**
 * The pattern as JavaScript has it, with the flags g and d; null if it holds something else than characters, classes,
 * groups, alternatives and a few repetitions of single characters.
 */
export function posixPattern(text: string, extended: boolean, ignoreCase = false): RegExp | null {
  const token = extended ? extendedToken : basicToken;
  const parts: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [all] = token.exec(text) ?? [];
    if (all === undefined) return null;
    const operator = (extended ? all : all.replace(/^\\(?=[()|+?])/, '')) as string;
    const isOperator = extended ? /^[()|+?]$/.test(all) : operator !== all;
    const before = parts.at(-1);
    if (all === '*' || (isOperator && /^[+?]$/.test(operator))) {
      if (before === undefined || /^[(|)]$|^\^$/.test(before)) return null;
      parts.push(operator);
    } else if (isOperator) parts.push(operator);
    else if (/^[.^$]$/.test(all)) parts.push(all);
    else if (all.startsWith('[') && !all.includes('\\')) parts.push(bracket(all));
    else if (/^\\[sSwWbtnr]$/.test(all)) parts.push(all);
    else if (/^\\[a-zA-Z0-9<>]$|^\[/.test(all)) return null;
    else parts.push(escapeForRegExp(all.replace(/^\\/, '')));
  }
  const isTwice = parts.some((part, at) => repeats.test(part) && repeats.test(parts[at - 1] ?? ''));
  // In a basic expression they are characters.
  const isInside = parts.some(
    (part, at) =>
      (part === '^' && !/^[(|]?$/.test(parts[at - 1] ?? '')) ||
      (part === '$' && !/^[)|]?$/.test(parts[at + 1] ?? '')),
  );
  if (isTwice || (isInside && !extended) || costOf(parts) > maxRepetitions) return null;
  return tryOr(() => new RegExp(parts.join(''), ignoreCase ? 'gdi' : 'gd'), null);
}

const repeats = /^[*+?]$/;

function costOf(parts: readonly string[]): number {
  const search = parts[0] === '^' && !parts.includes('|') ? 0 : 1;
  return search + parts.slice(0, -1).filter((part) => /^[*+]$/.test(part)).length;
}

const basicToken = /\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[^[\\]/y;
/** Counted repetitions are not read. */
const extendedToken = /\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|[^[\\{]/y;

function bracket(text: string): string {
  const inner = text.slice(1, -1).replace(/\[:\w+:\]|[\\[\]]/g, (one) => classes[one] ?? `\\${one}`);
  return `[${inner}]`;
}
