/** Expansion: what a word becomes, with the side effects bash's expansions have (:=, assignments in arithmetic). */
import { unfilled } from '../text/placeholders.js';
import type { Range } from '../text/range.js';
import { ArithmeticFault, evaluateArithmetic, UnknownOperand } from './arithmetic.js';
import { Discard, Stop } from './leave.js';
import type { Shell } from './state.js';
import type { Part, Word } from './syntax.js';
import { isUnknown, maxValue, type Unknown, type Value } from './value.js';

/** An expanded piece: quoted pieces are neither split nor patterns. */
export interface Piece {
  readonly value: Value;
  readonly quoted: boolean;
}

/** The value of an assignment's right-hand side: no splitting, no patterns. */
export function expandValue(shell: Shell, word: Word): Value {
  return joined(shell, pieces(shell, word));
}

function joined(shell: Shell, list: readonly Piece[]): Value {
  let text = '';
  for (const { value } of list) {
    if (isUnknown(value)) return value;
    text += value;
    shell.steps.take(value.length / 16);
    if (text.length > maxValue) return { unknown: `it grows beyond ${maxValue / 1024} KiB` };
  }
  return text;
}

/** Expands the parts of a word one after the other. */
export function pieces(shell: Shell, word: Word): Piece[] {
  const list: Piece[] = [];
  for (const part of word.parts) expandPart(shell, part, list);
  return list;
}

function expandPart(shell: Shell, part: Part, list: Piece[]): void {
  shell.steps.take();
  switch (part.kind) {
    case 'text':
      list.push({ value: textOf(part.text), quoted: part.quoted });
      return;
    case 'tilde':
      list.push({ value: homeOf(shell, part.ofUser), quoted: true });
      return;
    case 'command':
      shell.memory.status = null;
      shell.substituted = true;
      list.push({ value: { unknown: 'it is the output of a command' }, quoted: part.quoted });
      return;
    case 'arithmetic':
      list.push({ value: arithmetic(shell, part.expression, part), quoted: part.quoted });
      return;
    case 'other':
      shell.steps.take(part.names.length);
      for (const name of part.names) shell.set(name, { unknown: part.reason });
      if (part.mayFail === true) shell.doubt.unit ??= part.reason;
      list.push({
        value: { unknown: `${part.reason} is outside what kaiactl evaluates` },
        quoted: part.quoted,
      });
      return;
    case 'bad':
      throw new Discard('bad substitution');
    case 'parameter':
      expandParameter(shell, part, list);
  }
}

function textOf(text: string): Value {
  if (text.includes(unfilled)) return unrendered;
  return text.includes('\uFFFD') ? notText : text;
}

const unrendered: Unknown = { unknown: 'a template fills it in: render it first' };
const notText: Unknown = { unknown: 'it holds bytes that are not UTF-8' };

function homeOf(shell: Shell, ofUser: boolean): Value {
  const home = ofUser ? undefined : shell.look('HOME');
  return home === undefined || home === '' ? { unknown: 'the home folder of whoever starts the node' } : home;
}

function expandParameter(shell: Shell, part: Part & { kind: 'parameter' }, list: Piece[]): void {
  const { name, operator, quoted } = part;
  const value = shell.look(name);
  if (operator === '') list.push({ value: value ?? '', quoted });
  else if (operator === '#') list.push({ value: lengthOf(value), quoted });
  else expandDefault(shell, part, value, list);
}

function lengthOf(value: Value | undefined): Value {
  if (value === undefined) return '0';
  if (isUnknown(value)) return value;
  // The length of anything but ASCII depends on the locale
  return /^[\x00-\x7f]*$/.test(value)
    ? String(value.length)
    : { unknown: 'the length depends on the locale' };
}

