/** Which uses of flags on a command line count. */
import type { Flag } from '../../kinds/kind.js';
import type { Occurrence } from './argv.js';

/**
 * The uses of flags that have an effect. The node looks for --metrics and --prometheus in its arguments, written exactly
 * so (metrics/utils/metrics.go:52-58): --prometheus=false behind one takes nothing back. A list keeps every value.
 */
export function effective(occurrences: readonly Occurrence[]): Occurrence[] {
  const literal = occurrences.filter((one) => one.literal && scanned.has(one.flag.name));
  const counting = occurrences.filter((one) => one.literal || !literal.some(({ flag }) => flag === one.flag));
  const lists = new Map<Flag, Occurrence>();
  for (const one of counting.filter(({ flag }) => flag.type === 'list')) {
    const before = lists.get(one.flag);
    lists.set(one.flag, before === undefined ? one : joined(before, one));
  }
  return [...counting.filter(({ flag }) => flag.type !== 'list'), ...lists.values()];
}

const scanned = new Set(['metrics', 'prometheus']);

function joined(before: Occurrence, next: Occurrence): Occurrence {
  if (before.value === null || next.value === null) {
    return { ...next, value: null, indeterminate: before.indeterminate ?? next.indeterminate };
  }
  return { ...next, value: `${before.value},${next.value}` };
}
