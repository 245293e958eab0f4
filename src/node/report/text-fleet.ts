/** Many nodes at once: causes first, then one line a node. */

import { columns } from '../../terminal/columns.js';
import { fold } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { Report, TargetReport } from '../facts/report.js';
import { compareSeverity, type Severity, severities } from '../facts/severity.js';
import { acceptedCriticals, reachedBy } from './listing.js';
import type { Paint } from './text-paint.js';

interface Cause {
  readonly rule: string;
  readonly severity: Severity;
  readonly nodes: readonly string[];
}

/** Causes, most severe and most frequent first; then the nodes in their order. */
export function fleet(report: Report, width: number, paint: Paint): string {
  const names = report.targets.map(({ name }) => visible(name));
  const causes = causesOf(report);
  const longest = Math.max(0, ...causes.map(({ rule }) => rule.length));
  const lines = causes.map(({ rule, severity, nodes }) => {
    const share = `${nodes.length} of ${names.length}`.padStart(String(names.length).length * 2 + 4);
    const head = `${paint(severity, severity)}${' '.repeat(9 - severity.length)}${rule.padEnd(longest)}  ${share}   `;
    const room = width - longest - share.length - 14;
    return room < 20
      ? `${head.trimEnd()}\n    ${naming(nodes, names, width - 4)}`
      : head + naming(nodes, names, room);
  });
  const name = Math.min(40, Math.max(...names.map(columns))) + 2;
  const nodes = report.targets.map((target) => nodeLine(target, name, width));
  return [...(lines.length === 0 ? [] : [lines.join('\n')]), nodes.join('\n')].join('\n\n');
}

function causesOf({ targets }: Report): Cause[] {
  const causes = new Map<string, { rule: string; severity: Severity; nodes: string[] }>();
  for (const { name, findings } of targets) {
    for (const { rule, severity, suppressed } of findings) {
      if (suppressed !== null) continue;
      const cause = causes.get(rule) ?? { rule, severity, nodes: [] };
      if (compareSeverity(severity, cause.severity) < 0) cause.severity = severity;
      if (cause.nodes.at(-1) !== visible(name)) cause.nodes.push(visible(name));
      causes.set(rule, cause);
    }
  }
  return [...causes.values()].sort(
    (a, b) =>
      compareSeverity(a.severity, b.severity) ||
      b.nodes.length - a.nodes.length ||
      (a.rule < b.rule ? -1 : 1),
  );
}

/** The few: those that have it, or those that do not. */
function naming(having: readonly string[], all: readonly string[], room: number): string {
  if (having.length === all.length) return 'all';
  const lacking = all.filter((name) => !having.includes(name));
  if (lacking.length < having.length) return `all but ${fitting(lacking, room - 8)}`;
  return fitting(having, room);
}

function fitting(names: readonly string[], room: number): string {
  let text = '';
  const longest = Math.max(12, room - 12);
  for (const [at, whole] of names.entries()) {
    const name = columns(whole) > longest ? `${whole.slice(0, longest - 1)}…` : whole;
    const rest = names.length - at;
    if (at > 0 && columns(text) + columns(name) + 1 > room - 9) return `${text} and ${rest} more`;
    text += `${text === '' ? '' : ' '}${name}`;
  }
  return text;
}

const verdicts = { pass: 'pass', fail: 'fail', undetermined: 'not seen' };

function nodeLine(target: TargetReport, nameWidth: number, width: number): string {
  const name = visible(target.name, 400);
  const shown = columns(name) > nameWidth - 2 ? `…${name.slice(3 - nameWidth)}` : name;
  const counts = severities
    .map(
      (one) =>
        [target.findings.filter((f) => f.severity === one && f.suppressed === null).length, one] as const,
    )
    .filter(([number]) => number > 0)
    .map(([number, one]) => `${number} ${one}`);
  const [first] = target.undetermined;
  const why =
    first === undefined ? undefined : first.about === null ? first.reason : `${first.about}: ${first.reason}`;
  const accepted = acceptedCriticals(target).length;
  const but = accepted === 0 ? [] : [`${accepted} critical suppressed`];
  const open = target.interfaces.filter((one) => one.state === 'open' && one.transport !== 'ipc');
  const reach = open.map((one) => `${one.transport} ${reachedBy(one)}`);
  const tail = [...counts, ...but, ...reach, ...(why === undefined ? [] : [visible(why, 200)])].join('  ');
  const verdict = verdicts[target.verdict].padEnd(10);
  return fold(`${shown}${' '.repeat(nameWidth - columns(shown))}${verdict}${tail}`.trimEnd(), width, 4);
}
