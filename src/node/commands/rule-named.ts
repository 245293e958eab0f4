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

/** An open question with the name of a rule: it has no finding, so its target is undetermined. */
export const unfollowedStart = {
  id: 'unfollowed-start',
  title: 'A file starts a node in a way that is not followed.',
  why: 'kaiactl runs nothing. What a program, an edited launcher or a computed value starts is not known, so the target is undetermined (exit 3), never a pass.',
  fix: 'Pass the node’s command with --command-line, its conf as a file, or the rendered file on stdin.',
  sources: ['docs/not-followed.md'],
} as const;

/** The ids of all rules, and of the open question, for completion. */
export const ruleNames: readonly string[] = [...rules.map(({ id }) => id), unfollowedStart.id].sort();
