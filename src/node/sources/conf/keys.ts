/** What a conf says of each flag, by the variable its launcher makes it from. */
import { groupBy } from '../../../util/group-by.js';
import type { Key } from '../../facts/settings.js';
import type { Shell } from '../../facts/shell.js';
import type { CarryingVariable } from '../../kinds/kind.js';

/** What the file says of each flag by the variable its launcher makes it from. */
export function keysOf(
  shell: Shell,
  variables: ReadonlyMap<string, CarryingVariable>,
  text: string,
): Record<string, Key> {
  const byName = groupBy(
    shell.assignments.filter(({ effective }) => effective),
    ({ variable }) => variable,
  );
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
