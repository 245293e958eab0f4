/** The variables of the shell after a conf: values, exports, switches, and the launchers that read them. */

import { groupBy } from '../../../util/group-by.js';
import { type Key, otherVariables } from '../../facts/settings.js';
import type { Assignment, ConfShell } from '../../facts/shell.js';
import type { CarryingVariable, Launchers } from '../../kinds/kind.js';
import type { EnvironmentVariable } from '../argv/layers.js';
import type { Shell } from '../shell/state.js';
import { isUnknown } from '../shell/value.js';
import type { LineIndex } from '../text/line-index.js';
import { isOne, scratchOf } from './replay.js';
import type { GivenVariable } from './text.js';

export function variablesOf(shell: Shell, launchers: Launchers, from: string) {
  // Without a prototype: a conf may well assign `constructor`.
  const variables: Record<string, string | null> = Object.create(null);
  const { rest } = shell.memory;
  if (rest !== null) for (const name of launchers.knownVariables) variables[name] = null;
  for (const [name, { value }] of shell.memory.all()) {
    if (value === null) delete variables[name];
    else if (value !== undefined) {
      // $NAME of an array is its element 0.
      const own = isUnknown(value) && value.list !== undefined ? shell.look(name) : value;
      if (own !== undefined) variables[name] = isUnknown(own) ? null : own;
    }
  }
  for (const [name, value] of Object.entries(launchers.presets(from)))
    if (variables[name] === value && !shell.touched.has(name)) delete variables[name];
  return variables;
}

export function environmentOf(
  shell: Shell,
  env: ReadonlyMap<string, GivenVariable>,
  assignments: readonly Assignment[],
): ReadonlyMap<string, EnvironmentVariable> {
  const map = new Map<string, EnvironmentVariable>();
  const others = env.get(otherVariables);
  if (others !== undefined)
    map.set(otherVariables, {
      ...others,
      origin: { kind: 'environment', variable: otherVariables, at: null },
    });
  const last = new Map(assignments.map((one) => [one.variable, one.at]));
  for (const [name, { value, exported }] of shell.memory.all()) {
    if (!exported || value === undefined || value === null) continue;
    const given = env.get(name);
    const at = last.get(name) ?? given?.at ?? null;
    const origin = { kind: 'environment', variable: name, at } as const;
    const known = isUnknown(value) ? null : value;
    map.set(name, { value: known, indeterminate: isUnknown(value) ? value.unknown : null, origin });
  }
  return map;
}

export function readersOf(assignments: readonly Assignment[], { readersByName }: Launchers) {
  const readers: Record<string, readonly string[]> = Object.create(null);
  for (const { variable } of assignments) {
    const names = readersByName(variable);
    if (names !== null) readers[variable] = names;
  }
  return readers;
}

/** The test without its side effects: assignments in the expression are forgotten. */
export function isOn(shell: Shell, name: string): boolean | null {
  const value = shell.look(name) ?? '';
  const truth = isUnknown(value) ? value : isOne(scratchOf(shell), value);
  return typeof truth === 'boolean' ? truth : null;
}

/** Marks the assignments that decide a variable's final value: the last one, those it appends to, and possible ones. */
export function settledAssignments(shell: Shell, lineIndex: LineIndex): Assignment[] {
  const list = shell.journal.assignments.map((one) => ({
    ...one,
    at: lineIndex.span(one.at),
    valueAt: lineIndex.span(one.valueAt),
  }));
  const settled = new Set<string>();
  for (const one of list.toReversed()) {
    const counts = one.effective && !settled.has(one.variable);
    one.effective = counts;
    if (counts && one.kind !== 'append' && !one.conditional) settled.add(one.variable);
  }
  return list;
}

/** The value of each flag in the file, by the variable that the launcher makes the flag from. */
export function keysOf(shell: ConfShell, variables: ReadonlyMap<string, CarryingVariable>, text: string) {
  const effective = shell.assignments.filter((one) => one.effective);
  const byName = groupBy(effective, ({ variable }) => variable);
  const malformed = new Set(
    shell.syntaxIssues.flatMap(({ variable, likelyMistake }) => (likelyMistake ? [variable] : [])),
  );
  const used = new Set([...text.matchAll(/\$\{?[!#]?(\w+)/g)].map(([, name]) => name));
  const keys = [...variables].map(([flag, { name, isSwitch }]): [string, Key] => {
    const value = isSwitch ? shell.switches[name] : shell.variables[name];
    const all = byName.get(name);
    const last = all?.at(-1);
    const alone = all?.length === 1 && last?.kind === 'assign' && !last.conditional && !used.has(name);
    const at = last?.valueAt ?? null;
    return [flag, { name, value: value ?? null, at, alone, malformed: malformed.has(name) }];
  });
  return Object.fromEntries(keys);
}
