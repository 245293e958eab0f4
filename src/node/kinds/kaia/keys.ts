/** Which variables of a conf carry flags, and which are switches: derived from what the launchers do with them. */
import type { CarryingVariable, Step } from '../kind.js';

/** Flag, without dashes → the first variable that a launcher of these steps makes it from. */
export function variablesByFlag(steps: readonly Step[]): ReadonlyMap<string, CarryingVariable> {
  return collect(steps, null, new Map());
}

/** The variables that a launcher of these steps tests with `-eq 1`. */
export function switchesOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (!('test' in step)) return [];
    const own = step.test === 'is-one' ? step.variables : [];
    return [...own, ...switchesOf(step.yes), ...switchesOf(step.no ?? [])];
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