/** ${X:-…} and its kin: whether the operand counts, and what it does when it counts. */
function expandDefault(
  shell: Shell,
  part: Part & { kind: 'parameter' },
  value: Value | undefined,
  list: Piece[],
): void {
  const { operator, operand, quoted } = part;
  if (operand === null) return;
  const action = operator.at(-1);
  if (isUnknown(value)) {
    expandUndecided(shell, part, operand, value, list);
    return;
  }
  const missing = value === undefined || (operator.startsWith(':') && value === '');
  if (action === '+') {
    if (!missing) for (const one of pieces(shell, operand)) list.push(one);
    else list.push({ value: '', quoted });
  } else if (!missing) list.push({ value: value as string, quoted });
  else if (action === '-') for (const one of pieces(shell, operand)) list.push(one);
  else if (action === '=') list.push({ value: assignDefault(shell, part, operand), quoted });
  else {
    expandValue(shell, operand);
    throw new Stop('exit', `\${${part.name}${operator}…} ends the launcher`, part);
  }
}

function assignDefault(shell: Shell, part: Part & { kind: 'parameter' }, operand: Word): Value {
  const value = expandValue(shell, operand);
  if (shell.memory.of(part.name).readOnly) throw new Discard(`${part.name}: readonly variable`);
  return record(shell, part.name, value, part, operand);
}

/** Writes down an assignment an expansion makes. */
function record(shell: Shell, variable: string, value: Value, at: Range, valueAt: Range): Value {
  shell.steps.take(4);
  const result = shell.set(variable, value);
  shell.journal.assignments.push({
    variable,
    value: isUnknown(result) ? null : result,
    indeterminate: isUnknown(result) ? result.unknown : null,
    at: { start: at.start, end: at.end },
    valueAt: { start: valueAt.start, end: valueAt.end },
    kind: 'assign',
    effective: true,
    conditional: shell.conditional > 0,
  });
  return result;
}

/** Expands what may or may not be expanded: its failing puts what follows in doubt. */
function expandMaybe(shell: Shell, operand: Word): void {
  try {
    expandValue(shell, operand);
  } catch (error) {
    if (!(error instanceof Discard || error instanceof Stop)) throw error;
    shell.doubt.unit ??= 'the line may have been left before';
    if (error instanceof Stop) shell.addExit({ reason: error.message, at: error.at });
  }
}

function expandUndecided(
  shell: Shell,
  part: Part & { kind: 'parameter' },
  operand: Word,
  value: Unknown,
  list: Piece[],
): void {
  shell.steps.take(4);
  const before = shell.memory;
  const expanded = before.branch();
  shell.memory = expanded;
  expandMaybe(shell, operand);
  shell.memory = before;
  shell.steps.take(2 * expanded.changes);
  before.settle([expanded, before.branch()], value.unknown);
  if (part.operator.endsWith('=')) {
    if (/^[A-Za-z_]/.test(part.name)) shell.set(part.name, value);
    else shell.doubt.unit ??= 'the line may have been left before';
  }
  if (part.operator.endsWith('?')) {
    shell.addExit({
      reason: `\${${part.name}${part.operator}…} may end the launcher`,
      at: part,
    });
  }
  list.push({ value, quoted: part.quoted });
}

/** Evaluates $((…)) or ((…)). Unknown operands make the result unknown, and what follows on the line doubtful. */
export function arithmetic(shell: Shell, expression: Word, at: Range): Value {
  const text = expandValue(shell, expression);
  if (isUnknown(text)) {
    const written = shell.text.slice(expression.start, expression.end);
    forget(shell, written, text);
    return doubtful(shell, text);
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

/** Every name in an expression that cannot be evaluated may have been assigned, if it assigns at all. */
export function forget(shell: Shell, expression: string, unknown: Unknown): void {
  if (!assigns.test(expression)) return;
  shell.steps.take(expression.length / 16);
  for (const name of expression.match(/[A-Za-z_]\w*/g) ?? []) {
    shell.steps.take();
    shell.set(name, unknown);
  }
}

/** The number an expression gives, assignments in it carried out. @throws {ArithmeticFault | UnknownOperand} */
export function arithmeticResult(shell: Shell, text: string, at: Range): bigint {
  try {
    return evaluateArithmetic(text, {
      steps: shell.steps,
      read: (name) => {
        const value = shell.look(name);
        // $_ may hold anything, even an assignment.
        if (name === '_') shell.taint('an expression reads $_, which bash sets');
        if (isUnknown(value)) throw new UnknownOperand(value.unknown);
        return value;
      },
      write: (name, value) => {
        if (shell.memory.of(name).readOnly) throw new ArithmeticFault(`${name}: readonly variable`);
        record(shell, name, value, at, at);
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
