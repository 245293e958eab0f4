/** The effect of builtins on variables. Other commands change none. */
import { ArithmeticFault, UnknownOperand } from './arithmetic.js';
import { elementsOf, isMap } from './arrays.js';
import { appendValue, elementSet } from './assign.js';
import { declare } from './declare.js';
import { arithmeticResult, keyOf, literalWord } from './expand.js';
import { argumentsFrom } from './fields.js';
import { RoundEnd, Stop } from './outcomes.js';
import { printfParts } from './printf.js';
import type { Fields, Shell } from './state.js';
import type { SimpleCommand } from './syntax/tree.js';
import { testStatus } from './test.js';
import { setByTool } from './tool-output.js';
import { arrayOf, isUnknown, partOf, type Value, withElement } from './value.js';

/** Commands that succeed without effect. */
const harmless = new Set([':', 'true', 'echo']);
/** Builtins without effect on variables; their status is unknown. */
const inert = new Set(
  (
    'printf cd pwd umask ulimit type hash times jobs kill wait bg fg disown caller dirs pushd popd help history ' +
    'bind complete compgen compopt logout alias unalias shift'
  ).split(' '),
);
/** Builtins that read input into the variables they name. */
const readers = new Set(['read', 'mapfile', 'readarray', 'getopts']);
/** Builtins that run other code or change how commands are read: they make every variable unknown. */
const unbounded = new Set(['eval', 'source', '.', 'command', 'builtin', 'enable', 'trap', 'shopt', 'fc']);
const declarations = new Set(['export', 'readonly', 'declare', 'typeset', 'local']);

/** Builtins that see or keep the assignments before them. */
const keepers = new Set([...declarations, ...readers, 'unset', 'let']);

/**
 * Runs a builtin; `prefix` are the names assigned before it.
 * @throws {Stop} for exit and return
 */
export function runBuiltin(shell: Shell, command: SimpleCommand, fields: Fields, prefix: readonly string[]) {
  const name = fields.values[0];
  if (name === undefined || isUnknown(name)) {
    shell.taintByCommand('a line whose command cannot be known may set it');
    return;
  }
  const outer = shell.touched;
  shell.touched = new Set();
  follow(shell, name, fields, command);
  if (prefix.length > 0 && keepers.has(name)) {
    const reason = { unknown: `${name} may keep the assignment before it` };
    for (const variable of new Set([...prefix, ...shell.touched])) shell.set(variable, reason);
  }
  for (const variable of shell.touched) outer.add(variable);
  shell.touched = outer;
}

function follow(shell: Shell, name: string, fields: Fields, command: SimpleCommand): void {
  const { memory } = shell;
  const { exact } = fields;
  const args = fields.values.slice(1);
  memory.status = null;
  shell.steps.take(2 + args.length / 4);
  if (memory.isFunction(name)) shell.taintExports(`the function ${name} may set it`);
  else if (harmless.has(name)) memory.status = 0;
  else if (name === 'false') memory.status = 1;
  else if ((name === 'continue' || name === 'break') && shell.loop !== null)
    throw new RoundEnd(shell.conditional > shell.loop || args.length > 0 ? 'maybe' : name);
  else if (name === '[' || name === 'test') runTest(shell, name, args, exact);
  else if (name === 'exit' || name === 'return') leave(shell, name, command);
  else if (declarations.has(name)) declare(shell, name, command, exact);
  else if (name === 'unset') unset(shell, args, command, exact);
  else if (name === 'let') runLet(shell, args, command);
  else if (name === 'hash' && args[0] === '-p')
    for (const one of args.slice(2)) shell.shadow(isUnknown(one) ? 'tr' : one, 'hash -p');
  else if (name === 'set') runSet(shell, fields);
  else if (name === 'shift' && memory.args !== null) shiftArguments(shell, args, exact);
  else if (name === 'exec') runExec(shell, args);
  else if (name === 'shopt' && exact && isCalm(args)) runShopt(shell, args);
  else if (name === 'trap' && exact && isHandler(args)) return;
  else if (name === 'printf' && printsTo(shell, args, exact)) return;
  else if (readers.has(name) || (name === 'printf' && args[0] === '-v')) runReader(shell, name, args, exact);
  else if (unbounded.has(name)) runUnbounded(shell, name, args, exact);
}

function runTest(shell: Shell, name: string, args: readonly Value[], exact: boolean): void {
  if (!exact || args.some(isUnknown)) return;
  const words = args as string[];
  if (name === '[' && words.at(-1) !== ']') {
    shell.memory.status = 2;
    return;
  }
  shell.memory.status = testStatus(name === '[' ? words.slice(0, -1) : words, (variable) =>
    /^[A-Za-z_]\w*$/.test(variable) ? shell.isSet(variable) : null,
  );
}

