/** Statements of Jinja2 in the templates of Ansible: conditions that plain variables decide. */
import type { Range } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { mapTree, textTree } from '../yaml/tree.js';
import { decides, type Variables } from './expression.js';

interface Tag extends Range {
  readonly name: string;
  /** What follows the name. */
  readonly rest: Placed;
}

const tag = /\{%[-+]?\s*(\w+)\s*([^%]{0,500}?)\s*[-+]?%\}/g;

/**
 * The text with each `{% if %}` that the variables decide replaced by the branch that Jinja2 prints; the others stay.
 * As `template` does by default, the line break after a statement that is removed goes with it.
 */
export function decide(text: Placed, variables: Variables): Placed {
  const tags = [...text.text.matchAll(tag)].map(({ 0: all, 1: name = '', 2: rest = '', index }): Tag => {
    const from = all.indexOf(rest, all.indexOf(name) + name.length);
    const placed = text.slice(index + from, index + from + rest.length);
    return { name, rest: placed, start: index, end: index + all.length };
  });
  if (tags.every(({ name }) => name !== 'if')) return text;
  const removed = tags.some(({ name }) => name === 'raw')
    ? []
    : removedBy(tags, withoutSet(tags, variables), text);
  const parts: Placed[] = [];
  let at = 0;
  for (const { start, end } of removed) {
    if (start > at) parts.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  return Placed.join([text.slice(0, 0), ...parts, text.slice(at)]);
}

/** The variables, those unknown that the template sets itself. */
function withoutSet(tags: readonly Tag[], variables: Variables): Variables {
  const own = tags.flatMap(({ name, rest }) =>
    /^(?:set|for|with|macro|import|from)$/.test(name)
      ? [...rest.text.matchAll(/[A-Za-z_]\w*/g)].map(([word]) => ({
          key: rest.as(word),
          value: textTree(rest.as(unfilled)),
        }))
      : [],
  );
  const [first] = own;
  return first === undefined ? variables : variables.with(mapTree(first.key.span(), own));
}

/** An open `{% if %}`. `isOff`: what stands here is not printed; null if it cannot be known. */
interface Open {
  /** Branches that are not printed, and decided statements. */
  readonly cuts: Range[];
  isOff: boolean | null;
  /** A branch above is printed; null if that is not certain. */
  taken: boolean | null;
  from: number;
}

/** The ranges that are not printed, in order: branches and the statements around decided ones. */
function removedBy(tags: readonly Tag[], variables: Variables, text: Placed): Range[] {
  const open: Open[] = [];
  const removed: Range[] = [];
  for (const one of tags) {
    const current = open.at(-1);
    if (one.name === 'if') {
      const holds = decides(one.rest, variables);
      open.push({
        cuts: holds === null ? [] : [whole(one, text)],
        isOff: holds === null ? null : !holds,
        taken: holds,
        from: one.start,
      });
    } else if (current !== undefined && /^(?:elif|else|endif)$/.test(one.name)) {
      if (current.isOff === true) current.cuts.push({ start: current.from, end: one.start });
      const holds =
        one.name === 'elif' && current.taken === false ? decides(one.rest, variables) : one.name === 'else';
      const wasDecided = current.taken !== null;
      if (one.name === 'endif') {
        open.pop();
        removed.push(...current.cuts, ...(wasDecided ? [whole(one, text)] : []));
        continue;
      }
      current.from = one.start;
      if (current.taken === true) current.isOff = true;
      else if (wasDecided) [current.isOff, current.taken] = [holds === null ? null : !holds, holds];
      if (wasDecided && holds !== null) current.cuts.push(whole(one, text));
    }
  }
  return removed.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A statement with what it takes along: the line break behind it, and blanks at `{%-` and `-%}`. */
function whole({ start, end }: Tag, { text }: Placed): Range {
  let from = start;
  if (text.startsWith('{%-', start)) while (from > 0 && /\s/.test(text[from - 1] ?? '')) from--;
  const behind = text.slice(end - 3, end) === '-%}' ? /^\s*/ : /^\r?\n?/;
  return { start: from, end: end + (behind.exec(text.slice(end, end + 1000))?.[0].length ?? 0) };
}
