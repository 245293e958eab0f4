/** The patterns of `case`, [[ == ]] and ${X#…}, and what the operators of ${X…} make of values that are known. */
import { escapeForRegExp } from '../../../util/escape-for-reg-exp.js';
import type { Pattern } from '../../../util/wildcard.js';
import { isUnknown, type Piece, partOf, type Value } from './value.js';

/** Patterns are tried on values of this many characters at most. */
const maxTried = 4_096;
const maxStars = 2;

/** A value after ${X,}, ${X,,}, ${X^}, ${X^^}, ${X@U}, ${X@L} or ${X@u}; beyond ASCII, case depends on the locale. */
export function changeCase(value: string, operator: string, pattern: Pattern = []): Value {
  const source = pattern.length === 0 ? '.' : expressionOf(pattern);
  if (!/^[\x00-\x7f]*$/.test(value) || source === null) return { unknown: 'its case depends on the locale' };
  const matching = new RegExp(`^(?:${source})$`);
  const isLower = /^(?:,|@L)/.test(operator);
  const isAll = /^(?:,,|\^\^|@U|@L)$/.test(operator);
  const change = (char: string) => (isLower ? char.toLowerCase() : char.toUpperCase());
  return [...value]
    .map((char, at) => ((isAll || at === 0) && matching.test(char) ? change(char) : char))
    .join('');
}

/** The start and end of ${X:from:length} in a text or list of this length; null if bash rejects the length. */
export function rangeIn(size: number, from: number, length: number | null): readonly [number, number] | null {
  const start = from < 0 ? size + from : from;
  if (start < 0 || start > size) return [0, 0];
  const end = length === null ? size : length < 0 ? size + length : Math.min(start + length, size);
  return end < start ? null : [start, end];
}

/** A value after a pattern is removed, or replaced by `to`. */
export function replacePattern(value: string, operator: string, pattern: Pattern, to: Value): Value {
  const source = expressionOf(pattern);
  const isAscii = /^[\x00-\x7f]*$/.test(value) || pattern.every(({ char, wild }) => !wild || char === '*');
  if (source === null || !isAscii || value.length > maxTried)
    return { unknown: `kaiactl does not evaluate \${…${operator}…}` };
  if (pattern.length === 0 && /^\/\/?$/.test(operator)) return value;
  const found = rangesOf(value, operator, source);
  const [kept, last] = found.reduce<readonly [string, number]>(
    ([text, from], [start, end]) => [text + value.slice(from, start) + partOf(to), end],
    ['', 0],
  );
  const text = kept + value.slice(last);
  return isUnknown(to) && found.length > 0 ? { unknown: to.unknown, partly: text } : text;
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

/** A pattern as the source of a regular expression; null if it has too many stars. */
function expressionOf(pattern: Pattern): string | null {
  if (pattern.filter(({ char, wild }) => wild && char === '*').length > maxStars) return null;
  return pattern
    .map(({ char, wild, set }) => set ?? (wild ? (char === '*' ? '[^]*' : '[^]') : escapeForRegExp(char)))
    .join('');
}

const classes: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

/** A set of ASCII characters: [abc], [!a-z], [[:digit:]]. */
const set = /^\[([!^]?)((?:\[:\w+:\]|[\]^](?=[^\]]*\])|[^[\]\\^]))((?:\[:\w+:\]|[^[\]\\])*)\]/;

/** The pattern of the pieces of a word, with *, ? and sets of ASCII characters; null if it is another one. */
export function patternOf(pieces: readonly Piece[]): Pattern | null {
  const pattern: { char: string; wild: boolean; set?: string }[] = [];
  for (const { value, quoted, fields } of pieces) {
    if (isUnknown(value) || fields !== undefined) return null;
    if (!quoted && /[\\(|]/.test(value)) return null;
    for (let rest = value; rest !== ''; ) {
      const [all, not, first = '', more = ''] = (!quoted && rest.startsWith('[') && set.exec(rest)) || [];
      if (all === undefined) {
        // The rest of the set may be in the next piece.
        if (!quoted && rest.startsWith('[') && (pieces.length > 1 || rest.includes(']'))) return null;
        const char = String.fromCodePoint(rest.codePointAt(0) ?? 0);
        pattern.push({ char, wild: !quoted && /^[*?]$/.test(char) });
        rest = rest.slice(char.length);
        continue;
      }
      const within = (first + more)
        .replace(/[\\\]^]/g, '\\$&')
        .replace(/\[:(\w+):\\?\]/g, (_, name: string) => classes[name] ?? '');
      if (!/^[\x20-\x7e]+$/.test(within)) return null;
      pattern.push({ char: all, wild: true, set: `[${not === '' ? '' : '^'}${within}]` });
      rest = rest.slice(all.length);
    }
  }
  return pattern;
}
