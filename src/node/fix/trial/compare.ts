/** Compares the states of a file before and after an edit. */
import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../facts/report.js';
import { compareSeverity, type Severity } from '../../facts/severity.js';
import { newlyPrivileged } from '../../judge/settings/module-lists.js';
import { type NodeState, type State, subjectOf } from './state.js';

/**
 * Whether the edit adds no finding, refusal or open question to any node and every node still starts. By `rules`, a
 * finding is not new if its rule already had a finding.
 */
export function isNoWorse(before: State, after: State, by: 'findings' | 'rules' = 'findings'): boolean {
  if (before === null || after === null || before.length !== after.length) return false;
  return before.every((node, at) => nodeIsNoWorse(node, after[at] as NodeState, by));
}

function nodeIsNoWorse(before: NodeState, after: NodeState, by: 'findings' | 'rules'): boolean {
  if (before === after) return true;
  return (
    isDeepStrictEqual(before.name, after.name) &&
    isDeepStrictEqual(before.identity, after.identity) &&
    addsNoPrivileged(before, after) &&
    (after.startable || !before.startable) &&
    areAmong(after.refusals, before.refusals) &&
    areAmong(after.open, before.open) &&
    [...after[by]].every(([name, severities]) => noneIsNew(before[by].get(name), severities))
  );
}

function areAmong(some: readonly unknown[], all: readonly unknown[]): boolean {
  return some.every((one) => all.some((other) => isDeepStrictEqual(one, other)));
}

/** Whether no module list gains a privileged or an unknown module. */
function addsNoPrivileged(before: NodeState, { kind, lists }: NodeState): boolean {
  return Object.entries(lists).every(([flag, values]) =>
    values.every(
      (value, at) =>
        kind === null ||
        value === before.lists[flag]?.[at] ||
        newlyPrivileged(kind, flag, before.lists[flag]?.[at], value).length === 0,
    ),
  );
}

/** Whether there are no more findings than before, and none is more severe. */
function noneIsNew(before: readonly Severity[] = [], after: readonly Severity[]): boolean {
  return after.every((severity, at) => {
    const was = before[at];
    return was !== undefined && compareSeverity(severity, was) >= 0;
  });
}

/** The effect on a finding of one node: `gone`, `eased` to a lower severity, or the `same`. */
export function became(finding: Finding, before: NodeState, after: NodeState): 'gone' | 'eased' | 'same' {
  const [was, is] = [before, after].map(({ findings }) => findings.get(subjectOf(finding)) ?? []);
  if (was === undefined || is === undefined) return 'same';
  if (is.length < was.length) return 'gone';
  const eased = is.some((severity, at) => compareSeverity(severity, was[at] as Severity) > 0);
  return eased ? 'eased' : 'same';
}

/** Whether the nodes start with the same flags and environment; `unknown` if a value cannot be known. */
export function startsAs(before: State, after: State): 'same' | 'changed' | 'unknown' {
  const starts = [before, after].map((state) => (state ?? []).map(({ start }) => start));
  const [was = [], is = []] = starts;
  if ([...was, ...is].includes(null)) return 'unknown';
  return isDeepStrictEqual(was, is) ? 'same' : 'changed';
}
