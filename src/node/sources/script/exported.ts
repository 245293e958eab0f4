/** The environment that a script gives to the commands it runs. */
import type { LaunchVariable } from '../launch/launch.js';
import { expandValue } from '../shell/expand.js';
import type { Shell } from '../shell/state.js';
import type { SimpleCommand } from '../shell/syntax/tree.js';
import { isUnknown, type Value } from '../shell/value.js';
import { isKnown, type Placed } from '../text/placed.js';
import { oneWord } from '../text/placeholders.js';

/** Variables of the environment, by name. */
export type Environment = ReadonlyMap<string, LaunchVariable>;

/** The environment of a command: exported variables, and over them assignments before the command. */
export function exportedTo(
  shell: Shell,
  command: SimpleCommand,
  script: Placed,
  environment: Environment,
): Environment {
  const map = new Map<string, LaunchVariable>();
  const whole = script.slice(command.start, command.end);
  for (const [name, { value, exported }] of shell.memory.all()) {
    if (!exported || value === undefined || value === null) continue;
    const given = environment.get(name);
    const same = given !== undefined && !isUnknown(value) && given.value?.text === value;
    map.set(name, same ? given : variable(value, whole));
  }
  for (const { name, value } of command.assignments)
    map.set(name, variable(expandValue(shell, value), script.slice(value.start, value.end)));
  return map;
}

function variable(value: Value, at: Placed): LaunchVariable {
  if (isUnknown(value)) return { value: null, at: at.span(), indeterminate: value.unknown };
  const found = value === '' ? -1 : at.text.indexOf(value);
  const text = found < 0 ? at.as(value) : at.slice(found, found + value.length);
  return { value: text, at: at.span(), indeterminate: null };
}

/** The values that a script's variables have in this environment. */
export function valuesOf(environment: Environment): Record<string, Value> {
  const values = [...environment].map(([name, { value, indeterminate }]): [string, Value] => {
    const known = value !== null && isKnown(value.text);
    const unknown = { unknown: indeterminate ?? 'it cannot be known' };
    return [name, known ? value.text : value?.text === oneWord ? { ...unknown, oneWord: true } : unknown];
  });
  return Object.fromEntries(values);
}
