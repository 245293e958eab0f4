/** The assignments of a conf: which decide a value, and those of one variable. */
import type { Assignment } from '../../facts/shell.js';
import type { Shell as ShellState } from '../shell/state.js';
import type { LineIndex } from '../text/line-index.js';

/** Marks which assignments decide a variable's final value: the last one, those it appends to, and any that may. */
export function settledAssignments(shell: ShellState, lineIndex: LineIndex): Assignment[] {
  const list = shell.journal.assignments.map((one) => ({
    ...one,
    at: lineIndex.span(one.at),
    valueAt: lineIndex.span(one.valueAt),
  }));
  const settled = new Set<string>();
  for (const one of list.toReversed()) {
    const counts = one.effective && !settled.has(one.variable);
    one.effective = counts;
    if (counts && one.kind !== 'append' && !one.conditional) settled.add(one.variable);
  }
  return list;
}
