/** A simple command: assignments, a function of the script, or a builtin. */
import { assign, temporary } from './assign.js';
import { runBuiltin } from './builtins.js';
import { expandValue } from './expand.js';
import { expandFields } from './fields.js';
import { Stop } from './leave.js';
import type { Fields, Shell } from './state.js';
import type { Command, SimpleCommand } from './syntax.js';
import { reportCommand } from './syntax-issues.js';

/** Follows a command's body, whatever it is. */
type Follow = (shell: Shell, body: Command) => void;

/** @throws {Discard | Stop | Lost} as bash would leave the line, the file or our sight */
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
    const reason = 'it depends on whether a command follows it';
    for (const { name } of command.assignments) shell.set(name, { unknown: reason });
    if (command.words.length > 0) shell.taint('a command whose name is unknown may set it');
    return;
  }
  // What the expansions of the assignments in front assign stays.
  runBuiltin(shell, command, fields, [...temporary(shell, command.assignments).keys()]);
}

/** Calls of functions followed: so many, and so deep. */
const maxCalls = 1_000;

const maxDepth = 20;

/** Follows the body of a function the observer's script calls; its arguments stay unknown. */
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
    giveBack(shell, shell.locals);
    shell.locals = outer;
    shell.depth -= 1;
  }
  return true;
}

/** What the caller's variables held is theirs again. */
function giveBack({ memory }: Shell, locals: NonNullable<Shell['locals']>): void {
  for (const [name, { value, exported }] of locals) memory.change(name, { value, exported });
}

function isDeclaration({ words: [first] }: SimpleCommand): boolean {
  const [only, ...more] = first?.parts ?? [];
  if (only?.kind !== 'text' || only.quoted || more.length > 0) return false;
  return /^(?:export|readonly|declare|typeset|local)$/.test(only.text);
}

/** True when the first word may vanish or become anything. */
function onlyExpansions(command: SimpleCommand): boolean {
  return command.words[0]?.parts.every((part) => part.kind !== 'text') === true;
}
