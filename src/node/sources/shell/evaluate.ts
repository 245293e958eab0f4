/** Evaluates commands as bash would run them, without executing anything. */
import type { Range } from '../text/line-index.js';
import { conditionTruth, patternHolds } from './condition.js';
import { arithmetic, expandValue } from './expand.js';
import { runLoop } from './loops.js';
import { alternatives, Discard, fileMayEnd, Stop } from './outcomes.js';
import { runSimple } from './simple-command.js';
import type { Shell } from './state.js';
import { readUnit } from './syntax/command.js';
import { type Cursor, cursorAt, SyntaxFault } from './syntax/cursor.js';
import type { Clause, Command } from './syntax/tree.js';
import { nextUnit } from './units.js';
import { isUnknown, type Value } from './value.js';

/** Evaluates the commands from the cursor to the end of its text. @throws as `run` does, and {SyntaxFault} */
export function runText(
  shell: Shell,
  cursor: Cursor,
  doubtOf: (unit: Range) => string | null = () => null,
): void {
  for (;;) {
    cursor.extglob = shell.extglob;
    const unit = nextUnit(shell, cursor);
    if (unit === null) return;
    if (cursor.needsExtglob)
      shell.leaveOpen(
        unit,
        'bash stops at the extended pattern unless extglob is on',
        'is read with extglob',
      );
    runUnit(shell, unit, doubtOf(unit));
    for (const name of cursor.documentNames.splice(0)) {
      shell.steps.take();
      shell.set(name, { unknown: 'an expansion in a here-document may set it' });
    }
  }
}

function runUnit(shell: Shell, unit: Command, doubt: string | null): void {
  shell.doubt.unit = doubt;
  try {
    run(shell, unit);
    // In doubt the last command may not have run.
    if (shell.doubt.unit !== null) shell.memory.status = null;
  } catch (error) {
    if (error instanceof Stop && stopsInDoubt(shell, error)) return;
    if (!(error instanceof Discard)) throw error;
    shell.memory.status = 1;
    shell.journal.addIssue({
      kind: 'syntax-error',
      at: { start: unit.start, end: unit.end },
      variable: null,
      becomes: `bash fails here (${error.message}) and skips the rest of the command line`,
    });
  }
}

/** Notes a command that may not run, and that otherwise ends the file or the launcher: the next line is read in doubt. */
function stopsInDoubt(shell: Shell, { how, message, at }: Stop): boolean {
  if (shell.doubt.unit === null && shell.doubt.file === null) return false;
  if (how === 'exit') shell.journal.addExit({ reason: message, at });
  else shell.doubt.file ??= fileMayEnd;
  shell.memory.status = null;
  return true;
}

/** Evaluates a command. @throws {Discard | Stop | Lost} when bash skips the line or the file, or too many steps are taken */
export function run(shell: Shell, command: Command): void {
  shell.steps.take(3);
  shell.here = { start: command.start, end: command.end };
  switch (command.type) {
    case 'simple':
      runSimple(shell, command, { body: run, text: runText });
      return;
    case 'sequence':
      for (const one of command.commands) run(shell, one);
      return;
    case 'and':
    case 'or':
      run(shell, command.left);
      runIf(shell, goesOn(shell, command.left, command.right, command.type === 'and'), () =>
        run(shell, command.right),
      );
      return;
    case 'not':
      run(shell, command.command);
      if (shell.memory.status !== null) shell.memory.status = shell.memory.status === 0 ? 1 : 0;
      return;
    case 'timed':
      run(shell, command.command);
      return;
    case 'subshell':
      if (shell.observer !== null) runAside(shell, command);
      shell.memory.status = command.background ? 0 : null;
      return;
    case 'coproc':
      runCoproc(shell, command);
      return;
    case 'redirected':
      runRedirected(shell, command);
      return;
    case 'if':
      runIfCommand(shell, command);
      return;
    case 'loop':
      runLoop(shell, command, run);
      return;
    case 'case':
      runCase(shell, command);
      return;
    case 'function':
      shell.memory.setFunction(command.name, true);
      // One that may not be defined is not followed where only what is certain counts.
      if (shell.observer !== null || shell.isCertain()) shell.bodies.set(command.name, command.body);
      else shell.bodies.delete(command.name);
      shell.shadow(command.name, 'a function');
      shell.memory.status = 0;
      return;
    case 'condition': {
      const truth = shell.testing(() => conditionTruth(shell, command.test));
      shell.memory.status = truth === null ? null : truth ? 0 : 1;
      return;
    }
    case 'arithmetic':
      runArithmetic(shell, command);
  }
}

/**
 * Whether the next command runs, which it does where the test has the wanted status: by that status, else by what is
 * assumed of it; null if both are unknown.
 */
function goesOn(shell: Shell, test: Command, next: Command, wanted: boolean): boolean | null {
  const { status } = shell.memory;
  if (status !== null) return (status === 0) === wanted;
  if (setsDefault(shell, test, next, wanted)) return true;
  const holds = shell.decide(test);
  return holds === null ? null : holds === wanted;
}

const asksIfEmpty = /^(?:\[\[?|test)\s+(!\s+)?-([zn])\s+"?\$\{?(\w+)(?::?-)?\}?"?(?:\s*\]\]?)?$/;

