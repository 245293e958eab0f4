/** A fleet as text: causes first, then one line for each node. */

import { columns, fold } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { TargetReport, Targets } from '../facts/report.js';
import { compareSeverity, severities } from '../facts/severity.js';
import { acceptedCriticals, reachedBy } from './listing.js';
import type { Cause, RollUp } from './roll-up.js';
import type { Paint } from './text-paint.js';

/** Causes, most severe and most frequent first; then the nodes in their order. */
export async function* fleet(
  targets: Targets,
  all: RollUp,
  width: number,
  paint: Paint,
): AsyncGenerator<string> {
  const causes = [...all.causes].sort(byWeight);
  const longest = Math.max(0, ...causes.map(({ rule }) => rule.length));
  for (const cause of causes) yield `${causeLine(cause, all.count, longest, width, paint)}\n`;
  if (causes.length > 0) yield '\n';
  const nameWidth = Math.min(40, all.nameColumns) + 2;
  for await (const target of targets) yield `${nodeLine(target, nameWidth, width)}\n`;
}

function byWeight(a: Cause, b: Cause): number {
  return compareSeverity(a.severity, b.severity) || b.count - a.count || (a.rule < b.rule ? -1 : 1);
}

function causeLine(cause: Cause, of: number, longest: number, width: number, paint: Paint): string {
  const { rule, severity, count } = cause;
  const share = `${count} of ${of}`.padStart(String(of).length * 2 + 4);
  const head = `${paint(severity, severity)}${' '.repeat(9 - severity.length)}${rule.padEnd(longest)}  ${share}   `;
  const room = width - longest - share.length - 14;
  return room < 20
    ? `${head.trimEnd()}\n    ${naming(cause, of, width - 4)}`
    : head + naming(cause, of, room);
}

/** Names the targets with the finding or those without it, whichever are fewer. */
function naming({ count, having, lacking }: Cause, of: number, room: number): string {
  if (count === of) return 'all';
  if (of - count < count) return `all but ${fitting(lacking, of - count, room - 8)}`;
  return fitting(having, count, room);
}

/** The first of `count` names that fit into `room` columns. */
function fitting(names: readonly string[], count: number, room: number): string {
  let text = '';
  const longest = Math.max(12, room - 12);
  for (const [at, one] of names.entries()) {
    const whole = visible(one);
    const name = columns(whole) > longest ? `${whole.slice(0, longest - 1)}…` : whole;
    if (at > 0 && columns(text) + columns(name) + 1 > room - 9) return `${text} and ${count - at} more`;
    text += `${text === '' ? '' : ' '}${name}`;
  }
  return text;
}

/** One line a node, long names cut. */
export function nodeLines(targets: readonly TargetReport[], width: number): string {
  const nameWidth = Math.min(40, Math.max(0, ...targets.map(({ name }) => columns(visible(name))))) + 2;
  return targets.map((target) => `${nodeLine(target, nameWidth, width)}\n`).join('');
}

const verdicts = { pass: 'pass', fail: 'fail', undetermined: 'not seen' };

function nodeLine(target: TargetReport, nameWidth: number, width: number): string {
  const name = visible(target.name, 400);
  const shown = columns(name) > nameWidth - 2 ? `…${name.slice(3 - nameWidth)}` : name;
  const open = [...target.findings.filter(({ suppressed }) => suppressed === null), ...(target.shared ?? [])];
  const counts = severities
    .map((one) => [open.filter(({ severity }) => severity === one).length, one] as const)
    .filter(([number]) => number > 0)
    .map(([number, one]) => `${number} ${one}`);
  const [first] = target.undetermined;
  const why =
    first === undefined ? undefined : first.about === null ? first.reason : `${first.about}: ${first.reason}`;
  const accepted = acceptedCriticals(target).length;
  const but = accepted === 0 ? [] : [`${accepted} critical suppressed`];
  const listening = target.interfaces.filter((one) => one.state === 'open' && one.transport !== 'ipc');
  const reach = listening.map((one) => `${one.transport} ${reachedBy(one)}`);
  const tail = [...counts, ...but, ...reach, ...(why === undefined ? [] : [visible(why, 200)])].join('  ');
  const verdict = verdicts[target.verdict].padEnd(10);
  return fold(`${shown}${' '.repeat(nameWidth - columns(shown))}${verdict}${tail}`.trimEnd(), width, 4);
}
