/** ${NAME} as compose and Dockerfiles expand it. */
import type { Placed } from './placed.js';
import { unfilled } from './placeholders.js';

const expansion = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])((?:[^${}]|\$\{[^}]*\})*))?\})/g;

/** The text with known variables expanded to their values in their places, else to their defaults; without a default the value is unknown. */
export function interpolate(text: Placed, variables: ReadonlyMap<string, Placed>): Placed {
  return text.replace(expansion, (match, at) => {
    const [all, dollar, bare, braced, operator = '', operand = ''] = match;
    const value = variables.get(bare ?? braced ?? '');
    if (dollar !== undefined) return at.as('$');
    if (operator.endsWith('+')) return value?.text ? at.as(operand) : at.as(unfilled);
    if (value !== undefined && (value.text !== '' || !operator.startsWith(':'))) return value;
    if (!operator.endsWith('-')) return at.as(unfilled);
    const end = all.length - 1;
    return interpolate(at.slice(end - operand.length, end), variables);
  });
}
