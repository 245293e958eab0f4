/** NAME=value: for good, or in front of a command. */

import type { Range } from '../text/range.js';
import { ArithmeticFault, UnknownOperand } from './arithmetic.js';
import { arithmeticResult, expandValue, forget } from './expand.js';
import { Discard } from './leave.js';
import type { Variable } from './memory.js';
import type { Shell } from './state.js';
import type { AssignmentSyntax } from './syntax.js';
import { isUnknown, type Value } from './value.js';

/** The values assigned in front of a command, each of which sees the ones before it; the command alone has them. */
export function temporary(
  shell: Shell,
  assignments: readonly AssignmentSyntax[],
): ReadonlyMap<string, Value> {
  const { memory } = shell;
  const before = new Map<string, Variable['value']>();
  const values = new Map<string, Value>();
  for (const syntax of assignments) {
    const { name, append, array } = syntax;
    // Bash refuses a read-only name before it expands the value.
    if (memory.of(name).readOnly) continue;
    const right = array ? arrayValue(shell, syntax) : expandValue(shell, syntax.value);
    const value = appended(shell, name, append, right);
    writeDown(shell, syntax, value, false);
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
  const { name, append, array, value: word } = syntax;
  const right = array ? arrayValue(shell, syntax) : expandValue(shell, word);
  if (shell.memory.of(name).readOnly) {
    shell.memory.status = 1;
    throw new Discard(`${name}: readonly variable`);
  }
  recordAssignment(shell, syntax, appended(shell, name, append, right));
}

function arrayValue(shell: Shell, syntax: AssignmentSyntax): Value {
  const { name, value, subscript } = syntax;
  if (subscript !== null) evaluateSubscript(shell, subscript, syntax);
  expandValue(shell, value);
  shell.memory.change(name, { transformed: 'it is an array' });
  return { unknown: 'it is an array' };
}

/** a[X=1]=2 sets X as well. What is more than plain arithmetic may set whatever it names. */
function evaluateSubscript(shell: Shell, subscript: string, { name, start, end }: AssignmentSyntax): void {
  const plain = /^[^$`"'\\]*$/.test(subscript) && shell.memory.of(name).transformed === null;
  try {
    if (plain) arithmeticResult(shell, subscript, { start, end });
    else {
      forget(shell, subscript, { unknown: 'the index of an array may set it' });
      shell.doubt.unit ??= 'the index of an array may be refused';
    }
  } catch (error) {
    if (error instanceof ArithmeticFault) throw new Discard(error.message);
    if (!(error instanceof UnknownOperand)) throw error;
    shell.doubt.unit ??= error.message;
  }
}

/** What NAME+=right makes of NAME. */
export function appended(shell: Shell, name: string, append: boolean, right: Value): Value {
  if (!append || isUnknown(right)) return right;
  const before = shell.look(name) ?? '';
  return isUnknown(before) ? before : before + right;
}

type Written = Pick<AssignmentSyntax, 'name' | 'append' | 'start' | 'end'> & { readonly value: Range };

/** Sets the variable and writes the assignment down. */
export function recordAssignment(shell: Shell, syntax: Written, value: Value): void {
  const result = shell.set(syntax.name, value);
  writeDown(shell, syntax, result, true);
  if (isUnknown(result)) {
    const { start, end } = syntax.value;
    shell.addIndeterminate({ variable: syntax.name, reason: result.unknown, at: { start, end } });
  }
}

/** `effective` false: it holds for one command only. */
function writeDown(shell: Shell, syntax: Written, value: Value, effective: boolean): void {
  shell.steps.take(4);
  shell.journal.assignments.push({
    variable: syntax.name,
    value: isUnknown(value) ? null : value,
    indeterminate: isUnknown(value) ? value.unknown : null,
    at: { start: syntax.start, end: syntax.end },
    valueAt: { start: syntax.value.start, end: syntax.value.end },
    kind: syntax.append ? 'append' : 'assign',
    effective,
    conditional: shell.conditional > 0,
  });
}
