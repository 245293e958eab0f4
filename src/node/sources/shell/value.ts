/** Values of variables, known and unknown. */
import { unfilled } from '../text/placeholders.js';
import type { Word } from './syntax/tree.js';

/** A value that cannot be known offline, and why. */
export interface Unknown {
  readonly unknown: string;
  /** The known parts of the text, with `unfilled` in place of each unknown part. */
  readonly partly?: string;
  /** It holds no blanks: it is never split. */
  readonly oneWord?: true;
  /** Unquoted, it may become several words: a command that is not known prints it. */
  readonly manyWords?: true;
  readonly list?: readonly Element[];
}

/** An element of an array, or an argument, and the word that it was expanded from. */
export interface Element {
  readonly value: Value;
  readonly from: Word;
}

export type Value = string | Unknown;

export function isUnknown(value: Value | null | undefined): value is Unknown {
  return typeof value === 'object' && value !== null;
}

/** The known parts of a value, with `unfilled` in place of each unknown part. */
export function partOf(value: Value): string {
  return isUnknown(value) ? (value.partly ?? unfilled) : value;
}

/** Characters; longer values (from repeated A=$A$A) are unknown. */
export const maxValue = 1 << 16;
