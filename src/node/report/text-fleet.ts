/** A fleet as text: causes first, then one line for each node, the worst first. */

import { columns, fold } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { interfaceName, type TargetReport, type Targets } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { acceptedCriticals, reachedBy } from './listing.js';
import { countsOf, type RollUp, whichOf, worstFirst } from './roll-up.js';
import type { Paint } from './text-paint.js';

/** Causes, then the nodes, the worst first. */
export async function* fleet(
  targets: Targets,
  all: RollUp,
  width: number,
  paint: Paint,
): AsyncGenerator<string> {
  const { causes, count, nameOf } = all;
  const longest = Math.max(0, ...causes.map(({ rule }) => rule.length));
  const shares = causes.map((cause) => `${countsOf(cause)} of ${count}`);
  const widest = Math.max(0, ...shares.map(({ length }) => length).filter((length) => length <= 24));
  for (const [at, cause] of causes.entries()) {
    const share = shares[at] ?? '';
    const painted = `${countsOf(cause, (one) => paint(one, one))} of ${count}`;
    const head = `${cause.rule.padEnd(longest)}  ${painted}`;
    const room = width - longest - Math.max(widest, share.length) - 5;
    const below = room < 32;
    const names = whichOf(cause, count, (some, total) =>
      fitting(some.map(nameOf), total, (below ? width - 4 : room) - 8),
    );
    yield below
      ? `${head}\n    ${names}\n`
      : `${head}${' '.repeat(Math.max(0, widest - share.length) + 3)}${names}\n`;
  }
  if (causes.length > 0) yield '\n';
  const widestName = all.names.reduce((most, name) => Math.max(most, columns(visible(nameOf(name)))), 0);
  const nameWidth = Math.min(40, widestName) + 2;
  for await (const target of worstFirst(targets, all))
    yield `${nodeLine({ ...target, name: nameOf(target.name) }, nameWidth, width)}\n`;
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

const verdicts = { pass: 'pass', suppressed: 'suppressed', fail: 'fail', undetermined: 'not seen' };

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
  const but =
    accepted === 0
      ? []
      : [target.verdict === 'suppressed' ? `${accepted} critical` : `${accepted} critical suppressed`];
  const listening = target.interfaces.filter((one) => one.state === 'open' && one.transport !== 'ipc');
  const reach = listening.map((one) => `${interfaceName(one)} ${reachedBy(one)}`);
  const tail = [...counts, ...but, ...reach, ...(why === undefined ? [] : [visible(why, 200)])].join('  ');
  const verdict = verdicts[target.verdict].padEnd(12);
  return fold(`${shown}${' '.repeat(nameWidth - columns(shown))}${verdict}${tail}`.trimEnd(), width, 4);
}
