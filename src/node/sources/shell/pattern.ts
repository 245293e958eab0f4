/** The patterns of `case`, [[ == ]] and ${X#…}. */
import type { Pattern } from '../../../util/wildcard.js';
import { isUnknown, type Piece } from './value.js';

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

/** The pattern of the pieces of a word, with *, ? and sets of ASCII characters; null: it is another one. */
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
