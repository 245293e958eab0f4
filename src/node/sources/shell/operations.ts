/** ${X/from/to}, ${X#pattern}, ${X%pattern}, ${X:2}, ${X,,} and ${@:2} of values that are known, in scripts that are followed. */
import { isUnknown, partOf, type Unknown, type Value } from './value.js';

/** Patterns are tried on values of this many characters at most. */
const maxTried = 4_096;
const maxStars = 2;

/** A value of ASCII characters after ${X,}, ${X,,}, ${X^} or ${X^^}; beyond ASCII, case depends on the locale. */
function cased(value: string, operator: string): Value {
  if (!/^[\x00-\x7f]*$/.test(value)) return { unknown: 'its case depends on the locale' };
  const change = (text: string) => (operator.startsWith(',') ? text.toLowerCase() : text.toUpperCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

/** A part of a value: ${X:2} or ${X:2:3}. */
function partly(value: string, range: string): Value {
  const [from = 0, length = value.length] = range.split(':').map(Number);
  return value.slice(from, from + length);
}

/** A value after an operator with its pattern; `to` replaces what matches. */
export function operated(value: Value, operator: string, pattern: Value, to: Value): Value {
  if (!isUnknown(value) && /^[,^]/.test(operator)) return cased(value, operator);
  if (!isUnknown(value) && operator === ':' && !isUnknown(pattern)) return partly(value, pattern);
  const source = isUnknown(pattern) ? null : expressionOf(pattern);
  if (isUnknown(value) || isUnknown(pattern) || source === null || value.length > maxTried)
    return {
      unknown: [value, pattern].find(isUnknown)?.unknown ?? `kaiactl does not evaluate \${…${operator}…}`,
    };
  if (pattern === '' && /^\/\/?$/.test(operator)) return value;
  const found = rangesOf(value, operator, source);
  if (found.length === 0) return value;
  const [kept, last] = found.reduce<readonly [string, number]>(
    ([text, from], [start, end]) => [text + value.slice(from, start) + partOf(to), end],
    ['', 0],
  );
  const text = kept + value.slice(last);
  return isUnknown(to) ? { ...(to satisfies Unknown), partly: text } : text;
}

/** Where the pattern matches, from the start to the end of each match. */
function rangesOf(value: string, operator: string, source: string): (readonly [number, number])[] {
  if (operator === '//')
    return [...value.matchAll(new RegExp(source, 'g'))].flatMap(({ index, 0: all }) =>
      all === '' && value !== '' ? [] : [[index, index + all.length] as const],
    );
  const starts = /%/.test(operator) ? [...value, ''].map((_, at) => at) : [0];
  if (operator === '%') starts.reverse();
  const body = operator === '#' ? source.replaceAll('*', '*?') : source;
  const anchored = { '/': body, '/%': `${body}$`, '%': `${body}$`, '%%': `${body}$` }[operator] ?? `^${body}`;
  const expression = new RegExp(anchored, operator === '/' ? '' : 'y');
  for (const at of starts) {
    expression.lastIndex = at;
    const match = expression.exec(value);
    if (match !== null) return [[match.index, match.index + match[0].length]];
  }
  return [];
}

/** A pattern of a shell as a regular expression; null: it has a set of characters, or too many stars. */
function expressionOf(pattern: string): string | null {
  if (/[[\\]/.test(pattern) || pattern.split('*').length > maxStars + 1) return null;
  return pattern
    .replaceAll(/[.+^${}()|\]]/g, '\\$&')
    .replaceAll(/[*?]/g, (one) => (one === '*' ? '[^]*' : '[^]'));
}
