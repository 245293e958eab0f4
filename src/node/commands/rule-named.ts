/** Rules by name. */
import { KaiactlError } from '../../errors.js';
import { closest } from '../../util/closest.js';
import { visible } from '../../util/visible.js';
import type { Rule } from '../judge/rule/rule.js';
import { rules } from '../rules/index.js';

/**
 * The rule with this id or alias. `where` precedes the error.
 * @throws {KaiactlError} on an unknown rule (exit 2)
 */
export function ruleNamed(name: string, where = ''): Rule {
  const rule = rules.find(({ id, aliases }) => id === name || aliases?.includes(name) === true);
  if (rule !== undefined) return rule;
  const near = closest(
    name,
    rules.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  );
  throw new KaiactlError(`${where}there is no rule ${visible(name, 80)}`, {
    hint: near === null ? 'kaiactl node explain lists them.' : `Did you mean ${near}?`,
  });
}

/** The ids of all rules, for completion. */
export const ruleNames: readonly string[] = rules.map(({ id }) => id).sort();
