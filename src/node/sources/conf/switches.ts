/** Whether each switch of a conf is on to its launcher. */
import { launcherSteps } from '../../kinds/kaia/launchers.js';
import type { Launcher, Package } from '../../kinds/kaia/names.js';
import type { Step } from '../../kinds/kind.js';
import type { Shell } from '../shell/state.js';
import { isUnknown, type Value } from '../shell/value.js';
import { isOne } from './launcher-test.js';

/** For each variable the launcher tests with `-eq 1`: whether the test holds; null when that cannot be known. */
export function switchesOf(shell: Shell, launcher: Launcher, from: Package): Record<string, boolean | null> {
  const steps = launcherSteps(launcher, from);
  const names = namesOf.get(steps) ?? switchNames(steps);
  namesOf.set(steps, names);
  const switches: Record<string, boolean | null> = {};
  for (const name of names) switches[name] = isOn(shell, name);
  return switches;
}

const namesOf = new WeakMap<readonly Step[], readonly string[]>();

function switchNames(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (!('test' in step)) return [];
    const own = step.test === 'is-one' ? step.variables : [];
    return [...own, ...switchNames(step.yes), ...switchNames(step.no ?? [])];
  });
}

/** The test without its side effects: assignments in the expression are forgotten. */
function isOn(shell: Shell, name: string): boolean | null {
  const value = shell.look(name) ?? '';
  if (isUnknown(value)) return null;
  const written = new Map<string, Value>();
  const apart = {
    steps: shell.steps,
    look: (variable: string) => written.get(variable) ?? shell.look(variable),
    set(variable: string, content: Value) {
      written.set(variable, content);
      return content;
    },
  };
  const truth = isOne(apart, value);
  return typeof truth === 'boolean' ? truth : null;
}
