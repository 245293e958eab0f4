/** Programs on Rust's clap 4. */
import { commandIn } from '../command.js';
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
  // No value begins with a dash.
  commandIn: (words, takesValue) => commandIn(words, takesValue, (next) => !next.startsWith('-')),
  unbindable,
  addressIn: socketAddress,
};
