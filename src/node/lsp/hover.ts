/** The page of a rule, and the value of a setting, as Markdown. */
import type { Position } from 'vscode-languageserver-protocol';
import { type Setting, type Settings, spanOf } from '../facts/settings.js';
import type { Rule } from '../judge/rule/rule.js';
import { rangeOf, touch } from './place.js';

/** What a page says of a rule, or of an open question, which has no examples. */
export type RulePage = Pick<Rule, 'id' | 'title' | 'why' | 'fix'> & {
  readonly ignore?: string;
  /** Texts of examples. */
  readonly bad?: string;
  readonly good?: string;
};

/** `href`: the page with the same text and its sources. */
export function ruleMarkdown({ id, title, why, fix, ignore, bad, good }: RulePage, href: string): string {
  return [
    `**[${id}](${href})** ${prose(title)}`,
    prose(why),
    `**Fix.** ${prose(fix)}`,
    ...(bad === undefined ? [] : [`Bad:\n\n${fence(bad)}`]),
    ...(good === undefined ? [] : [`Good:\n\n${fence(good)}`]),
    ...(ignore === undefined ? [] : [`**When to ignore.** ${prose(ignore)}`]),
  ].join('\n\n');
}

/** Escapes Markdown except code spans and links. */
function prose(text: string): string {
  return text.replace(/[<*_|]/g, '\\$&');
}

/** A code block that the text cannot end. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text.trimEnd()}\n${fence}`;
}

/** The settings that are written at a position, else on its line; those that another place overrides too. */
export function settingsAt({ values }: Settings, file: string, position: Position): [string, Setting][] {
  const here = Object.entries(values).flatMap(([name, setting]) => {
    const origins = [setting.origin, ...setting.shadowed.map((one) => one.origin)];
    const ranges = origins.flatMap((origin) => {
      const at = spanOf(origin);
      return at === null || at.file !== file ? [] : [rangeOf(at)];
    });
    const isOnLine = ranges.some(
      ({ start, end }) => start.line <= position.line && position.line <= end.line,
    );
    const isAt = ranges.some((range) => touch(range, { start: position, end: position }));
    return isOnLine ? [{ row: [name, setting] satisfies [string, Setting], isAt }] : [];
  });
  const exact = here.filter(({ isAt }) => isAt);
  return (exact.length > 0 ? exact : here).map(({ row }) => row);
}
