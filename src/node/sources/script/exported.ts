/** The environment that a script gives to the commands it runs. */
import { otherVariables } from '../../facts/settings.js';
import { type EnvironmentLine, environmentLines, variableOf } from '../environment/environment.js';
import type { Environment, LaunchVariable } from '../launch/launch.js';
import { expandValue } from '../shell/expand.js';
import type { SimpleCommand } from '../shell/syntax/tree.js';
import { isUnknown, type Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { isKnown, type Placed } from '../text/placed.js';
import { oneWord } from '../text/placeholders.js';
import { showText } from '../text/unknown.js';
import type { Given } from './environment-runners.js';
import type { Origins } from './origin.js';

/** The environment of a command: exported variables, and over them assignments before the command. */
export function exportedTo(
  command: SimpleCommand,
  { script, shell, environment, printed }: Origins,
): Environment {
  const map = new Map<string, LaunchVariable>();
  const whole = script.slice(command.start, command.end);
  const { exporter } = shell.memory;
  const others = exporter === null ? undefined : setBy(script.slice(exporter.start, exporter.end));
  const placed = (name: string, value: Value, at: Range | undefined) => {
    if (isUnknown(value) || at === undefined) return null;
    const own = script.slice(at.start, at.end);
    if (value !== '' && own.text.includes(value)) return variable(value, own);
    const output = listedIn([...printed.values()], name, value);
    return output && variable(value, output);
  };
  const setter = others ?? environment.get(otherVariables);
  if (setter !== undefined) map.set(otherVariables, setter);
  const last = new Map(shell.journal.assignments.map((one) => [one.variable, one.valueAt]));
  shell.steps.count(last.size / 16);
  for (const [name, { value, exported }] of shell.memory.all()) {
    if (!exported || value === undefined || value === null) continue;
    const given = environment.get(name);
    const same = given !== undefined && !isUnknown(value) && given.value?.text === value;
    map.set(name, same ? given : (placed(name, value, last.get(name)) ?? variable(value, whole)));
  }
  for (const { name, value } of command.assignments)
    map.set(name, variable(expandValue(shell, value), script.slice(value.start, value.end)));
  return map;
}

/** The value in a text that lists `NAME=value`; null if there is none. */
function listedIn(texts: readonly Placed[], name: string, value: string): Placed | null {
  for (const one of texts) {
    const at = one.text.lastIndexOf(`${name}=`);
    const start = one.text.indexOf(value, at);
    if (at >= 0 && start >= 0 && start <= at + name.length + 2) return one.slice(start, start + value.length);
  }
  return null;
}

/** The entry of an environment for the variables that a command may set, under its own text and line. */
export function setBy(command: Placed): LaunchVariable {
  const at = command.span();
  const text = showText(command)
    .replace(/([$<]\()[\s\S]*\)/, '$1…)')
    .replace(/`[\s\S]*`/, '`…`')
    .replace(/\s+/g, ' ');
  return { value: null, at, indeterminate: `${text.slice(0, 80)} (${at.file}:${at.line})` };
}

const expanded = /(?<!\\)\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)[}:=+?-])/g;
/** Assignments, but for `X=${X:-a}`, which leaves an X that is given. */
const assigned =
  /(?<![\w$])([A-Za-z_]\w*)\+?=(?!["']?\$\{?\1\b)|\b(?:for|select|read(?:[ \t]+-\w+)*)[ \t]+([A-Za-z_]\w*)/g;
/** Set by the shell or by the login. */
const ofShell =
  /^(?:PATH|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|HOSTNAME|LANG|TERM|TMPDIR|IFS|E?UID|PPID|RANDOM|SECONDS|LINENO|BASH\w*|FUNCNAME|OPT(?:ARG|IND)|REPLY)$/;
const maxNames = 200;

/** The environment with the values that other files give to the variables which a script expands before it sets them. */
export function withOutside(
  script: Placed,
  environment: Environment,
  outside: ((name: string, at: Placed) => Placed | undefined) | undefined,
): Environment {
  if (outside === undefined) return environment;
  const map = new Map(environment);
  for (const { name, start, end } of namesFromOutside(script.text, environment)) {
    const value = outside(name, script.slice(start, end));
    if (value !== undefined) map.set(name, variableOf(value));
  }
  return map;
}

/** The variables that a script expands before it sets them and that its environment has not, each where it stands first. */
export function* namesFromOutside(
  text: string,
  environment: Environment = new Map(),
): Generator<{ readonly name: string; readonly start: number; readonly end: number }> {
  const own = new Map<string, number>();
  for (const { 1: name, 2: read, index } of text.matchAll(assigned))
    if (!own.has(name ?? read ?? '')) own.set(name ?? read ?? '', index);
  const seen = new Set<string>();
  for (const { 0: all, 1: bare, 2: braced, index } of text.matchAll(expanded)) {
    const name = bare ?? braced ?? '';
    if (seen.has(name) || environment.has(name) || (own.get(name) ?? index) < index || ofShell.test(name))
      continue;
    if (seen.add(name).size > maxNames) break;
    yield { name, start: index, end: index + all.length };
  }
}

/** The environment with the variables that a command sets for the one it runs; `read` gives the text of a file. */
export function withGiven(
  environment: Environment,
  given: readonly Given[],
  read: (path: string) => Placed | null,
): Environment {
  if (given.length === 0) return environment;
  const map = new Map(environment);
  for (const { name, value, file, isGone = false } of given) {
    const lines = file === undefined ? null : read(file.text);
    if (isGone && name === otherVariables) map.clear();
    else if (isGone) map.delete(name);
    else if (name !== otherVariables)
      map.set(name, { value: isKnown(value.text) ? value : null, at: value.span(), indeterminate: null });
    else if (lines === null) map.set(otherVariables, setBy(value));
    else for (const line of environmentLines(lines)) map.set(line.name, fromFile(line, map));
  }
  return map;
}

/** Programs differ in whether a file overrides the environment. */
function fromFile({ name, value }: EnvironmentLine, environment: Environment): LaunchVariable {
  if (!environment.has(name)) return variableOf(value);
  const indeterminate = 'both the environment and a file set it';
  return { value: null, at: value.span(), indeterminate };
}

function variable(value: Value, at: Placed): LaunchVariable {
  if (isUnknown(value)) return { value: null, at: at.span(), indeterminate: value.unknown };
  const found = value === '' ? -1 : at.text.indexOf(value);
  const text = found < 0 ? at.as(value) : at.slice(found, found + value.length);
  return { value: text, at: at.span(), indeterminate: null };
}

/** The values that a script's variables have in this environment. */
export function shellValues(environment: Environment): Record<string, Value> {
  const named = [...environment].filter(([name]) => name !== otherVariables);
  const values = named.map(([name, { value, indeterminate }]): [string, Value] => {
    const known = value !== null && isKnown(value.text);
    const unknown = { unknown: indeterminate ?? 'it cannot be known' };
    return [name, known ? value.text : value?.text === oneWord ? { ...unknown, oneWord: true } : unknown];
  });
  return Object.fromEntries(values);
}
