/** ${NAME} as compose and Dockerfiles expand it. */
import type { Placed } from './placed.js';
import { unfilled } from './placeholders.js';

const expansion = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])|(?=\})))/g;
const brace = /\$\{|\}/g;

/** Of defaults in defaults; a deeper one is unknown. */
const maxDepth = 100;

/** The value of a variable at a place of a text; undefined if it has none. */
type LookUp = (name: string, at: Placed) => Placed | undefined;

/**
 * The text with known variables expanded to their values in their places, else to their defaults.
 * @param unset - the value of a variable without value and default; undefined if it is not known
 */
export function interpolate(text: Placed, lookUp: LookUp, unset: LookUp = () => undefined): Placed {
  const ends = closedBraces(text.text);
  const within = (start: number, end: number, depth: number): Placed => {
    const parts: Placed[] = [];
    let from = start;
    for (const match of text.text.slice(start, end).matchAll(expansion)) {
      const [all, dollar, bare, braced, operator = ''] = match;
      const first = start + match.index;
      const close = braced === undefined ? first + all.length - 1 : ends.get(first);
      if (first < from || close === undefined || close >= end) continue;
      const at = text.slice(first, close + 1);
      const operand = () => (depth < maxDepth ? within(first + all.length, close, depth + 1) : null);
      const expanded =
        dollar === undefined ? settled(bare ?? braced ?? '', at, operator, operand) : at.as('$');
      parts.push(text.slice(from, first), expanded);
      from = close + 1;
    }
    return parts.length === 0 ? text.slice(start, end) : text.joined([...parts, text.slice(from, end)]);
  };
  const settled = (name: string, at: Placed, operator: string, operand: () => Placed | null): Placed => {
    const value = lookUp(name, at);
    if (operator.endsWith('+')) return (value?.text && operand()) || at.as(unfilled);
    if (value !== undefined && (value.text !== '' || !operator.startsWith(':'))) return value;
    const otherwise = operator.endsWith('-') ? operand() : unset(name, at);
    return otherwise ?? at.as(unfilled);
  };
  return within(0, text.text.length, 0);
}

/** Where each `${` of a text is closed, by its place. */
function closedBraces(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: word, index } of text.matchAll(brace)) {
    const opened = word === '}' ? open.pop() : open.push(index);
    if (word === '}' && opened !== undefined) ends.set(opened, index);
  }
  return ends;
}
