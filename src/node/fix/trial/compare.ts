/** Compares the states of a file before and after an edit. */
import { type Conf, repairedOf } from '../../facts/facts.js';
import type { Finding } from '../../facts/report.js';
import type { Settings } from '../../facts/settings.js';
import { compareSeverity, type Severity } from '../../facts/severity.js';
import { moduleFlags, newlyPrivileged } from '../../judge/settings/module-lists.js';
import { type NodeState, type State, subjectOf } from './state.js';

/**
 * True when the edit adds no finding, refusal or open question to any node and every node still starts. By `rules`, a
 * finding is not new if its rule already had a finding.
 */
export function isNoWorse(before: State, after: State, by: 'findings' | 'rules' = 'findings'): boolean {
  if (before === null || after === null || before.length !== after.length) return false;
  return before.every((node, at) => nodeIsNoWorse(node, after[at] as NodeState, by));
}

function nodeIsNoWorse(before: NodeState, after: NodeState, by: 'findings' | 'rules'): boolean {
  return (
    before.name === after.name &&
    identity(before) === identity(after) &&
    addsNoPrivileged(before, after) &&
    (after.startable || !before.startable) &&
    after.refusals.every((one) => before.refusals.includes(one)) &&
    [...after.open].every((one) => before.open.has(one)) &&
    [...after[by]].every(([name, severities]) => noneIsNew(before[by].get(name), severities))
  );
}

/** The identity of a node: its network, data folder and key. No fix may change it. */
function identity({ conf, kind }: NodeState): string {
  const { settings } = repairedOf(conf) ?? conf;
  const flags = kind?.flags.identity ?? [];
  return JSON.stringify(flags.map((flag) => settings.values[flag]?.value ?? null));
}

/** True when no module list gains a privileged or an unknown module. */
function addsNoPrivileged(before: NodeState, after: NodeState): boolean {
  const { kind } = after;
  if (kind === null) return true;
  const [was, is] = [before, after].map(({ conf }) => (repairedOf(conf) ?? conf).settings) as [
    Settings,
    Settings,
  ];
  return moduleFlags(kind).every(
    (flag) =>
      newlyPrivileged(kind, flag, was.values[flag]?.value, is.values[flag]?.value).length === 0 &&
      newlyPrivileged(kind, flag, was.keys[flag]?.value, is.keys[flag]?.value).length === 0,
  );
}

/** True when there are no more findings than before, and none is more severe. */
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
  const starts = [before, after].map((state) => (state ?? []).map(({ conf }) => startOf(conf)));
  const [was = [], is = []] = starts;
  if ([...was, ...is].includes(null)) return 'unknown';
  return JSON.stringify(was) === JSON.stringify(is) ? 'same' : 'changed';
}

/**
 * The value of every given flag and exported variable; when the launcher refuses to start, the variables it reads. null
 * when a value cannot be known. Compares values, not words: of a flag given twice the last one wins.
 */
function startOf({ settings: { start, values }, shell }: Conf): string | null {
  const valuesOf = (names: readonly string[] = []) =>
    names.map((name) => [name, shell?.variables[name]] as const);
  const exported = valuesOf(shell?.exported);
  if (start === null) {
    const read = [...valuesOf(shell?.reads), ...exported];
    return shell === null || read.some(([, value]) => value === null) ? null : JSON.stringify(read);
  }
  const unknown =
    start.some(({ text }) => text === null) ||
    Object.values(values).some(({ indeterminate }) => indeterminate !== null) ||
    exported.some(([, value]) => value === null);
  if (unknown) return null;
  const given = Object.entries(values)
    .filter(([, { origin }]) => origin.kind !== 'default')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([given.map(([flag, { value }]) => [flag, value]), exported]);
}
