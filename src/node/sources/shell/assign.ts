/** Assignments: NAME=value, alone or before a command, and where the characters of their values are written. */
import { unfilled } from '../text/placeholders.js';
import { ArithmeticFault, UnknownOperand } from './arithmetic.js';
import { arithmeticResult, expandValue, forget } from './expand.js';
import { elements } from './fields.js';
import { maxRuns, type Recorded } from './journal.js';
import type { Variable } from './memory.js';
import { Discard } from './outcomes.js';
import type { Shell } from './state.js';
import type { AssignmentSyntax, Part, Run, Word } from './syntax/tree.js';
import { isUnknown, partOf, type Unknown, type Value } from './value.js';

/** The values assigned before a command and visible to that command only. Each sees the ones before it. */
export function temporary(shell: Shell, assignments: readonly AssignmentSyntax[]) {
  const { memory } = shell;
  const before = new Map<string, Variable['value']>();
  const values = new Map<string, Value>();
  for (const syntax of assignments) {
    const { name, append, array } = syntax;
    // Bash rejects a read-only name before it expands the value.
    if (memory.of(name).readOnly) continue;
    const right = array ? arrayValue(shell, syntax) : expandValue(shell, syntax.value);
    const value = appended(shell, name, append, right);
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
  const { name, array, value: word } = syntax;
  const right = array ? arrayValue(shell, syntax) : expandValue(shell, word);
  if (shell.memory.of(name).readOnly) {
    shell.memory.status = 1;
    throw new Discard(`${name}: readonly variable`);
  }
  recordAssignment(shell, syntax, right);
}

/** The list is known to an observer alone: a conf’s launcher reads no arrays. */
function arrayValue(shell: Shell, syntax: AssignmentSyntax): Value {
  const { name, value, subscript, items } = syntax;
  if (subscript !== null) evaluateSubscript(shell, subscript, syntax);
  const list = shell.observer === null || items === null ? null : elements(shell, items);
  if (list === null) expandValue(shell, value);
  shell.memory.change(name, { transformed: isArray });
  return list === null ? { unknown: isArray } : { unknown: isArray, list };
}

export const isArray = 'it is an array';

/** a[X=1]=2 sets X as well. More than plain arithmetic may set every name in it. */
function evaluateSubscript(shell: Shell, subscript: string, { name, start, end }: AssignmentSyntax): void {
  const plain = /^[^$`"'\\]*$/.test(subscript) && shell.memory.of(name).transformed === null;
  try {
    if (plain) arithmeticResult(shell, subscript, { start, end });
    else {
      forget(shell, subscript, { unknown: 'the index of an array may set it' });
      shell.doubt.unit ??= 'bash may reject the index of an array';
    }
  } catch (error) {
    if (error instanceof ArithmeticFault) throw new Discard(error.message);
    if (!(error instanceof UnknownOperand)) throw error;
    shell.doubt.unit ??= error.message;
  }
}

/** The value of NAME after NAME+=right. */
export function appended(shell: Shell, name: string, append: boolean, right: Value): Value {
  if (append && isUnknown(right) && right.list !== undefined) return longerList(shell, name, right.list);
  if (!append || isUnknown(right)) return right;
  const before = shell.look(name) ?? '';
  return isUnknown(before) ? before : before + right;
}

function longerList(shell: Shell, name: string, added: NonNullable<Unknown['list']>): Value {
  const { value } = shell.memory.of(name);
  const before = (value ?? null) === null ? [] : isUnknown(value) ? value.list : undefined;
  return before === undefined ? { unknown: isArray } : { unknown: isArray, list: [...before, ...added] };
}

type Written = Pick<AssignmentSyntax, 'name' | 'append' | 'start' | 'end' | 'value'>;

/** Sets the variable, or appends to it, and records the assignment. */
export function recordAssignment(
  shell: Shell,
  syntax: Written,
  right: Value,
  runs = runsOf(shell, syntax.value, right),
): void {
  const result = shell.set(syntax.name, appended(shell, syntax.name, syntax.append, right));
  shell.record({ ...placesOf(syntax), value: result, runs });
  if (isUnknown(result)) {
    const { start, end } = syntax.value;
    shell.journal.addIndeterminate({ variable: syntax.name, reason: result.unknown, at: { start, end } });
  }
}

function placesOf(syntax: Written): Omit<Recorded, 'value' | 'runs'> {
  return {
    variable: syntax.name,
    at: syntax,
    valueAt: syntax.value,
    kind: syntax.append ? 'append' : 'assign',
  };
}

/**
 * The value of a word by the places of its parts; the characters of a variable have the places in its assignment. One run
 * for the whole word where the parts cannot be told apart.
 */
function runsOf(shell: Shell, word: Word, value: Value): readonly Run[] {
  const text = partOf(value);
  return runsIn(shell, word, text) ?? [{ text, start: word.start, end: word.end }];
}

/** null: the parts cannot be told apart, or the word makes another text. */
function runsIn(shell: Shell, { parts, start, end }: Word, text: string): readonly Run[] | null {
  const texts = parts.map((part) => textOf(shell, part));
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
  const { name, operand } = part;
  const own = journal.written.get(name) ?? [];
  if (joined(own) === text) return own;
  return operand === null ? whole : (runsIn(shell, operand, text) ?? whole);
}

/** The text that the part has become; null: not known from the part alone. */
function textOf(shell: Shell, part: Part): string | null {
  if (part.type === 'text') return part.text;
  if (part.type === 'command' || part.type === 'other') return unfilled;
  if (part.type !== 'parameter' || part.operator !== '') return null;
  return partOf(shell.look(part.name) ?? '');
}

function startOf(part: Part | undefined): number | undefined {
  if (part === undefined) return undefined;
  if (part.type === 'text') return part.runs[0]?.start;
  return 'start' in part ? part.start : undefined;
}
