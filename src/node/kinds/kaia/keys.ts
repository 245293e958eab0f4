/** Which variable of a conf carries which flag: read off what the launchers do with them. */
import type { CarryingVariable, Step } from '../kind.js';
import { launcherSteps } from './launchers.js';
import type { Launcher, Package } from './names.js';

type Variables = ReadonlyMap<string, CarryingVariable>;

const known = new WeakMap<readonly Step[], Variables>();

/** Flag, without dashes, → the first variable this launcher makes it from. */
export function variablesByFlag(launcher: Launcher, from: Package): Variables {
  const steps = launcherSteps(launcher, from);
  const map = known.get(steps) ?? collect(steps, null, new Map());
  known.set(steps, map);
  return map;
}

function collect(
  steps: readonly Step[],
  under: string | null,
  found: Map<string, CarryingVariable>,
): Map<string, CarryingVariable> {
  for (const step of steps) {
    if ('emit' in step) addWords(step.emit.split(' '), under, found);
    if (!('test' in step)) continue;
    collect(
      step.yes,
      step.test === 'is-one' || step.test === 'is-any' ? (step.variables[0] ?? null) : null,
      found,
    );
    collect(step.no ?? [], null, found);
  }
  return found;
}

function addWords(
  words: readonly string[],
  under: string | null,
  found: Map<string, CarryingVariable>,
): void {
  for (const [at, word] of words.entries()) {
    const flag = /^--([^=]+)$/.exec(word)?.[1];
    if (flag === undefined || found.has(flag)) continue;
    const name = /^\$(\w+)$/.exec(words[at + 1] ?? '')?.[1];
    if (name !== undefined) found.set(flag, { name, isSwitch: false });
    else if (under !== null) found.set(flag, { name: under, isSwitch: true });
  }
}
