/** Expands words, with the side effects of expansions (:=, assignments in arithmetic). */

import type { Pattern } from '../../../util/wildcard.js';
import type { Range } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { oneWord, unfilled } from '../text/placeholders.js';
import { ArithmeticFault, evaluateArithmetic, UnknownOperand } from './arithmetic.js';
import { elementsOf, endOf, isMap, keysOf, withSet } from './arrays.js';
import { changeCase, patternOf, rangeIn, replacePattern } from './operations.js';
import { Discard, fileMayEnd, lineMayEnd, Stop } from './outcomes.js';
import type { Shell } from './state.js';
import type { Part, Word } from './syntax/tree.js';
import {
  type Element,
  elementAt,
  isArray,
  isUnknown,
  maxValue,
  type Piece,
  partOf,
  type Unknown,
  type Value,
} from './value.js';

/** Expands a word to one value, without splitting or patterns. */
export function expandValue(shell: Shell, word: Word): Value {
  return joined(shell, pieces(shell, word));
}

function joined(shell: Shell, list: readonly Pick<Piece, 'value' | 'fields'>[]): Value {
  const [only] = list;
  if (list.length === 1 && isUnknown(only?.value)) return only.value;
  let text = '';
  let unknown: string | null = null;
  let manyWords = false;
  const hasFields = list.some(({ fields }) => fields !== undefined);
  for (const { value } of hasFields ? list.flatMap(separateFields) : list) {
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

function separateFields({ value, fields }: Pick<Piece, 'value' | 'fields'>): { readonly value: Value }[] {
  return fields?.flatMap((one, at) => (at === 0 ? [one] : [{ value: ' ' }, one])) ?? [{ value }];
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
      return [{ value: valueOfText(part.text), quoted: part.quoted }];
    case 'tilde':
      return [{ value: homeOf(shell, part.ofUser), quoted: true }];
    case 'command':
      shell.memory.status = null;
      shell.substituted = true;
      return [{ value: shell.observer?.output?.(shell, part) ?? outputOfCommand, quoted: part.quoted }];
    case 'arithmetic':
      return [{ value: arithmetic(shell, part.expression, part), quoted: part.quoted }];
    case 'other': {
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

/** Every element of a list; those of "$*" become one word. */
function all(shell: Shell, fields: readonly Element[], mark: string, quoted: boolean): Piece {
  if (mark === '@' || !quoted) return { value: '', quoted, fields };
  const between = shell.look('IFS') ?? ' ';
  const value = isUnknown(between) ? between : between.slice(0, 1);
  const words = fields.flatMap((one, at) => (at === 0 ? [one] : [{ value }, one]));
  return { value: joined(shell, words), quoted };
}

function valueOfText(text: string): Value {
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

type Parameter = Part & { type: 'parameter' };

/** A list that an expansion names. */
interface HeldList {
  readonly list: readonly Element[];
  readonly mark: string;
}

/** What an expansion names: a list, or a value with the name, or the element, that `:=` assigns to. */
type Held =
  | HeldList
  | { readonly value: Value | undefined; readonly name: string; readonly key: string | null };

function expandParameter(shell: Shell, part: Parameter): readonly Piece[] {
  const { name, operator, quoted, indirect, subscript } = part;
  if (operator.startsWith('names')) return [namesFrom(shell, part)];
  const mark = markOf(subscript);
  if (indirect && mark !== null && operator === '') {
    const list = elementsOf(shell, name);
    return list === null || (isMap(shell, name) && list.length > 1)
      ? [unevaluated(part)]
      : [all(shell, textsOf(keysOf(list), part), mark, quoted)];
  }
  const held = indirect ? pointedTo(shell, part) : heldBy(shell, name, subscript, part);
  if (held === null) return [unevaluated(part)];
  if (/^:?[-=+?]$/.test(operator)) return expandDefault(shell, part, held);
  if ('value' in held) return [{ value: changed(shell, part, held.value), quoted }];
  if (operator === 'length') return [{ value: String(held.list.length), quoted }];
  const list = operator === ':' ? sliceList(shell, part, held) : changedEach(shell, part, held.list);
  return [list === null ? unevaluated(part) : all(shell, list, held.mark, quoted)];
}

function markOf(subscript: Word | null): '@' | '*' | null {
  const [part] = subscript?.parts ?? [];
  const text = part?.type === 'text' && subscript?.parts.length === 1 ? part.text : '';
  return text === '@' || text === '*' ? text : null;
}

function unevaluated({ name, operator, subscript }: Parameter): Piece {
  const unknown = `kaiactl does not evaluate the expansion \${${name}${subscript === null ? operator : '['}…}`;
  return { value: { unknown, manyWords: true }, quoted: false };
}

function textsOf(texts: readonly string[], at: Range): Element[] {
  return texts.map((value) => ({ value, from: { parts: [], start: at.start, end: at.end } }));
}

/** Null if it is not known which elements there are. */
function heldBy(shell: Shell, name: string, subscript: Word | null, at: Parameter): Held | null {
  if (subscript === null) {
    const { args } = shell.memory;
    if ((name === '@' || name === '*') && args !== null) return { list: args, mark: name };
    const list = shell.isZsh ? shell.memory.of(name).value : undefined;
    if (isUnknown(list) && list.list !== undefined) return { list: list.list, mark: '@' };
    return { value: shell.look(name), name, key: null };
  }
  const mark = markOf(subscript);
  if (name === 'BASH_SOURCE' && shell.source !== null) return { value: shell.source, name, key: null };
  const key = mark === null ? keyOf(shell, name, subscript, at) : null;
  const list = elementsOf(shell, name);
  if (list === null) return mark === null ? { value: { unknown: isArray }, name, key } : null;
  // Of a text, ${X[@]:1} is a part as ${X:1} is, or no word.
  if (mark !== null && at.operator === ':' && typeof shell.memory.of(name).value === 'string') return null;
  if (mark !== null) return isMap(shell, name) && list.length > 1 ? null : { list, mark };
  return key === null
    ? { value: { unknown: 'the index of an array is not known' }, name, key }
    : { value: elementAt(list, key)?.value, name, key };
}

/** The index that a subscript means, as a text; null if it is not known. */
export function keyOf(shell: Shell, name: string, subscript: Word, at: Range): string | null {
  const text = expandValue(shell, subscript);
  if (isMap(shell, name)) return isUnknown(text) ? null : text;
  const index = indexOf(shell, subscript, at);
  if (isUnknown(index) || !index.startsWith('-')) return isUnknown(index) ? null : index;
  const list = elementsOf(shell, name);
  const isText = typeof shell.memory.of(name).value === 'string';
  const own = list === null || isText ? -1 : endOf(list) + Number(index);
  if (own < 0) shell.doubt.unit ??= lineMayEnd;
  return own < 0 ? null : String(own);
}

/** Bash stops reading the file at an index that is no expression. */
function indexOf(shell: Shell, subscript: Word, at: Range): Value {
  try {
    return arithmetic(shell, subscript, at);
  } catch (error) {
    if (!(error instanceof Discard)) throw error;
    shell.doubt.file ??= fileMayEnd;
    return { unknown: error.message };
  }
}

/** What ${!V} means: the variable, element or list whose name V holds. @throws {Discard} where it is no name */
function pointedTo(shell: Shell, part: Parameter): Held | null {
  const pointer = heldBy(shell, part.name, part.subscript, part);
  if (pointer === null || !('value' in pointer)) return null;
  const { value } = pointer;
  if (isUnknown(value)) return { value, name: part.name, key: null };
  const [, name, index] = /^([A-Za-z_]\w*|[1-9]\d*|[@*])(?:\[(.+)\])?$/.exec(value ?? '') ?? [];
  if (name === undefined)
    throw new Discard(value === undefined ? 'invalid indirect expansion' : 'invalid variable name');
  return heldBy(shell, name, index === undefined ? null : literalWord(index, part), part);
}

/** A word that is a text. */
export function literalWord(text: string, { start, end }: Range): Word {
  return { parts: [{ type: 'text', text, quoted: true, runs: [{ text, start, end }] }], start, end };
}

/** ${!X@}: the names of the variables that begin so. */
function namesFrom(shell: Shell, part: Parameter): Piece {
  const found = [...shell.memory.all()].filter(
    ([name, { value }]) => value != null && name.startsWith(part.name),
  );
  if (shell.memory.rest !== null || /^[a-z_]*$/i.test(part.name) === false) return unevaluated(part);
  return all(shell, textsOf(found.map(([name]) => name).sort(), part), part.operator.slice(5), part.quoted);
}

/** The elements of ${A[@]:from:length}; ${@:0} begins with the name of the script. @throws {Discard} */
function sliceList(shell: Shell, part: Parameter, { list, mark }: HeldList): readonly Element[] | null {
  const [from = null, length = null] = part.operands.map((word) => arithmetic(shell, word, part));
  if (from === null || isUnknown(from) || isUnknown(length)) return null;
  const isArguments = part.name === mark;
  const end = isArguments ? list.length + 1 : endOf(list);
  const [start] = rangeIn(end, Number(from), null) ?? [0];
  if (isArguments && start === 0) return null;
  if (length?.startsWith('-') === true) throw new Discard('substring expression < 0');
  const keys = keysOf(list);
  const first = isArguments ? start - 1 : keys.findIndex((key) => Number(key) >= start);
  const isNone = first < 0 || (start === 0 && Number(from) !== 0);
  return isNone ? [] : list.slice(first, length === null ? undefined : first + Number(length));
}

function changedEach(shell: Shell, part: Parameter, list: readonly Element[]): readonly Element[] {
  return part.operator === ''
    ? list
    : list.map((one) => ({ ...one, value: changed(shell, part, one.value) }));
}

/** The value after the operator. @throws {Discard} where bash rejects it */
function changed(shell: Shell, part: Parameter, held: Value | undefined): Value {
  const { operator, operands } = part;
  if (operator === '') return held ?? '';
  if (operator === 'length') return lengthOf(held);
  if (held === undefined && /^[@:]/.test(operator)) return '';
  const value = held ?? '';
  if (operator === ':') return partly(shell, part, value);
  if (operator === '@Q') return isUnknown(value) ? value : quotedText(value);
  const [first, second] = operands;
  const pattern = first === undefined ? [] : patternOf(pieces(shell, first));
  const to = second === undefined ? '' : expandValue(shell, second);
  if (isUnknown(value)) return pattern === null ? value : changePath(value, operator, pattern);
  if (pattern === null) return { unknown: `kaiactl does not evaluate \${${part.name}${operator}…}` };
  shell.steps.take(value.length / 4);
  return /^[,^@]/.test(operator)
    ? changeCase(value, operator, pattern)
    : replacePattern(value, operator, pattern, to);
}

/** ${0%/*} of a path that begins at the script's own folder. */
function changePath(value: Unknown, operator: string, pattern: Pattern): Value {
  const { partly: path = unfilled } = value;
  const rest =
    path.includes(unfilled) || !/^[#%]/.test(operator) ? value : replacePattern(path, operator, pattern, '');
  return isUnknown(rest) ? value : isKnown(rest) ? rest : { ...value, partly: rest };
}

function quotedText(value: string): Value {
  return /[\x00-\x1f\x7f-\uffff]/.test(value)
    ? { unknown: 'its quotes depend on the locale' }
    : `'${value.replaceAll("'", "'\\''")}'`;
}

function partly(shell: Shell, part: Parameter, value: Value): Value {
  const [from = null, length = null] = part.operands.map((word) => arithmetic(shell, word, part));
  const unknown = [value, from, length].find(isUnknown);
  if (unknown !== undefined) return { unknown: unknown.unknown };
  if (!/^[\x00-\x7f]*$/.test(String(value))) return { unknown: 'its characters depend on the locale' };
  const range = rangeIn(String(value).length, Number(from), length === null ? null : Number(length));
  if (range === null) throw new Discard('substring expression < 0');
  return String(value).slice(...range);
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
function expandDefault(shell: Shell, part: Parameter, held: Held): readonly Piece[] {
  const { name, operator, quoted } = part;
  const [operand] = part.operands;
  if (operand === undefined) return [];
  const action = operator.at(-1);
  const value = 'value' in held ? held.value : held.list.length > 1 ? 'list' : held.list[0]?.value;
  // An empty default only avoids an error where the variable is not set: ${PUBLIC:-}.
  const hasDefault = /[-=]$/.test(operator) && operand.parts.length > 0;
  if (isUnknown(value) && !(hasDefault && shell.isOutside(name, value))) {
    expandUndecided(shell, part, operand, value);
    return [{ value, quoted }];
  }
  const missing = value === undefined || isUnknown(value) || (operator.startsWith(':') && value === '');
  if (action === '+') return missing ? [{ value: '', quoted }] : pieces(shell, operand);
  if (!missing) return 'list' in held ? [all(shell, held.list, held.mark, quoted)] : [{ value, quoted }];
  if (action === '-') return pieces(shell, operand);
  const given = expandValue(shell, operand);
  if (action === '?') throw new Stop('exit', `\${${name}${operator}…} ends the launcher`, part);
  if (!('value' in held) || !/^[A-Za-z_]/.test(held.name)) throw new Discard('cannot assign in this way');
  if (held.key === null)
    return [{ value: assignInExpansion(shell, held.name, given, part, operand), quoted }];
  shell.set(held.name, withSet(shell, held.name, held.key, given, operand));
  return [{ value: given, quoted }];
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
function expandUndecided(shell: Shell, part: Parameter, operand: Word, value: Unknown): void {
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