/**
 * Returns true for `[ -z "$X" ] && X=default` where only the caller may set X: as with ${X:=default}, the default counts.
 * False for every other test or command.
 */
function setsDefault(shell: Shell, test: Command, body: Command, wanted: boolean): boolean {
  const textOf = ({ start, end }: Range) => shell.text.slice(start, end).trim();
  const [, not, operator, name] = asksIfEmpty.exec(textOf(test)) ?? [];
  if (name === undefined || ((operator === 'z') === (not === undefined)) !== wanted) return false;
  const value = shell.testing(() => shell.look(name));
  const isOwn = value === undefined || !shell.isOutside(name, value);
  return !isOwn && new RegExp(`^(?:export\\s+)?${name}=[^;&|\\n]*;?$`).test(textOf(body));
}

/** Follows the commands of a subshell for the observer. No variable outside changes. */
function runAside(shell: Shell, { commands, piped }: Command & { type: 'subshell' }): void {
  const { memory, doubt, piped: before, extglob } = shell;
  for (const [at, command] of commands.entries()) {
    if (at === 0 || piped) shell.memory = memory.branch();
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
  shell.extglob = extglob;
}

/** Bash sets NAME to the file descriptors of the command, and NAME_PID. */
function runCoproc(shell: Shell, { command, name, start, end }: Command & { type: 'coproc' }): void {
  run(shell, { type: 'subshell', background: true, piped: false, commands: [command], start, end });
  if (!/^[A-Za-z_]\w*$/.test(name)) shell.taint('the name of a coprocess cannot be known');
  else for (const one of [name, `${name}_PID`]) shell.set(one, { unknown: 'coproc sets it' });
}

/** Follows the commands of $(…) or `…`, its range with the delimiters, for the observer. @throws {Lost} as `run` does */
export function runSubstitution(shell: Shell, { start, end }: Range): void {
  const cursor = cursorAt(shell.text.slice(0, end - 1), shell.steps);
  cursor.at = start + (shell.text[start] === '$' ? 2 : 1);
  const { here } = shell;
  try {
    for (let unit = readUnit(cursor); unit !== null; unit = readUnit(cursor)) {
      const aside = { piped: false, background: false, commands: [unit], start: unit.start, end: unit.end };
      runAside(shell, { type: 'subshell', ...aside });
    }
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
  }
  shell.here = here;
}

function runIf(shell: Shell, truth: boolean | null, yes: () => void, no = () => {}): void {
  if (truth === null) alternatives(shell, [yes, no]);
  else if (truth) yes();
  else no();
}

function runIfCommand(shell: Shell, { test, body, otherwise }: Command & { type: 'if' }): void {
  run(shell, test);
  runIf(
    shell,
    goesOn(shell, test, body, true),
    () => run(shell, body),
    () => {
      if (otherwise !== null) run(shell, otherwise);
      else shell.memory.status = 0;
    },
  );
}

function runCase(shell: Shell, { subject, clauses }: Command & { type: 'case' }): void {
  const value = shell.testing(() => expandValue(shell, subject));
  const bodies = clauses.flatMap(({ body }) => (body === null ? [] : [() => run(shell, body)]));
  const found = clauses.some(({ fallsThrough }) => fallsThrough) ? null : chosen(shell, clauses, value);
  if (found === null) alternatives(shell, [...bodies, () => undefined]);
  else if (found?.body) run(shell, found.body);
  else shell.memory.status = 0;
}

/** The clause that runs, by an assumption where a pattern cannot be decided; undefined if there is none. Returns null if it is not known. */
function chosen(shell: Shell, clauses: readonly Clause[], value: Value): Clause | undefined | null {
  for (const clause of clauses) {
    const [first, last] = [clause.patterns[0], clause.patterns.at(-1)];
    if (first === undefined || last === undefined) continue;
    const matches = clause.patterns.map((word) => patternHolds(shell, word, value));
    const holds = matches.includes(true)
      ? true
      : matches.includes(null)
        ? shell.decide({ start: first.start, end: last.end })
        : false;
    if (holds === null) return null;
    if (holds) return clause;
  }
  return undefined;
}

function runRedirected(shell: Shell, command: Command & { type: 'redirected' }): void {
  for (const word of command.redirections) expandValue(shell, word);
  shell.outputs.push(command.redirections);
  const failed = () => {
    shell.memory.status = 1;
  };
  try {
    const mayFail = command.redirections.some(({ operator }) => !/<<|[<>]&/.test(operator));
    if (shell.observer === null && mayFail) alternatives(shell, [() => run(shell, command.command), failed]);
    else run(shell, command.command);
  } finally {
    shell.outputs.pop();
  }
}

/** Evaluates ((…)). An error only makes it fail. */
function runArithmetic(shell: Shell, { expression, start, end }: Command & { type: 'arithmetic' }): void {
  try {
    const value = arithmetic(shell, expression, { start, end });
    shell.memory.status = isUnknown(value) ? null : value === '0' ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Discard)) throw error;
    shell.memory.status = 1;
  }
  shell.doubt.unit = null;
}
