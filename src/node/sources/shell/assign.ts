/** Assignments: NAME=value, alone or before a command, and where the characters of their values are written. */
import { unfilled } from '../text/placeholders.js';
import { elementsOf, endOf, isMap, withSet } from './arrays.js';
import { expandValue, keyOf } from './expand.js';
import { elementsFrom, expandFields } from './fields.js';
import { maxRuns, type Recorded } from './journal.js';
import type { Variable } from './memory.js';
import { Discard } from './outcomes.js';
import type { Shell } from './state.js';
import type { AssignmentSyntax, Part, Run, Word } from './syntax/tree.js';
import { cut } from './syntax/word.js';
import {
  arrayOf,
  type Element,
  elementAt,
  isArray,
  isUnknown,
  partOf,
  type Unknown,
  type Value,
  withElement,
} from './value.js';

/** The values assigned before a command and visible to that command only. Each sees the ones before it. */
export function temporary(shell: Shell, assignments: readonly AssignmentSyntax[]) {
  const { memory } = shell;
  const before = new Map<string, Variable['value']>();
  const values = new Map<string, Value>();
  for (const syntax of assignments) {
    const { name } = syntax;
    // Bash rejects a read-only name before it expands the value.
    if (memory.of(name).readOnly) continue;
    const right = isOfArray(syntax) ? arrayValue(shell, syntax) : expandValue(shell, syntax.value);
    const value = appendValue(shell, name, syntax.append && syntax.subscript === null, right);
    shell.record({ ...placesOf(syntax), value, runs: runsOf(shell, syntax.value, right), effective: false });
    if (!before.has(name)) before.set(name, memory.of(name).value);
    values.set(name, value);
    memory.change(name, { value });
  }
  for (const [name, was] of before) {
    const kept = memory.of(name).value === values.get(name);
    memory.change(name, { value: kept ? was : { unknown: 'a prefix assignment changes it' } });
  }
  return values;
}

/** Carries out NAME=value. */
export function assign(shell: Shell, syntax: AssignmentSyntax): void {
  const { name, value: word } = syntax;
  const right = isOfArray(syntax) ? arrayValue(shell, syntax) : expandValue(shell, word);
  if (shell.memory.of(name).readOnly) {
    shell.memory.status = 1;
    throw new Discard(`${name}: readonly variable`);
  }
  recordAssignment(shell, syntax.subscript === null ? syntax : { ...syntax, append: false }, right);
}

function isOfArray({ items, subscript }: AssignmentSyntax): boolean {
  return items !== null || subscript !== null;
}

/** The whole array after NAME[…]=value, or the elements of NAME=(…). */
function arrayValue(shell: Shell, syntax: AssignmentSyntax): Value {
  const { name, append, subscript, items, value: word } = syntax;
  if (items !== null) return listOf(shell, name, items);
  if (subscript === null) return expandValue(shell, word);
  return elementSet(shell, { name, subscript, append, word }, expandValue(shell, word));
}

/** The array after one of its elements is set. */
export function elementSet(
  shell: Shell,
  { name, subscript, append, word }: { name: string; subscript: Word; append: boolean; word: Word },
  right: Value,
): Value {
  const key = keyOf(shell, name, subscript, word);
  if (key === null) shell.doubt.unit ??= 'bash may reject the index of an array';
  const before = append && key !== null ? (elementAt(elementsOf(shell, name) ?? [], key)?.value ?? '') : '';
  const value = isUnknown(before) ? before : isUnknown(right) ? right : before + right;
  return withSet(shell, name, key, value, word);
}

/** The elements of a list, of which some may say their index: ([2]=x y). */
export function listOf(shell: Shell, name: string, items: readonly Word[]): Unknown {
  const map = isMap(shell, name);
  const keyed = items.map(keyedItem);
  const all = expandFields(shell, keyed.some((one) => one !== null) ? [] : items);
  // What matches a pattern of file names is not known; of a script, what is written counts.
  if (!all.exact && shell.observer === null) return arrayOf(null, map);
  if (!keyed.some((one) => one !== null))
    return arrayOf(map && all.values.length > 0 ? null : elementsFrom(all), map);
  let list: readonly Element[] = [];
  let next = 0;
  for (const [at, item] of keyed.entries()) {
    const values: readonly Element[] =
      item === null
        ? elementsFrom(expandFields(shell, [items[at] as Word]))
        : [{ value: expandValue(shell, item.value), from: item.value }];
    for (const element of values) {
      const key = item === null ? String(next) : keyOf(shell, name, item.subscript, item.value);
      if (key === null || (map && item === null)) return arrayOf(null, map);
      list = withElement(list, key, element, map);
      next = Number(key) + 1;
      shell.steps.take(list.length / 8);
    }
  }
  return arrayOf(list, map);
}

/** The parts of an element [index]=value; null if it is another word. */
function keyedItem({ parts, start, end }: Word): { readonly subscript: Word; readonly value: Word } | null {
  const [first] = parts;
  const open = first?.type === 'text' && !first.quoted && first.text.startsWith('[');
  const close = open
    ? parts.findIndex((part) => part.type === 'text' && !part.quoted && part.text.includes(']='))
    : -1;
  const part = parts[close];
  if (first?.type !== 'text' || part?.type !== 'text') return null;
  const at = part.text.indexOf(']=');
  const index =
    close === 0 ? [cut(first, 1, at)] : [cut(first, 1), ...parts.slice(1, close), cut(part, 0, at)];
  const value = [cut(part, at + 2), ...parts.slice(close + 1)];
  return { subscript: { parts: index, start, end }, value: { parts: value, start, end } };
}

