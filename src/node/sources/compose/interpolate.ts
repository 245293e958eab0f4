/** ${NAME} as compose fills it in: from the .env beside the file, else the default that is written, else unknown. */
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';

const expansion = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])((?:[^${}]|\$\{[^}]*\})*))?\})/g;

/** The text with what is known filled in. */
export function interpolate(text: Placed, variables: ReadonlyMap<string, string>): Placed {
  if (!text.text.includes('$')) return text;
  const parts: Placed[] = [];
  let start = 0;
  for (const match of text.text.matchAll(expansion)) {
    const [all, dollar, bare, braced, operator = '', operand = ''] = match;
    const value = variables.get(bare ?? braced ?? '');
    const at = text.slice(match.index, match.index + all.length);
    parts.push(text.slice(start, match.index));
    start = match.index + all.length;
    if (dollar !== undefined) parts.push(at.as('$'));
    else if (operator.endsWith('+')) parts.push(value ? at.as(operand) : at.as(unfilled));
    else if (value !== undefined && (value !== '' || !operator.startsWith(':'))) parts.push(at.as(value));
    else if (operator.endsWith('-')) {
      const from = match.index + all.length - 1 - operand.length;
      parts.push(interpolate(text.slice(from, from + operand.length), variables));
    } else parts.push(at.as(unfilled));
  }
  return Placed.join([...parts, text.slice(start)]);
}
