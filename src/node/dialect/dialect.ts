/** How a family of programs reads its words and binds its sockets. */
import type { StartProblem } from '../facts/settings.js';
import type { FlagRules, FlagSet, FlagType, Parsed } from './flag.js';
import type { Occurrence, ParsedWords } from './occurrence.js';
import type { CommandWord } from './word.js';

export interface Dialect {
  /** The uses of flags in the words after the program, and the words with which it does not start. */
  parse(program: Program, words: readonly CommandWord[]): ParsedWords;
  /** The uses that have an effect: what repeated flags mean. */
  effective(rules: FlagRules, uses: readonly Occurrence[]): readonly Occurrence[];
  /** The value of a flag on the command line or in a table of defaults. */
  value(type: FlagType, text: string): Parsed;
  /** The value of a flag from a variable of the environment; null if such a variable sets nothing. */
  variable(type: FlagType, text: string): Parsed | null;
  /** The name in a word that is a flag, without dashes; null if it is none. */
  flagIn(word: string): string | null;
  /** The first word that is neither a flag nor the value of one. `takesValue`: by the name of a flag. Returns null if there is none. */
  commandIn(words: readonly string[], takesValue: (flag: string) => boolean): string | null;
  /** Why the host cannot be bound; null if it can. */
  unbindable(host: string): string | null;
  /** The address with a port, or the path of a local socket, in one text; null if it holds neither. */
  addressIn(
    text: string,
  ): { readonly host: string; readonly port: number } | { readonly path: string } | null;
}

/** A program whose words are read. */
export interface Program {
  readonly flags: FlagSet;
  readonly rules: FlagRules;
  /** Commands that start a node: with a console, or at all. */
  readonly consoles: readonly string[];
  /** Why a flag is not known. `written`: with its dashes. */
  unknown(written: string, name: string): Pick<StartProblem, 'message' | 'release'>;
  /** Whether it is a text without unknown parts. */
  isKnown(text: string): boolean;
}