function leave(shell: Shell, name: 'exit' | 'return', command: SimpleCommand): never {
  shell.memory.status = null;
  const at = { start: command.start, end: command.end };
  throw new Stop(name, name === 'exit' ? 'exit ends the launcher' : 'return ends the file', at);
}

function unset(shell: Shell, args: readonly Value[], command: SimpleCommand, exact: boolean): void {
  let names = args;
  let letters = '';
  while (typeof names[0] === 'string' && /^-[^-]/.test(names[0])) {
    letters += names[0];
    names = names.slice(1);
  }
  if (!exact || names.some(isUnknown)) {
    shell.taint('unset of a name that cannot be known');
    return;
  }
  shell.memory.status = 0;
  if (/[^-vfn]/.test(letters)) shell.memory.status = 2;
  else if (letters.includes('v') && letters.includes('f')) shell.memory.status = 1;
  if (shell.memory.status !== 0) return;
  for (const name of names as string[]) {
    if (letters.includes('f')) shell.memory.setFunction(name, false);
    // declare -n has made everything unknown already.
    else if (!letters.includes('n')) unsetOne(shell, name, command);
  }
}

function unsetOne(shell: Shell, name: string, command: SimpleCommand): void {
  const [, array, index] = /^([A-Za-z_]\w*)\[(.+)\]$/.exec(name) ?? [];
  if (array !== undefined && index !== undefined) {
    const key = keyOf(shell, array, literalWord(index, command), command);
    const list = key === null ? null : elementsOf(shell, array);
    const map = isMap(shell, array);
    const isText = typeof shell.memory.of(array).value === 'string';
    if (isText && key === '0') shell.remove(array);
    else if (isText) shell.memory.status = null;
    else shell.set(array, arrayOf(list && key !== null ? withElement(list, key, null, map) : null, map));
  } else if (!/^[A-Za-z_]\w*$/.test(name)) shell.memory.status = null;
  else if (shell.memory.of(name).readOnly) shell.memory.status = 1;
  else {
    const known = shell.memory.valueOf(name) !== undefined;
    shell.remove(name);
    if (!known) shell.memory.setFunction(name, false);
    const rest = shell.memory.valueOf(name);
    const value = isUnknown(rest) ? rest : '';
    const valueAt = { start: command.end, end: command.end };
    shell.record({ variable: name, value, at: command, valueAt, runs: [], kind: 'unset' });
  }
}

function runLet(shell: Shell, args: readonly Value[], command: SimpleCommand): void {
  for (const text of args) {
    if (isUnknown(text)) {
      shell.taint(text.unknown);
      return;
    }
    try {
      shell.memory.status = arithmeticResult(shell, text, command) === 0n ? 1 : 0;
    } catch (error) {
      if (!(error instanceof ArithmeticFault || error instanceof UnknownOperand)) throw error;
      shell.memory.status = error instanceof ArithmeticFault ? 1 : null;
      if (error instanceof ArithmeticFault) return;
      shell.doubt.unit ??= error.message;
    }
  }
}

/** Options without effect on variables, except a, and on which commands run. */
const calmOptions = /^[-+][abfhmvxBCEHPT]*$/;

function runSet(shell: Shell, fields: Fields): void {
  const { values, exact } = fields;
  const args = values.slice(1);
  const words = args.filter((word) => !isUnknown(word)) as string[];
  const known = exact && words.length === args.length;
  const dashes = values.indexOf('--');
  if (dashes > 0) shell.memory.args = argumentsFrom(fields, dashes + 1);
  if (words[0] === '--' && known) return;
  if (known && words.join(' ') === '-o allexport') shell.memory.exportAll = true;
  else if (known && words.join(' ') === '+o allexport') shell.memory.exportAll = false;
  else if (known && words.every((word) => calmOptions.test(word))) {
    for (const word of words) {
      if (word.includes('a')) shell.memory.exportAll = word.startsWith('-');
      if (word.includes('f')) shell.noglob = word.startsWith('-') && shell.isCertain();
    }
    shell.memory.status = 0;
  } else {
    if (words.some((word) => /^-[a-zA-Z]*a|^allexport$/.test(word))) shell.memory.exportAll = true;
    if (shell.observer === null)
      shell.doubt.file ??= `set ${words.join(' ')} changes how the rest of the file is run`;
  }
}

/** Options of shopt without effect on variables, on conditions and on which commands run. */
const calmShopt = new Set(
  (
    'autocd cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist complete_fullquote direxpand dirspell ' +
    'dotglob extglob force_fignore globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete ' +
    'huponexit inherit_errexit lithist mailwarn no_empty_cmd_completion nocaseglob nullglob progcomp ' +
    'progcomp_alias promptvars shift_verbose'
  ).split(' '),
);

function isCalm(args: readonly Value[]): boolean {
  return args.every((word) => !isUnknown(word) && (/^-[supq]+$/.test(word) || calmShopt.has(word)));
}

