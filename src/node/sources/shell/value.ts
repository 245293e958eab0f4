/** Values of variables, known and unknown. */
import type { Range } from '../text/line-index.js';
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
  /** The elements of an array. */
  readonly list?: readonly Element[];
  /** Its indices are any texts, in an order that only bash knows. */
  readonly isMap?: true;
}

/** An element of an array, or an argument, and the word that it was expanded from. */
export interface Element {
  readonly value: Value;
  readonly from: Word;
  /** The index in an array, where it is not the position. */
  readonly key?: string;
}

/** An expanded part of a word. A quoted piece is neither split nor a pattern. */
export interface Piece {
  readonly value: Value;
  readonly quoted: boolean;
  /** Elements that become a word each. */
  readonly fields?: readonly Element[];
  /** The expansion that it is of; absent if it is a text. */
  readonly at?: Range;
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

/** Why the value of a name is not a text. */
export const isArray = 'it is an array';

export function elementAt(list: readonly Element[], key: string): Element | undefined {
  const own = list[Number(key)];
  return own !== undefined && own.key === undefined ? own : list.find((one) => one.key === key);
}

/** The array of these elements; null if they are not known. */
export function arrayOf(list: readonly Element[] | null, isMap = false): Unknown {
  return { unknown: isArray, ...(list === null ? {} : { list }), ...(isMap ? { isMap } : {}) };
}

/** Sets an element, or removes it with null. Arrays stay in the order of indices, maps in that of insertion. */
export function withElement(
  list: readonly Element[],
  key: string,
  element: Element | null,
  map = false,
): readonly Element[] {
  const entries = new Map(list.map((one, at) => [one.key ?? String(at), one]));
  if (element === null) entries.delete(key);
  else entries.set(key, element);
  const sorted = map ? [...entries] : [...entries].sort(([left], [right]) => Number(left) - Number(right));
  return sorted.map(([at, { value, from }], position) =>
    at === String(position) ? { value, from } : { value, from, key: at },
  );
}
