/** Where what the node gets comes from. */
import type { Origin } from '../../facts/settings.js';
import type { CommandWord } from './word.js';

/** A value in a variable comes from its assignment; a flag in the variable of extra flags is a flag as written. */
export function originOf(word: CommandWord, flag: string): Origin {
  const { variable, cause, at } = word;
  if (word.written === true) return { kind: 'flag', flag, at, on: 'command line' };
  if (word.extra === true) return { kind: 'flag', flag, at };
  const named = variable ?? cause;
  if (named === null) return { kind: 'launcher', flag };
  const place = variable === null ? word.causeAt : at;
  if (place === null) return { kind: 'environment', variable: named, at: null };
  return { kind: 'assignment', variable: named, flag, at: place };
}
