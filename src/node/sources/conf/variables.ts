/** What the conf leaves behind in the shell: values, what is exported, and who reads them. */
import type { Assignment } from '../../facts/shell.js';
import { knownVariables, readersByName } from '../../kinds/kaia/variables.js';
import type { EnvironmentVariable } from '../argv/layers.js';
import type { Shell as ShellState } from '../shell/state.js';
import { isUnknown } from '../shell/value.js';
import type { GivenVariable } from './text.js';

export function variablesOf(shell: ShellState): Record<string, string | null> {
  // Without a prototype: a conf may well assign `constructor`.
  const variables: Record<string, string | null> = Object.create(null);
  const { rest } = shell.memory;
  if (rest !== null) for (const name of knownVariables()) variables[name] = null;
  for (const [name, { value }] of shell.memory.all()) {
    if (value === null) delete variables[name];
    else if (value !== undefined) variables[name] = isUnknown(value) ? null : value;
  }
  if (variables.STOP_TIMEOUT === '10' && !shell.touched.has('STOP_TIMEOUT')) delete variables.STOP_TIMEOUT;
  return variables;
}

export function environmentOf(
  shell: ShellState,
  env: ReadonlyMap<string, GivenVariable>,
  assignments: readonly Assignment[],
): ReadonlyMap<string, EnvironmentVariable> {
  const map = new Map<string, EnvironmentVariable>();
  const last = new Map(assignments.map((one) => [one.variable, one.at]));
  for (const [name, { value, exported }] of shell.memory.all()) {
    if (!exported || value === undefined || value === null) continue;
    const given = env.get(name);
    const at = last.get(name) ?? given?.at ?? null;
    const origin = { kind: 'environment', variable: name, at } as const;
    map.set(
      name,
      isUnknown(value)
        ? { value: null, indeterminate: value.unknown, origin }
        : { value, indeterminate: null, origin },
    );
  }
  return map;
}

export function readersOf(assignments: readonly Assignment[]): Record<string, readonly string[]> {
  const readers: Record<string, readonly string[]> = Object.create(null);
  for (const { variable } of assignments) {
    const names = readersByName(variable);
    if (names !== null) readers[variable] = names;
  }
  return readers;
}
