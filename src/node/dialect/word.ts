/** The words of a command line, before a node's flags are read from them. */
import type { Origin, Word } from '../facts/settings.js';
import type { Span } from '../facts/span.js';

/** A word, why it is there, and what it could be. */
export interface CommandWord extends Word {
  /** The variable whose value made the launcher add it; null if it always does. */
  readonly cause: string | null;
  /** Where the cause was assigned. */
  readonly causeAt: Span | null;
  /** Why the text is null. */
  readonly indeterminate: string | null;
  /** When the text is null: the flags that the word may be; null for any flag. */
  readonly maybe: readonly string[] | null;
  /** When the text is null: the known parts of it, with `unfilled` in place of each unknown part; absent if there is none. */
  readonly partly?: string;
  /** When the text is null: the name and place of what is unknown, "$OPTS (run.sh:7)"; absent for that of the variable. */
  readonly unknown?: string;
  /** Whether it is a word of a variable that holds extra flags, not one flag's value. */
  readonly extra?: true;
  /** Whether it is on the command line itself, not in a conf. */
  readonly written?: true;
}

/** The name and place of what is unknown in the word. */
export function unknownOf({ unknown, variable, cause, at }: CommandWord): string {
  const name = variable ?? cause ?? 'a word';
  return unknown ?? (at === null ? name : `${name} (${at.file}:${at.line})`);
}

/** Where a flag of this name gets the word from: extra flags count as written on the command line. */
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