/** The value of NAME after NAME+=right; a text that an array gets is its element 0. */
export function appendValue(shell: Shell, name: string, append: boolean, right: Value): Value {
  const { value: held } = shell.memory.of(name);
  const isList = isUnknown(right) && right.unknown === isArray;
  if (isList && append && right.list !== undefined) return longerList(shell, name, right.list);
  if (isList) return right;
  const before = append ? (shell.look(name) ?? '') : '';
  const after = isUnknown(right) ? right : isUnknown(before) ? before : before + right;
  const isElement = isUnknown(held) && held.unknown === isArray;
  return isElement ? withSet(shell, name, '0', after, { parts: [], ...shell.here }) : after;
}

function longerList(shell: Shell, name: string, added: readonly Element[]): Value {
  const before = elementsOf(shell, name);
  if (before === null || isMap(shell, name)) return arrayOf(null, isMap(shell, name));
  const end = endOf(before);
  shell.steps.take((before.length + added.length) / 8);
  if (end === before.length) return arrayOf([...before, ...added]);
  return arrayOf(added.reduce((list, one, at) => withElement(list, String(end + at), one), before));
}

type Written = Pick<AssignmentSyntax, 'name' | 'append' | 'start' | 'end' | 'value'>;

/** Sets the variable, or appends to it, and records the assignment. */
export function recordAssignment(
  shell: Shell,
  syntax: Written,
  right: Value,
  runs = runsOf(shell, syntax.value, right),
): void {
  const held = shell.set(syntax.name, appendValue(shell, syntax.name, syntax.append, right));
  // $NAME of an array is its element 0.
  const result = isUnknown(held) && held.list !== undefined ? (elementAt(held.list, '0')?.value ?? '') : held;
  const { variable, at, valueAt, kind } = placesOf(syntax);
  shell.record({ variable, value: result, at, valueAt, kind, runs });
  if (isUnknown(result)) {
    const { start, end } = syntax.value;
    shell.journal.addIndeterminate({ variable, reason: result.unknown, at: { start, end } });
  }
}

function placesOf(syntax: Written): Omit<Recorded, 'value' | 'runs'> {
  const { name: variable, value: valueAt, append } = syntax;
  return { variable, at: syntax, valueAt, kind: append ? 'append' : 'assign' };
}

/**
 * The value of a word by the places of its parts; the characters of a variable have the places in its assignment. One run
 * for the whole word where the parts cannot be told apart.
 */
function runsOf(shell: Shell, word: Word, value: Value): readonly Run[] {
  const text = partOf(value);
  return runsIn(shell, word, text) ?? [{ text, start: word.start, end: word.end }];
}

/** Null if the parts cannot be told apart, or the word makes another text. */
function runsIn(shell: Shell, { parts, start, end }: Word, text: string): readonly Run[] | null {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && only.text === text && only.runs.length <= maxRuns)
    return only.runs;
  const texts = parts.map((part) => textOfPart(shell, part));
  const known = texts.reduce((sum: number, one) => sum + (one?.length ?? 0), 0);
  // The one text that is not known is what the others leave.
  if (texts.filter((one) => one === null).length > 1 || known > text.length) return null;
  let at = 0;
  let from = start;
  const runs: Run[] = [];
  for (const [index, part] of parts.entries()) {
    const length = texts[index]?.length ?? text.length - known;
    const range = 'start' in part ? part : { start: from, end: startOf(parts[index + 1]) ?? end };
    if (part.type === 'text') runs.push(...part.runs);
    else runs.push(...ofExpansion(shell, part, { ...range, text: text.slice(at, at + length) }));
    from = runs.at(-1)?.end ?? from;
    at += length;
  }
  return runs.length <= maxRuns && joined(runs) === text ? runs : null;
}

function joined(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** A variable's text where it was assigned, a default where it is written; any other at the expansion. */
function ofExpansion(shell: Shell, part: Part, { text, start, end }: Run): readonly Run[] {
  const { journal } = shell;
  const whole = [{ text, start, end }];
  if (part.type !== 'parameter') return whole;
  const [operand = null] = part.operands;
  const own = journal.written.get(part.name) ?? [];
  if (joined(own) === text) return own;
  return operand === null ? whole : (runsIn(shell, operand, text) ?? whole);
}

/** The text that the part has become; null if it is not known from the part alone. */
function textOfPart(shell: Shell, part: Part): string | null {
  if (part.type === 'text') return part.text;
  if (part.type === 'command' || part.type === 'other') return unfilled;
  if (part.type !== 'parameter' || part.operator !== '' || part.subscript !== null || part.indirect)
    return null;
  return partOf(shell.look(part.name) ?? '');
}

function startOf(part: Part | undefined): number | undefined {
  if (part === undefined) return undefined;
  if (part.type === 'text') return part.runs[0]?.start;
  return 'start' in part ? part.start : undefined;
}
