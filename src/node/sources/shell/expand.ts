/** Expands words, with the side effects of expansions (:=, assignments in arithmetic). */

import type { Range } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { oneWord, unfilled } from '../text/placeholders.js';
import { ArithmeticFault, evaluateArithmetic, UnknownOperand } from './arithmetic.js';
import { operated } from './operations.js';
import { Discard, lineMayEnd, Stop } from './outcomes.js';
import type { Shell } from './state.js';
import type { Part, Word } from './syntax/tree.js';
import { type Element, isUnknown, maxValue, partOf, type Unknown, type Value } from './value.js';

/** An expanded part of a word. A quoted piece is neither split nor a pattern. */
export interface Piece {
  readonly value: Value;
  readonly quoted: boolean;
  /** Elements that become a word each. */
  readonly fields?: readonly Element[];
  /** The expansion that it is of; absent: it is a text. */
  readonly at?: Range;
}

/** Expands a word to one value, without splitting or patterns. */
export function expandValue(shell: Shell, word: Word): Value {
  return joined(shell, pieces(shell, word));
}

function joined(shell: Shell, list: readonly Piece[]): Value {
  const [only] = list;
  if (list.length === 1 && isUnknown(only?.value)) return only.value;
  let text = '';
  let unknown: string | null = null;
  let manyWords = false;
  for (const value of list.flatMap(({ value, fields }) =>
    fields === undefined ? [value] : fields.flatMap(({ value }, at) => (at === 0 ? [value] : [' ', value])),
  )) {
    if (isUnknown(value)) {
      unknown ??= value.unknown;
      manyWords ||= value.manyWords === true;
    }
    const part = partOf(value);
    text += part;
    shell.steps.take(part.length / 16);
    if (text.length > maxValue) return { unknown: unknown ?? `it is longer than ${maxValue / 1024} KiB` };
  }
  if (unknown === null) return text;
  return { unknown, partly: text, ...(manyWords ? { manyWords } : {}) };
}

/** Expands the parts of a word in order. */
export function pieces(shell: Shell, word: Word): Piece[] {
  return word.parts.flatMap((part) => {
    const list = expandPart(shell, part);
    return 'start' in part ? list.map((piece) => ({ ...piece, at: part })) : list;
  });
}

function expandPart(shell: Shell, part: Part): readonly Piece[] {
  shell.steps.take();
  switch (part.type) {
    case 'text':
      return [{ value: textOf(part.text), quoted: part.quoted }];
    case 'tilde':
      return [{ value: homeOf(shell, part.ofUser), quoted: true }];
    case 'command':
      shell.memory.status = null;
      shell.substituted = true;
      return [{ value: shell.observer?.output?.(shell, part) ?? outputOfCommand, quoted: part.quoted }];
    case 'arithmetic':
      return [{ value: arithmetic(shell, part.expression, part), quoted: part.quoted }];
    case 'other': {
      const fields = fieldsOf(shell, part);
      if (fields !== null) return [fields];
      shell.steps.take(part.names.length);
      for (const name of part.names) shell.set(name, { unknown: part.reason });
      if (part.mayFail === true) shell.doubt.unit ??= part.reason;
      return [{ value: { unknown: `kaiactl does not evaluate ${part.reason}` }, quoted: part.quoted }];
    }
    case 'bad':
      throw new Discard('bad substitution');
    case 'parameter':
      return expandParameter(shell, part);
  }
}

/** The output of a command that is not known. */
export const outputOfCommand: Unknown = { unknown: 'it is the output of a command' };

/** The elements of an array, which only an observer knows; null: they are unknown. */
function fieldsOf(shell: Shell, part: Part & { type: 'other' }): Piece | null {
  const { array, operation, quoted } = part;
  if (shell.observer === null) return null;
  if (operation !== undefined) return operatedOn(shell, operation, quoted);
  if (array === undefined) return null;
  if (array.name === 'BASH_SOURCE' && shell.source !== null) return { value: shell.source, quoted };
  const { value } = shell.memory.of(array.name);
  if (!isUnknown(value) || value.list === undefined) return null;
  if (typeof array.index === 'string') return all(shell, value.list, array.index, quoted);
  return { value: value.list[array.index]?.value ?? '', quoted };
}

