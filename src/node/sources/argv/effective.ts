/** Which uses of flags on a command line count. */
import type { Flag, Kind } from '../../kinds/kind.js';
import type { Occurrence } from './argv.js';

/**
 * The uses of flags that have an effect. A switch that the node looks for as it is written stays on: a later
 * --prometheus=false does not turn it off. A list keeps every value.
 */
export function effective({ flags }: Kind, occurrences: readonly Occurrence[]): Occurrence[] {
  const literal = occurrences.filter((one) => one.literal && flags.literal.has(one.flag.name));
  const counting = occurrences.filter((one) => one.literal || !literal.some(({ flag }) => flag === one.flag));
  const lists = new Map<Flag, Occurrence>();
  for (const one of counting.filter(({ flag }) => flag.type === 'list')) {
    const before = lists.get(one.flag);
    lists.set(one.flag, before === undefined ? one : joined(before, one));
  }
  return [...counting.filter(({ flag }) => flag.type !== 'list'), ...lists.values()];
}

function joined(before: Occurrence, next: Occurrence): Occurrence {
  if (before.value === null || next.value === null) {
    return { ...next, value: null, indeterminate: before.indeterminate ?? next.indeterminate };
  }
  return { ...next, value: `${before.value},${next.value}` };
}
