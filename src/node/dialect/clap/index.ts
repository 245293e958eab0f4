/** Programs on Rust's clap 4. */
import type { Dialect } from '../dialect.js';
import { parseValue, socketAddress, unbindable } from './values.js';
import { parseWords } from './words.js';

export const clap: Dialect = {
  parse: parseWords,
  /** A flag that is given twice is refused: what each says is a reading. Lists keep every value, as the last layer. */
  effective: (_rules, uses) => uses,
  value: parseValue,
  variable: parseValue,
  flagIn: (word) => /^--([A-Za-z][^=]*)|^-([A-Za-z])/.exec(word)?.slice(1).find(Boolean) ?? null,
  commandIn,
  unbindable,
  addressIn: socketAddress,
};

/** The first word that is neither a flag nor the value of one. `takesValue`: by the name of a flag. null: there is none. */
function commandIn(words: readonly string[], takesValue: (flag: string) => boolean): string | null {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const [, dashes, flag = '', value] = /^(--?)([A-Za-z][\w.-]*)(=.*)?$/s.exec(word) ?? [];
    if (dashes === undefined) return word;
    const next = words[at + 1];
    if (dashes === '--' && value === undefined && takesValue(flag) && next?.startsWith('-') === false)
      at += 1;
  }
  return null;
}