function runShopt(shell: Shell, args: readonly Value[]): void {
  if (args.includes('extglob') && args.includes('-s')) shell.extglob ||= shell.isCertain();
  else if (args.includes('extglob') && args.includes('-u')) shell.extglob = false;
}

/** Whether they are handlers of the end of the shell, and of signals that end it. */
function isHandler([, ...signals]: readonly Value[]): boolean {
  const ending = /^(?:SIG)?(?:EXIT|HUP|INT|QUIT|PIPE|TERM|0|1|2|3|13|15)$/i;
  return signals.every((word) => !isUnknown(word) && ending.test(word));
}

function shiftArguments({ memory }: Shell, [by = '1']: readonly Value[], exact: boolean): void {
  memory.args =
    exact && !isUnknown(by) && /^[0-9]+$/.test(by) ? (memory.args?.slice(Number(by)) ?? null) : null;
}

function runExec(shell: Shell, args: readonly Value[]): void {
  if (args.length === 0) return;
  if (shell.observer !== null) throw new Stop('exit', 'exec replaces the shell', shell.here);
  shell.taint('exec replaces the launcher');
  shell.doubt.file ??= 'exec replaces the launcher';
}

/** `printf -v NAME %s VALUE`; false if what it prints, or where, is not known. */
function printsTo(
  shell: Shell,
  [option, name, format, ...values]: readonly Value[],
  exact: boolean,
): boolean {
  if (option !== '-v' || !exact || [name, format, ...values].some(isUnknown)) return false;
  const [, variable, index] = /^([A-Za-z_]\w*)(?:\[(.+)\])?$/.exec(String(name)) ?? [];
  const parts = printfParts(String(format ?? ''), values.map(String));
  if (variable === undefined || parts === null || shell.memory.of(variable).readOnly) return false;
  store(shell, variable, index, parts.map(({ text }) => text).join(''));
  shell.memory.status = 0;
  return true;
}

/** Sets a variable, or the element of an array. */
function store(shell: Shell, name: string, index: string | undefined, value: Value): void {
  const word = literalWord(index ?? '', shell.here);
  const element = { name, subscript: word, append: false, word };
  const isWhole = index === undefined;
  shell.set(name, isWhole ? appendValue(shell, name, false, value) : elementSet(shell, element, value));
}

function runReader(shell: Shell, name: string, args: readonly Value[], exact: boolean): void {
  const reason = { unknown: `${name} sets it from input` };
  if (!exact || args.some(isUnknown)) {
    shell.taint(reason.unknown);
    return;
  }
  // Of an element, the whole array is not known.
  const names = (args as string[]).flatMap((word) => /^([A-Za-z_]\w*)(?:\[.*\])?$/.exec(word)?.[1] ?? []);
  for (const variable of [...names, 'REPLY', 'MAPFILE', 'OPTARG']) shell.set(variable, reason);
}

/** Files that systems and tools install, which set variables of their own only. */
const ofSystem =
  /^\/lib\/lsb\/|^\/etc\/(?:os-release$|(?:rc\.d\/)?init\.d\/functions$|bash_completion)|\/(?:\.cargo\/env|nvm\.sh|bin\/activate)$/;

/** `eval set -- …` exports nothing. */
const evalOfArguments = /^eval\s+set\s/;

function runUnbounded(shell: Shell, name: string, args: readonly Value[], exact: boolean): void {
  const inner = args[0];
  if ((name === 'command' || name === 'builtin') && exact && typeof inner === 'string') {
    const known = [harmless, inert].some((set) => set.has(inner)) || inner === 'false' || inner === '-v';
    if (known && inner !== 'printf') return;
    const outside = name === 'command' && !inner.startsWith('-') && !isBuiltin(inner);
    if (outside) return;
  }
  const isFile = name === '.' || name === 'source';
  const reason = `${isFile ? 'a sourced file' : `what ${name} runs`} is not followed`;
  const text = shell.text.slice(shell.here.start, shell.here.end);
  const own = name === 'eval' ? setByTool(text) : null;
  if (own !== null) {
    for (const variable of own) shell.set(variable, { unknown: reason });
    return;
  }
  const mayExport = isFile
    ? !ofSystem.test(partOf(inner ?? ''))
    : name === 'eval' && !evalOfArguments.test(text);
  if (mayExport) shell.taintExports(reason);
  else shell.taint(reason);
  if (name === 'trap' || name === 'shopt' || name === 'enable') {
    shell.doubt.file ??= `${name} changes how the rest of the file is run`;
  }
}

/** Whether they are builtins that a command or builtin may run. */
export function isBuiltin(name: string): boolean {
  const more = ['[', 'test', 'exit', 'return', 'unset', 'let', 'set', 'exec', 'break', 'continue', 'suspend'];
  return [readers, unbounded, declarations, inert].some((set) => set.has(name)) || more.includes(name);
}