/** The result of an operator; null: the list cannot be known. */
function operatedOn(
  shell: Shell,
  { name, operator, operands }: NonNullable<(Part & { type: 'other' })['operation']>,
  quoted: boolean,
): Piece | null {
  const [first, second] = operands.map((word) => expandValue(shell, word));
  const mark = /[@*](?=\]?$)/.exec(name)?.[0] as '@' | '*' | undefined;
  if (mark === undefined) {
    const value = shell.look(name) ?? '';
    if (operator === '!') {
      // The name of another variable; of an array, or of what is not known, the value is not known.
      if (isUnknown(value) || !/^[A-Za-z_]\w*$/.test(value)) return null;
      return { value: shell.look(value) ?? '', quoted };
    }
    return { value: operated(value, operator, first ?? '', second ?? ''), quoted };
  }
  const held = shell.memory.of(name.replace(/\[.*/, '')).value;
  const list = name === mark ? shell.memory.args : isUnknown(held) ? (held.list ?? null) : null;
  if (list === null || isUnknown(first)) return null;
  if (operator === ':') {
    const [from = 0, length = list.length] = (first ?? '').split(':').map(Number);
    // ${@:0} begins with the name of the script.
    const start = name === mark ? from - 1 : from;
    return start < 0 ? null : all(shell, list.slice(start, start + length), mark, quoted);
  }
  const changed = list.map((one) => ({
    ...one,
    value: operated(one.value, operator, first ?? '', second ?? ''),
  }));
  return all(shell, changed, mark, quoted);
}

/** Every element of a list; those of "$*" become one word. */
function all(shell: Shell, fields: readonly Element[], mark: '@' | '*', quoted: boolean): Piece {
  if (mark === '@' || !quoted) return { value: '', quoted, fields };
  return { value: joined(shell, [{ value: '', quoted, fields }]), quoted };
}

function textOf(text: string): Value {
  if (text.includes(oneWord) && isKnown(text.replaceAll(oneWord, '')))
    return { unknown: 'it is set at the start', partly: text.replaceAll(oneWord, unfilled), oneWord: true };
  if (!isKnown(text))
    return { ...unrendered, partly: text.replace(new RegExp(`${unfilled}+`, 'g'), unfilled) };
  return text.includes('\uFFFD') ? notText : text;
}

const unrendered = { unknown: 'it is a placeholder' };
const notText: Unknown = { unknown: 'it holds bytes that are not UTF-8' };

function homeOf(shell: Shell, ofUser: boolean): Value {
  const home = ofUser ? undefined : shell.look('HOME');
  return home === undefined || home === ''
    ? { unknown: 'it is the home folder of the user who starts the node' }
    : home;
}

function expandParameter(shell: Shell, part: Part & { type: 'parameter' }): readonly Piece[] {
  const { name, operator, quoted } = part;
  const { args } = shell.memory;
  if ((name === '@' || name === '*') && operator === '' && args !== null)
    return [all(shell, args, name, quoted)];
  const held = shell.isZsh ? shell.memory.of(name).value : undefined;
  if (operator === '' && isUnknown(held) && held.list !== undefined)
    return [all(shell, held.list, quoted ? '*' : '@', quoted)];
  const value = shell.look(name);
  if (operator === '') return [{ value: value ?? '', quoted }];
  return operator === '#' ? [{ value: lengthOf(value), quoted }] : expandDefault(shell, part, value);
}

function lengthOf(value: Value | undefined): Value {
  if (value === undefined) return '0';
  if (isUnknown(value)) return value;
  // Beyond ASCII the length depends on the locale.
  return /^[\x00-\x7f]*$/.test(value)
    ? String(value.length)
    : { unknown: 'the length depends on the locale' };
}

/** Expands ${X:-…}, ${X:=…}, ${X:+…} and ${X:?…}. */
function expandDefault(
  shell: Shell,
  part: Part & { type: 'parameter' },
  value: Value | undefined,
): readonly Piece[] {
  const { name, operator, operand, quoted } = part;
  if (operand === null) return [];
  const action = operator.at(-1);
  // An empty default only avoids an error where the variable is not set: ${PUBLIC:-}.
  const hasDefault = /[-=]$/.test(operator) && operand.parts.length > 0;
  if (isUnknown(value) && !(hasDefault && shell.isOutside(name, value))) {
    expandUndecided(shell, part, operand, value);
    return [{ value, quoted }];
  }
  const missing = value === undefined || isUnknown(value) || (operator.startsWith(':') && value === '');
  if (action === '+') return missing ? [{ value: '', quoted }] : pieces(shell, operand);
  if (!missing) return [{ value: value as string, quoted }];
  if (action === '-') return pieces(shell, operand);
  const given = expandValue(shell, operand);
  if (action === '=') return [{ value: assignInExpansion(shell, name, given, part, operand), quoted }];
  throw new Stop('exit', `\${${name}${operator}…} ends the launcher`, part);
}

