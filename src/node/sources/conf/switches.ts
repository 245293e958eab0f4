/** Whether each switch of a conf is on to its launcher. */
import { launcherSteps, type Step } from '../../kinds/kaia/launchers.js';
import type { Launcher, Package } from '../../kinds/kaia/names.js';
import { ArithmeticFault, evaluateArithmetic, UnknownOperand } from '../shell/arithmetic.js';
import type { Shell } from '../shell/state.js';
import { isUnknown } from '../shell/value.js';

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
  return equalsOne(shell, value, new Map());
}

function equalsOne(shell: Shell, text: string, written: Map<string, string>): boolean | null {
  try {
    const read = (variable: string) => {
      const content = written.get(variable) ?? shell.look(variable);
      if (isUnknown(content)) throw new UnknownOperand(content.unknown);
      return content;
    };
    const write = (variable: string, content: string) => void written.set(variable, content);
    return evaluateArithmetic(text, { read, write }) === 1n;
  } catch (error) {
    if (error instanceof ArithmeticFault) return false;
    if (error instanceof UnknownOperand) return null;
    throw error;
  }
}
