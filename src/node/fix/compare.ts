/** Whether a change of a file may be shown as a fix: nothing but what it is for is different, and nothing is worse. */
import type { Conf } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import type { Settings } from '../facts/settings.js';
import { compareSeverity, type Severity } from '../facts/severity.js';
import { moduleFlags, newlyPrivileged } from '../judge/settings/module-lists.js';
import { type NodeState, type State, subjectOf } from './state.js';

/**
 * True when no node has a finding, a refusal or an open question that it has not now, and none that starts stops. By
 * `rules` a finding is not new where its rule finds something now.
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

/** What makes a node this node: its network, its folder and its key. No fix changes that. */
function identity({ conf: { settings } }: NodeState): string {
  const flags = ['networkid', 'mainnet', 'kairos', 'datadir', 'nodekey', 'nodekeyhex'];
  return JSON.stringify(flags.map((flag) => settings.values[flag]?.value ?? null));
}

/** True when no module list gains a privileged or an unknown module. */
function addsNoPrivileged(before: NodeState, after: NodeState): boolean {
  const [was, is] = [before, after].map(({ conf }) => conf.settings) as [Settings, Settings];
  return moduleFlags(is).every(
    (flag) =>
      newlyPrivileged(is, flag, was.values[flag]?.value, is.values[flag]?.value).length === 0 &&
      newlyPrivileged(is, flag, was.keys[flag]?.value, is.keys[flag]?.value).length === 0,
  );
}

/** As many at most, and none more severe. */
function noneIsNew(before: readonly Severity[] = [], after: readonly Severity[]): boolean {
  return after.every((severity, at) => {
    const was = before[at];
    return was !== undefined && compareSeverity(severity, was) >= 0;
  });
}

/** What became of a finding of one node: it is `gone`, `eased` to a lower severity, or still there. */
export function became(finding: Finding, before: NodeState, after: NodeState): 'gone' | 'eased' | 'same' {
  const [was, is] = [before, after].map(({ findings }) => findings.get(subjectOf(finding)) ?? []);
  if (was === undefined || is === undefined) return 'same';
  if (is.length < was.length) return 'gone';
  const eased = is.some((severity, at) => compareSeverity(severity, was[at] as Severity) > 0);
  return eased ? 'eased' : 'same';
}

/** Whether the nodes are started with the same; `unknown` where that depends on what cannot be known. */
export function startsAs(before: State, after: State): 'same' | 'changed' | 'unknown' {
  const starts = [before, after].map((state) => (state ?? []).map(({ conf }) => startOf(conf)));
  const [was = [], is = []] = starts;
  if ([...was, ...is].includes(null)) return 'unknown';
  return JSON.stringify(was) === JSON.stringify(is) ? 'same' : 'changed';
}

/**
 * The value of every flag that is given, and what is exported to the node; where the launcher refuses to start, the
 * variables that it reads. null: not all of it can be known. Of a flag given twice the last one counts, so that the
 * words themselves may differ.
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
