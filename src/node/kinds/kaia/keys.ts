/** Which variables of a conf carry flags, and which are switches: derived from what the launchers do with them. */
import type { CarryingVariable, Step } from '../kind.js';
import { launcherSteps } from './launchers.js';
import { type Launcher, launchers, type Package, packages } from './names.js';

type Variables = ReadonlyMap<string, CarryingVariable>;

const scripts = launchers.flatMap((launcher) =>
  packages.map((from) => [`${launcher}/${from}`, launcherSteps(launcher, from)] as const),
);
const byFlag = new Map(
  scripts.map(([name, steps]): [string, Variables] => [name, collect(steps, null, new Map())]),
);
const switchNames = new Map(scripts.map(([name, steps]) => [name, namesIn(steps)]));

/** Flag, without dashes, → the first variable this launcher makes it from. */
export function variablesByFlag(launcher: Launcher, from: Package): Variables {
  return byFlag.get(`${launcher}/${from}`) as Variables;
}

/** The variables that a launcher tests with `-eq 1`. */
export function switchesOf(launcher: Launcher, from: Package): readonly string[] {
  return switchNames.get(`${launcher}/${from}`) as readonly string[];
}

function namesIn(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (!('test' in step)) return [];
    const own = step.test === 'is-one' ? step.variables : [];
    return [...own, ...namesIn(step.yes), ...namesIn(step.no ?? [])];
  });
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
