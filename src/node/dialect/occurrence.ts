/** The uses of flags that a command line was parsed into. */
import type { Origin, SettingValue, StartProblem } from '../facts/settings.js';
import type { Flag, FlagRules, FlagUse } from './flag.js';
import type { CommandWord } from './word.js';

/** One use of a flag, in the order of the command line. */
export interface Occurrence extends FlagUse {
  readonly indeterminate: string | null;
  /** Of an unknown value: the part that is written, and the name of the other part. */
  readonly unknown?: { readonly written: SettingValue | null; readonly name: string };
  /** The index of its last word. */
  readonly at: number;
  readonly origin: Origin;
  /** Whether it is a switch written as its name alone. */
  readonly literal: boolean;
  /** False when only another reading has it than the first. */
  readonly isFirst: boolean;
  /** Why another reading differs here, as clauses: "--brand-new takes a value". Empty: every reading has it. */
  readonly doubts: readonly string[];
}

export interface ParsedWords {
  /** Of every reading. */
  readonly occurrences: readonly Occurrence[];
  /** Flags that may be set, or set otherwise, by words that cannot be known; null for any flag. */
  readonly maybe: readonly {
    readonly flags: readonly string[] | null;
    readonly reason: string;
    /** The name and place of the word. */
    readonly name: string;
    readonly at: number;
    readonly origin: Origin;
  }[];
  /** Unknown words that are the value of a flag, and no flag. */
  readonly values: ReadonlySet<CommandWord>;
  readonly problems: readonly StartProblem[];
}

/** The uses of flags where every unknown flag is a switch, if it can be. */
export function firstReading(occurrences: readonly Occurrence[]): Occurrence[] {
  return occurrences.filter(({ isFirst }) => isFirst);
}

/** The uses with the parts of unknown values that are written. */
export function asWritten(occurrences: readonly Occurrence[]): Occurrence[] {
  return occurrences.map((one) =>
    one.unknown == null || one.unknown.written === null
      ? one
      : { ...one, value: one.unknown.written, indeterminate: null },
  );
}

/** The later value of a list with the earlier one before it. */
export function joinOccurrences<T extends Pick<Occurrence, 'value' | 'indeterminate'>>(
  before: Pick<T, 'value' | 'indeterminate'>,
  next: T,
): T {
  if (before.value === null || next.value === null) {
    return { ...next, value: null, indeterminate: before.indeterminate ?? next.indeterminate };
  }
  return { ...next, value: `${before.value},${next.value}` };
}

/**
 * The value of a flag once the node starts, where the node refuses the given value: for a switch the worse of on and off,
 * for any other flag an unknown value. `why`: "the node refuses “abc”".
 */
export function valueOnceStarted(
  rules: Pick<FlagRules, 'opensMore'>,
  flag: Flag,
  why: string,
): { readonly value: SettingValue | null; readonly indeterminate: string | null } {
  return flag.type === 'bool'
    ? { value: rules.opensMore(flag.name), indeterminate: null }
    : { value: null, indeterminate: why };
}
