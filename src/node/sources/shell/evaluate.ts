/** Follows commands the way bash would run them, executing nothing. */

import { assign, temporary } from './assign.js';
import { runBuiltin } from './builtins.js';
import { conditionTruth } from './conditional.js';
import { arithmetic, expandValue } from './expand.js';
import { expandFields } from './fields.js';
import { copyOf, Discard, isUnknown, type Memory, merged, type Shell, Stop, type Value } from './state.js';
import type { Command, SimpleCommand } from './syntax.js';
import { reportCommand } from './syntax-issues.js';

/** Follows one command. @throws {Discard | Stop | Lost} as bash would leave the line, the file or our sight */
export function run(shell: Shell, command: Command): void {
  shell.step();
  shell.here = { start: command.start, end: command.end };
  switch (command.kind) {
    case 'simple':
      runSimple(shell, command);
      return;
    case 'sequence':
      for (const one of command.commands) run(shell, one);
      return;
    case 'and':
    case 'or':
      run(shell, command.left);
      runIf(
        shell,
        statusIs(shell, command.kind === 'and') ?? assumed(shell, command.left, command.kind === 'and'),
        () => run(shell, command.right),
        () => undefined,
      );
      return;
    case 'not':
      run(shell, command.command);
      if (shell.memory.status !== null) shell.memory.status = shell.memory.status === 0 ? 1 : 0;
      return;
    case 'subshell':
      if (shell.observer !== null) runAside(shell, command);
      shell.memory.status = command.background ? 0 : null;
      return;
    case 'redirected':
      runRedirected(shell, command);
      return;
    case 'if':
      runBranches(shell, command, 0);
      return;
    case 'loop':
      runLoop(shell, command);
      return;
    case 'case':
      expandValue(shell, command.subject);
      alternatives(shell, [...command.bodies.map((body) => () => run(shell, body)), () => undefined]);
      return;
    case 'function':
      shell.memory.functions.add(command.name);
      if (shell.observer !== null) shell.bodies.set(command.name, command.body);
      else if (launcherRuns.has(command.name))
        shell.doubt.file ??= `the function ${command.name} takes the place of what the launcher runs`;
      shell.memory.status = 0;
      return;
    case 'condition': {
      const truth = conditionTruth(shell, command.test);
      shell.memory.status = truth === null ? null : truth ? 0 : 1;
      return;
    }
    case 'arithmetic':
      runArithmetic(shell, command);
  }
}

/** True or false when the last status decides; null when it is unknown. */
function statusIs(shell: Shell, success: boolean): boolean | null {
  const { status } = shell.memory;
  return status === null ? null : (status === 0) === success;
}

/** What the observer takes an unknown status for; `wanted` is the outcome that runs what follows. */
function assumed(shell: Shell, test: Command, wanted: boolean): boolean | null {
  const holds = shell.decide(test);
  return holds === null ? null : holds === wanted;
}

/** Follows commands of a subshell for the observer: no variable outside changes. */
function runAside(shell: Shell, { commands, piped }: Command & { kind: 'subshell' }): void {
  const { memory, doubt, piped: before } = shell;
  for (const [at, command] of commands.entries()) {
    if (at === 0 || piped) shell.memory = copyOf(memory);
    shell.piped = piped && at > 0;
    shell.doubt = { ...doubt };
    try {
      run(shell, command);
    } catch (error) {
      if (!(error instanceof Stop || error instanceof Discard)) throw error;
    }
  }
  shell.memory = memory;
  shell.doubt = doubt;
  shell.piped = before;
}

function runIf(shell: Shell, truth: boolean | null, yes: () => void, no: () => void): void {
  if (truth === null) alternatives(shell, [yes, no]);
  else if (truth) yes();
  else no();
}

function runBranches(shell: Shell, command: Command & { kind: 'if' }, index: number): void {
  const branch = command.branches[index];
  if (branch === undefined) {
    if (command.otherwise !== null) run(shell, command.otherwise);
    else shell.memory.status = 0;
    return;
  }
  run(shell, branch.test);
  runIf(
    shell,
    statusIs(shell, true) ?? shell.decide(branch.test),
    () => run(shell, branch.body),
    () => runBranches(shell, command, index + 1),
  );
}

/**
 * Follows each of several outcomes from the same start and keeps what they agree on.
 * An outcome that ends the launcher does not count; one that leaves the line or the file puts the rest in doubt.
 */
