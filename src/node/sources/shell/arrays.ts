/** Arrays as lists of elements, of which each has its position as its index unless it says another. */
import type { Shell } from './state.js';
import type { Word } from './syntax/tree.js';
import { arrayOf, type Element, isUnknown, type Value, withElement } from './value.js';

type List = readonly Element[];

/** The elements of a variable: of a text one, of a name that is not set none; null if they are not known. */
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

/** The variable's value after its element is set, or what is set is element 0 of an array; null if it is no array. */
export function withSet(shell: Shell, name: string, key: string | null, value: Value, from: Word): Value {
  const list = elementsOf(shell, name);
  const map = isMap(shell, name);
  shell.steps.take((list?.length ?? 0) / 8);
  return arrayOf(list === null || key === null ? null : withElement(list, key, { value, from }, map), map);
}
