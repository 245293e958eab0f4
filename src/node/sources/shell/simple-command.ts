/** Runs simple commands: assignments, functions of the script and builtins. */
import { assign, temporary } from './assign.js';
import { runBuiltin } from './builtins.js';
import { expandValue } from './expand.js';
import { expandFields } from './fields.js';
import { Stop } from './outcomes.js';
import type { Fields, Shell } from './state.js';
import type { Command, SimpleCommand } from './syntax/tree.js';
import { reportCommand } from './syntax-issues.js';

/** Runs the body of a function. */
type Follow = (shell: Shell, body: Command) => void;

/** @throws {Discard | Stop | Lost} when bash skips the line or the file, or too many steps are taken */
export function runSimple(shell: Shell, command: SimpleCommand, follow: Follow): void {
  shell.substituted = false;
  // Declarations expand their own words, which bash does not split.
  const fields = expandFields(shell, isDeclaration(command) ? command.words.slice(0, 1) : command.words);
  for (const word of command.redirections) expandValue(shell, word);
  reportCommand(shell, command, fields);
  if (!shell.rehearsing) shell.observer?.command(shell, command, fields);
  if (callFunction(shell, command, fields, follow)) return;
  if (fields.values.length === 0 && fields.exact) {
    for (const assignment of command.assignments) assign(shell, assignment);
    shell.memory.status = shell.substituted || command.redirections.length > 0 ? null : 0;
    return;
  }
  if (fields.values.length === 0 || (!fields.exact && onlyExpansions(command))) {
    const reason = 'it depends on whether a command follows the assignment';
    for (const { name } of command.assignments) shell.set(name, { unknown: reason });
    if (command.words.length > 0) shell.taint('a command whose name is unknown may set it');
    return;
  }
  // Side effects of expansions in the prefix assignments persist.
  runBuiltin(shell, command, fields, [...temporary(shell, command.assignments).keys()]);
}

/** Limits on function calls: their total and their depth. */
const maxCalls = 1_000;
const maxDepth = 20;

/** Runs a function of the observer's script, if the command calls one. Its arguments are unknown. */
function callFunction(
  shell: Shell,
  command: SimpleCommand,
  { values: [name] }: Fields,
  follow: Follow,
): boolean {
  const body = typeof name === 'string' && shell.memory.isFunction(name) ? shell.bodies.get(name) : undefined;
  if (body === undefined || shell.depth >= maxDepth || shell.calls >= maxCalls) return false;
  const outer = shell.locals;
  shell.depth += 1;
  shell.calls += 1;
  shell.locals = new Map();
  try {
    for (const [variable, value] of temporary(shell, command.assignments)) {
      shell.keep(variable);
      shell.set(variable, value);
      shell.memory.change(variable, { exported: true });
    }
    follow(shell, body);
  } catch (error) {
    if (!(error instanceof Stop && error.how === 'return')) throw error;
  } finally {
    for (const [local, { value, exported }] of shell.locals) shell.memory.change(local, { value, exported });
    shell.locals = outer;
    shell.depth -= 1;
  }
  return true;
}

function isDeclaration({ words: [first] }: SimpleCommand): boolean {
  const [only, ...more] = first?.parts ?? [];
  if (only?.kind !== 'text' || only.quoted || more.length > 0) return false;
  return /^(?:export|readonly|declare|typeset|local)$/.test(only.text);
}

/** True when the first word consists of expansions only. */
function onlyExpansions(command: SimpleCommand): boolean {
  return command.words[0]?.parts.every((part) => part.kind !== 'text') === true;
}