export function alternatives(shell: Shell, runs: readonly (() => void)[]): void {
  const start = shell.memory;
  const doubt = { ...shell.doubt };
  const ends: Memory[] = [];
  const reason = `it depends on a condition that cannot be known (line ${shell.lineOf(shell.here.start)})`;
  let thrown: unknown = null;
  const after = { ...doubt };
  for (const one of runs) {
    shell.step(start.variables.size / 2);
    shell.memory = copyOf(start);
    shell.doubt = { ...doubt };
    shell.conditional += 1;
    try {
      one();
      ends.push(shell.memory);
    } catch (error) {
      if (!(error instanceof Discard || error instanceof Stop)) throw error;
      thrown ??= error;
      if (error instanceof Stop && error.how === 'exit') {
        shell.mayExit.push({ reason: error.message, at: error.at });
      } else if (error instanceof Stop) {
        after.file ??= 'the file may have been left before';
        ends.push(shell.memory);
      } else {
        after.unit ??= 'the line may have been left before';
        ends.push(shell.memory);
      }
    } finally {
      shell.conditional -= 1;
    }
    after.unit ??= shell.doubt.unit;
    after.file ??= shell.doubt.file;
  }
  shell.doubt = after;
  const [first, ...rest] = ends;
  if (first === undefined) throw thrown;
  shell.memory = rest.reduce((left, right) => merged(left, right, reason), first);
}

function runRedirected(shell: Shell, command: Command & { kind: 'redirected' }): void {
  for (const word of command.redirections) expandValue(shell, word);
  shell.outputs.push(command.redirections);
  alternatives(shell, [() => run(shell, command.command), () => undefined]);
  shell.outputs.pop();
}

/** A loop runs any number of times: what it touches is unknown afterwards. */
function runLoop(shell: Shell, command: Command & { kind: 'loop' }): void {
  for (const word of command.words) expandValue(shell, word);
  const reason = { unknown: `a ${command.keyword} loop sets it` };
  const outer = shell.touched;
  const touched = new Set(command.assigns);
  for (let pass = 0; pass < 4; pass += 1) {
    const { assignments, syntaxIssues, indeterminate } = shell.journal;
    const marks = [assignments.length, syntaxIssues.length, indeterminate.length] as const;
    for (const name of touched) shell.memory.variables.set(name, reason);
    shell.touched = new Set();
    alternatives(shell, [() => run(shell, command.body), () => undefined]);
    const before = touched.size;
    for (const name of shell.touched) touched.add(name);
    if (touched.size === before || pass === 3) break;
    assignments.length = marks[0];
    syntaxIssues.length = marks[1];
    indeterminate.length = marks[2];
  }
  for (const name of touched) shell.memory.variables.set(name, reason);
  for (const name of touched) outer.add(name);
  shell.touched = outer;
  shell.memory.status = null;
}

function runArithmetic(shell: Shell, command: Command & { kind: 'arithmetic' }): void {
  const text = expandValue(shell, command.expression);
  try {
    const value = isUnknown(text) ? text : arithmetic(shell, literalWord(text, command), command);
    shell.memory.status = isUnknown(value) ? null : value === '0' ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Discard)) throw error;
    shell.memory.status = 1;
  }
  shell.doubt.unit = null;
}

function literalWord(text: string, at: { start: number; end: number }) {
  return { parts: [{ kind: 'text', text, quoted: true }] as const, start: at.start, end: at.end };
}

function runSimple(shell: Shell, command: SimpleCommand): void {
  shell.substituted = false;
  // Declarations expand their own words, which bash does not split.
  const fields = expandFields(shell, isDeclaration(command) ? command.words.slice(0, 1) : command.words);
  for (const word of command.redirections) expandValue(shell, word);
  reportCommand(shell, command, fields);
  shell.observer?.command(shell, command, fields);
  if (callFunction(shell, fields)) return;
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
  runWithPrefix(shell, command, fields);
}

/** Commands by which the launchers make their flags. */
const launcherRuns = new Set(['tr', 'echo', '[', 'test', 'export', 'set']);

/** Calls of functions followed: so many, and so deep. */
const maxCalls = 1_000;
const maxDepth = 20;

/** Follows the body of a function the observer's script calls; its arguments stay unknown. */
function callFunction(shell: Shell, { values: [name] }: ReturnType<typeof expandFields>): boolean {
  const body =
    typeof name === 'string' && shell.memory.functions.has(name) ? shell.bodies.get(name) : undefined;
  if (body === undefined || shell.depth >= maxDepth || shell.calls >= maxCalls) return false;
  shell.depth += 1;
  shell.calls += 1;
  try {
    run(shell, body);
  } catch (error) {
    if (!(error instanceof Stop && error.how === 'return')) throw error;
  } finally {
    shell.depth -= 1;
  }
  return true;
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

/** X=1 command: the assignments hold for the command only, but what their expansions assign stays. */
function runWithPrefix(shell: Shell, command: SimpleCommand, fields: ReturnType<typeof expandFields>): void {
  const overlay = new Map<string, Value>();
  for (const assignment of command.assignments) {
    // Bash refuses a read-only name before it expands the value.
    if (shell.memory.readOnly.has(assignment.name)) continue;
    overlay.set(assignment.name, temporary(shell, assignment, overlay));
  }
  runBuiltin(shell, command, fields, [...overlay.keys()]);
}
