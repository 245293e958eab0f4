/** The words of a directive, with the escapes of systemd.syntax(7) and systemd.service(5): `\\x70`, `\\160`, `\\u0070`, `\\s`. */
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { splitWords } from '../text/words.js';
import type { Directive } from './directives.js';

const escaped = /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([0-7]{3})|([\s\S]))/g;

const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  s: ' ',
};

export function unitWords(value: Placed): Placed[] {
  return splitWords(
    value.replace(escaped, ({ 1: hex, 2: short, 3: long, 4: octal, 5: letter }, at) => {
      if (letter !== undefined && !Object.hasOwn(letters, letter)) return null;
      const char = letter === undefined ? charOf(hex ?? short ?? long, octal) : (letters[letter] as string);
      return at.as(/[\s"'\\]/.test(char) ? `\\${char === '\n' ? ' ' : char}` : char);
    }),
  );
}

/** The text with the escapes of letters, digits and signs, to recognise what it names. */
export function withoutEscapes(text: string): string {
  return text.replace(/\\x([2-7][\dA-Fa-f])/g, (_, hex: string) => charOf(hex, undefined));
}

function charOf(hex: string | undefined, octal: string | undefined): string {
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The directive with its specifiers expanded; those of a template's instance, of users and of hosts are unknown. */
export function expandSpecifiers({ name, value }: Directive, unit: string): Directive {
  const [, prefix = '', instance] = /^([^@]*)(?:@(.*))?\.service$/.exec(unit) ?? [];
  const known: Readonly<Record<string, string>> = {
    ...(instance === '' ? {} : { n: unit, N: unit.replace(/\.service$/, ''), i: instance ?? '' }),
    p: prefix,
    P: prefix,
  };
  const filled = value.replace(/%([A-Za-z%])/g, ([, letter = ''], at) =>
    letter === '%' ? at : at.as(Object.hasOwn(known, letter) ? (known[letter] as string) : unfilled),
  );
  return { name, value: filled };
}
