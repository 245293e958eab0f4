/** ${NAME} as compose and Dockerfiles expand it. */
import type { Placed } from './placed.js';
import { unfilled } from './placeholders.js';

const expansion = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])((?:[^${}]|\$\{[^}]*\})*))?\})/g;

/** The value of a variable at a place of a text; undefined: it has none. */
type LookUp = (name: string, at: Placed) => Placed | undefined;

/**
 * The text with known variables expanded to their values in their places, else to their defaults.
 * @param unset - the value of a variable without value and default; undefined: it is not known
 */
export function interpolate(text: Placed, lookUp: LookUp, unset: LookUp = () => undefined): Placed {
  return text.replace(expansion, (match, at) => {
    const [all, dollar, bare, braced, operator = '', operand = ''] = match;
    if (dollar !== undefined) return at.as('$');
    const name = bare ?? braced ?? '';
    const value = lookUp(name, at);
    if (operator.endsWith('+')) return value?.text ? at.as(operand) : at.as(unfilled);
    if (value !== undefined && (value.text !== '' || !operator.startsWith(':'))) return value;
    if (!operator.endsWith('-')) return unset(name, at) ?? at.as(unfilled);
    const end = all.length - 1;
    return interpolate(at.slice(end - operand.length, end), lookUp, unset);
  });
}