/** Assigns a variable within an expansion. @throws {Discard} when it is read-only */
function assignInExpansion(shell: Shell, variable: string, value: Value, at: Range, valueAt: Range): Value {
  if (shell.memory.of(variable).readOnly) throw new Discard(`${variable}: readonly variable`);
  const result = shell.set(variable, value);
  const runs = [{ text: partOf(value), start: valueAt.start, end: valueAt.end }];
  shell.record({ variable, value: result, at, valueAt, runs, kind: 'assign' });
  return result;
}

/** Expands ${X:-…} where X is unknown: the operand may or may not be expanded. */
function expandUndecided(
  shell: Shell,
  part: Part & { type: 'parameter' },
  operand: Word,
  value: Unknown,
): void {
  shell.steps.take(4);
  const before = shell.memory;
  const expanded = before.branch();
  shell.memory = expanded;
  try {
    expandValue(shell, operand);
  } catch (error) {
    if (!(error instanceof Discard || error instanceof Stop)) throw error;
    shell.doubt.unit ??= lineMayEnd;
    if (error instanceof Stop) shell.journal.addExit({ reason: error.message, at: error.at });
  }
  shell.memory = before;
  shell.steps.take(2 * expanded.changes);
  before.settle([expanded, before.branch()], value.unknown);
  if (part.operator.endsWith('=')) {
    if (/^[A-Za-z_]/.test(part.name)) shell.set(part.name, value);
    else shell.doubt.unit ??= lineMayEnd;
  }
  if (part.operator.endsWith('?')) {
    shell.journal.addExit({ reason: `\${${part.name}${part.operator}…} may end the launcher`, at: part });
  }
}

/** Evaluates $((…)) or ((…)). Unknown operands make the result and the rest of the line unknown. */
export function arithmetic(shell: Shell, expression: Word, at: Range): Value {
  const text = expandValue(shell, expression);
  if (isUnknown(text)) {
    forget(shell, shell.text.slice(expression.start, expression.end), text);
    return doubtful(shell, { unknown: text.unknown, oneWord: true });
  }
  try {
    return arithmeticResult(shell, text, at).toString();
  } catch (error) {
    if (error instanceof ArithmeticFault) throw new Discard(error.message);
    if (error instanceof UnknownOperand) return doubtful(shell, { unknown: error.message });
    throw error;
  }
}

const assigns = /[^=!<>]=(?!=)|<<=|>>=|\+\+|--/;

/** Makes every name in an expression unknown, if the expression may assign. */
export function forget(shell: Shell, expression: string, unknown: Unknown): void {
  if (!assigns.test(expression)) return;
  shell.steps.take(expression.length / 16);
  for (const name of expression.match(/[A-Za-z_]\w*/g) ?? []) {
    shell.steps.take();
    shell.set(name, unknown);
  }
}

/** Evaluates an expression with its assignments. @throws {ArithmeticFault | UnknownOperand} */
export function arithmeticResult(shell: Shell, text: string, at: Range): bigint {
  try {
    return evaluateArithmetic(text, {
      steps: shell.steps,
      read: (name) => {
        const value = shell.look(name);
        // $_ may hold any text, even an assignment.
        if (name === '_') shell.taint('an expression reads $_, which bash sets');
        if (isUnknown(value)) throw new UnknownOperand(value.unknown);
        return value;
      },
      write: (name, value) => {
        if (shell.memory.of(name).readOnly) throw new ArithmeticFault(`${name}: readonly variable`);
        assignInExpansion(shell, name, value, at, at);
      },
    });
  } catch (error) {
    if (error instanceof UnknownOperand) forget(shell, text, { unknown: error.message });
    throw error;
  }
}

function doubtful(shell: Shell, value: Unknown): Unknown {
  shell.doubt.unit ??= value.unknown;
  return value;
}
