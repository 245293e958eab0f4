/** Arrays as lists of elements, of which each has its position as its index unless it says another. */
import type { Shell } from './state.js';
import type { Word } from './syntax/tree.js';
import { type Element, isArray, isUnknown, type Unknown, type Value } from './value.js';

type List = readonly Element[];

/** The array of these elements; null: they are not known. */
export function arrayOf(list: List | null, isMap = false): Unknown {
  return { unknown: isArray, ...(list === null ? {} : { list }), ...(isMap ? { isMap } : {}) };
}

/** The elements of a variable: of a text one, of a name that is not set none; null: they are not known. */
export function elementsOf(shell: Shell, name: string): List | null {
  const { value } = shell.memory.of(name);
  if (isUnknown(value)) return value.list ?? null;
  const held = value ?? (value === null ? undefined : shell.look(name));
  if (isUnknown(held)) return null;
  return held === undefined ? [] : [{ value: held, from: { parts: [], ...shell.here } }];
}

export function isMap(shell: Shell, name: string): boolean {
  const { value } = shell.memory.of(name);
  return isUnknown(value) && value.isMap === true;
}

export function keysOf(list: List): string[] {
  return list.map(({ key }, at) => key ?? String(at));
}

/** The index behind the last one. */
export function endOf(list: List): number {
  return list.length === 0 ? 0 : Number(keysOf(list).at(-1)) + 1;
}

/** The list with another element at an index, or without the one there; in the order of indices but for a map. */
export function withElement(list: List, key: string, element: Element | null, map = false): List {
  const entries = new Map(list.map((one, at) => [one.key ?? String(at), one]));
  if (element === null) entries.delete(key);
  else entries.set(key, element);
  const sorted = map ? [...entries] : [...entries].sort(([left], [right]) => Number(left) - Number(right));
  return sorted.map(([at, { value, from }], position) =>
    at === String(position) ? { value, from } : { value, from, key: at },
  );
}

/** The variable's value after its element is set, or what is set is element 0 of an array; null: it is no array. */
export function withSet(shell: Shell, name: string, key: string | null, value: Value, from: Word): Value {
  const list = elementsOf(shell, name);
  const map = isMap(shell, name);
  shell.steps.take((list?.length ?? 0) / 8);
  return arrayOf(list === null || key === null ? null : withElement(list, key, { value, from }, map), map);
}
