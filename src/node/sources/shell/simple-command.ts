/** Runs simple commands: assignments, functions of the script and builtins. */
import { assign, temporary } from './assign.js';
import { runBuiltin } from './builtins.js';
import { expandValue } from './expand.js';
import { argumentsFrom, expandFields } from './fields.js';
import { Stop } from './outcomes.js';
import type { Fields, Shell } from './state.js';
import { type Cursor, cursorAt, SyntaxFault } from './syntax/cursor.js';
import type { Command, SimpleCommand } from './syntax/tree.js';
import { reportCommand, reportFault } from './syntax-issues.js';

/** How to run the body of a function, and the text of a sourced file from the cursor on. */
interface Follow {
  body(shell: Shell, body: Command): void;
  text(shell: Shell, cursor: Cursor): void;
}

/** @throws {Discard | Stop | Lost} when bash skips the line or the file, or too many steps are taken */
export function runSimple(shell: Shell, command: SimpleCommand, follow: Follow): void {
  shell.substituted = false;
  // Declarations expand their own words, which bash does not split.
  const words = isDeclaration(command) ? command.words.slice(0, 1) : command.words;
  const isTest = /^(?:\[|test)$/.test(shell.text.slice(words[0]?.start, words[0]?.end));
  const fields = isTest ? shell.testing(() => expandFields(shell, words)) : expandFields(shell, words);
  for (const word of command.redirections) expandValue(shell, word);
  reportCommand(shell, command, fields);
  if (!shell.rehearsing) shell.observer?.command(shell, command, fields);
  if (callFunction(shell, command, fields, follow) || source(shell, fields, follow)) return;
  if (fields.values.length === 0 && fields.exact) {
    for (const assignment of command.assignments) assign(shell, assignment);
    shell.memory.status = shell.substituted || command.redirections.length > 0 ? null : 0;
    return;
  }
  if (fields.values.length === 0 || (!fields.exact && onlyExpansions(command))) {
    const reason = 'it depends on whether a command follows the assignment';
    for (const { name } of command.assignments) shell.set(name, { unknown: reason });
    const unnamed = 'a command whose name is unknown may set it';
    if (runsOutput(shell, command)) shell.taintExports(unnamed);
    else if (command.words.length > 0) shell.taintByCommand(unnamed);
    return;
  }
  // Side effects of expansions in the prefix assignments persist.
  runBuiltin(shell, command, fields, [...temporary(shell, command.assignments).keys()]);
}

/** Limits on function calls: their total and their depth. */
const maxCalls = 1_000;
const maxDepth = 20;

/** Runs a function of the script, if the command calls one. */
function callFunction(shell: Shell, command: SimpleCommand, fields: Fields, follow: Follow): boolean {
  const name = fields.values[0];
  const body = typeof name === 'string' && shell.memory.isFunction(name) ? shell.bodies.get(name) : undefined;
  if (body === undefined || shell.depth >= maxDepth || shell.calls >= maxCalls) return false;
  const outer = shell.locals;
  const { args } = shell.memory;
  shell.depth += 1;
  shell.calls += 1;
  shell.locals = new Map();
  try {
    for (const [variable, value] of temporary(shell, command.assignments)) {
      shell.keep(variable);
      shell.set(variable, value);
      shell.memory.change(variable, { exported: true });
    }
    shell.memory.args = argumentsFrom(fields, 1);
    follow.body(shell, body);
  } catch (error) {
    if (!(error instanceof Stop && error.how === 'return')) throw error;
  } finally {
    for (const [local, { value, exported }] of shell.locals) shell.memory.change(local, { value, exported });
    shell.locals = outer;
    shell.memory.args = args;
    shell.depth -= 1;
  }
  return true;
}

/** Runs the text of a file that the command sources, or of eval, where it is known. */
function source(shell: Shell, fields: Fields, follow: Follow): boolean {
  const [name] = fields.values;
  if (typeof name !== 'string' || !/^(?:\.|source|eval)$/.test(name) || shell.depth >= maxDepth) return false;
  const file = shell.sourced?.(shell, fields) ?? null;
  if (file === null) return false;
  const cursor = cursorAt(`${shell.text}\n${file.text}`, shell.steps);
  cursor.at = shell.text.length + 1;
  shell.steps.take(file.text.length / 16);
  shell.text = cursor.text;
  const { source: outer } = shell;
  const { args } = shell.memory;
  const given = file.path !== null && (fields.values.length > 2 || !fields.exact);
  if (given) shell.memory.args = argumentsFrom(fields, 2);
  if (file.path !== null) shell.source = file.path;
  shell.depth += 1;
  try {
    follow.text(shell, cursor);
  } catch (error) {
    if (error instanceof SyntaxFault) reportFault(shell, error, cursor.unit);
    else if (!(error instanceof Stop && error.how === 'return') || file.path === null) throw error;
  } finally {
    shell.depth -= 1;
    shell.source = outer;
    if (given) shell.memory.args = args;
  }
  shell.memory.status = null;
  return true;
}

function isDeclaration({ words: [first] }: SimpleCommand): boolean {
  const [only, ...more] = first?.parts ?? [];
  if (only?.type !== 'text' || only.quoted || more.length > 0) return false;
  return /^(?:export|readonly|declare|typeset|local)$/.test(only.text);
}

/** Whether it is `$(…)` as a command of its own, whose output may be `export A=b`; `$(which ken)` is a program. */
function runsOutput({ text }: Shell, { words: [first] }: SimpleCommand): boolean {
  const [part] = first?.parts ?? [];
  return (
    part?.type === 'command' && !/\b(?:which|command -v|type -p)\b/.test(text.slice(part.start, part.end))
  );
}

/** Whether the first word consists of expansions only. */
function onlyExpansions(command: SimpleCommand): boolean {
  return command.words[0]?.parts.every((part) => part.type !== 'text') === true;
}
