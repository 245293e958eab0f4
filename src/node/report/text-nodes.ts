/** Several nodes of an audit: one line each, the worst first, and on a terminal the findings that fit below. */
import { columns, cut, fold, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { type Finding, interfaceName, type TargetReport } from '../facts/report.js';
import { compareSeverity, type FailOn, isWhole, severities } from '../facts/severity.js';
import { isMinor, minorOf } from './causes.js';
import { asides, reachedBy } from './listing.js';
import { findingBlock, layoutFor, narrow } from './text-finding.js';
import type { Paint } from './text-paint.js';

const maxName = 36;

/** `3 nodes, the worst first`, and one line a node: its worst finding, its name, who runs it, and its findings. */
export function nodeList(
  targets: readonly TargetReport[],
  width: number,
  paint: Paint,
  failOn: FailOn = 'high',
): string {
  const line = nodeLines(
    targets.map(({ name }) => name),
    width,
    paint,
  );
  return [
    `${count(targets.length, 'node')}, the worst first`,
    ...targets.map((one) => line(one, failOn)),
  ].join('\n');
}

/** The line of one of the nodes with these names; `failOn`: for a target without its own. */
export function nodeLines(
  names: readonly string[],
  width: number,
  paint: Paint,
): (target: TargetReport, failOn?: FailOn) => string {
  const widest = names.reduce((most, name) => Math.max(most, columns(visible(name, 400))), 0);
  const nameWidth = Math.min(Math.max(maxName, Math.floor(width * 0.4)), widest);
  return (target, failOn = 'high') => {
    const [worst] = openIn(target).map(({ severity }) => severity);
    const state = worst ?? (target.verdict === 'undetermined' ? 'not seen' : target.verdict);
    const name = visible(target.name, 400);
    const label = (worst === undefined ? state : paint(worst, state)) + ' '.repeat(stateWidth - state.length);
    const minor = isMinor(target, failOn);
    if (width < narrow) {
      const below = wrap(details(target, minor), width, 4, 4);
      return `${fold(`${label}${shortened(name, width - 4)}`, width, 4)}\n${below}`.trimEnd();
    }
    const shown = shortened(name, nameWidth);
    const start = `${shown}${' '.repeat(nameWidth - columns(shown))}  `;
    const line = `${start}${details(target, minor)}`.trimEnd();
    const whole = fold(`${state.padEnd(stateWidth)}${line}`, width, stateWidth + 2);
    return label + whole.slice(stateWidth);
  };
}

/** The end of a longer name, behind its machine if a merged report names that: `en-1: …end/conf/kend.conf`. */
function shortened(name: string, width: number): string {
  if (columns(name) <= width) return name;
  const machine = /^[^/\s:]{1,20}: (?=\/)/.exec(name)?.[0] ?? '';
  return `${machine}…${name.slice(1 + machine.length - width)}`;
}

const stateWidth = 'suppressed'.length + 2;

/**
 * `kend.service · ken /var/kend/data · user kaia · 1 critical, 2 high`; what the name says already is left out. The findings
 * of a `minor` target are named.
 */
function details(target: TargetReport, minor: boolean): string {
  const { name, process, undetermined } = target;
  const open = [...openIn(target), ...(target.shared ?? [])];
  const counts = severities
    .map((one) => [open.filter(({ severity }) => severity === one).length, one] as const)
    .filter(([number]) => number > 0)
    .map(([number, one]) => `${number} ${one}`);
  const folder = process == null ? '' : `${process.program} ${process.dataDir ?? ''}`.trim();
  const own = [process?.container ?? process?.unit, folder].filter(
    (one) => one != null && !name.includes(one),
  );
  const reach = target.interfaces
    .filter(({ transport, state }) => transport !== 'ipc' && (state === 'open' || state === 'not-checked'))
    .filter(({ reach, reachVia }) => reach !== undefined || reachVia !== undefined)
    .map((one) => `${interfaceName(one)} ${reachedBy(one)}`);
  const silent = target.interfaces.every(({ state }) => state === 'refused' || state === 'unreachable');
  const why = silent ? target.interfaces.map((one) => `${interfaceName(one)} ${one.state}`).join(', ') : '';
  const parts = [
    ...own,
    process?.user == null ? '' : `user ${process.user}`,
    minor ? minorOf(target) : counts.join(', '),
    ...asides(target),
    why,
    unseenReason(target) ??
      (undetermined.length === 0 ? '' : `${count(undetermined.length, 'check')} not seen`),
    reach.join(', '),
  ];
  return visible(parts.filter((part) => part !== '').join(' · '), 2_000);
}

/** Why nothing of the target could be gathered; null: something was. */
function unseenReason({ undetermined: [first, ...others] }: TargetReport): string | null {
  return first?.rule === 'gather' && others.length === 0 ? first.reason : null;
}

interface Open {
  readonly target: TargetReport;
  readonly finding: Finding;
}

/**
 * The most severe findings of these targets, the worst first, in at most `height` lines: whole ones while there is room,
 * then one line each, then how many are left. None that is left is more severe than one that is shown.
 */
export function findingsThatFit(
  targets: readonly TargetReport[],
  height: number,
  width: number,
  paint: Paint,
  failOn: FailOn = 'high',
): string {
  const all = targets
    .flatMap((target) => openIn(target).map((finding): Open => ({ target, finding })))
    .sort((a, b) => compareSeverity(a.finding.severity, b.finding.severity));
  const lines: string[] = [];
  let shown = 0;
  let heading: TargetReport | null = null;
  for (const { target, finding } of all) {
    if (!isWhole(finding, target.failOn ?? failOn)) break;
    const block = findingBlock(finding, width, layoutFor(width, [finding]), paint).split('\n');
    const own = [...(target === heading ? [] : [visible(target.name, width)]), ...block, ''];
    if (lines.length + own.length > height - 1) break;
    lines.push(...own);
    heading = target;
    shown += 1;
  }
  for (const { target, finding } of all.slice(shown)) {
    const { severity, rule, subject } = finding;
    const line = `${rule}  ${visible(subject, 200)}  ${visible(target.name, 200)}`;
    const room = width - 9;
    if (lines.length + 1 > height - 1) break;
    lines.push(`${paint(severity, severity)}${' '.repeat(9 - severity.length)}${cut(line, room)}`);
    shown += 1;
  }
  if (lines.at(-1) === '') lines.pop();
  const left = all.length - shown;
  const more = left === 0 ? 'interfaces and what was not seen' : `${count(left, 'more finding')}`;
  return [...lines, wrap(`${more}: --verbose shows everything.`, width, 0, 0)].join('\n');
}

/** Findings that are not suppressed, the most severe first. */
function openIn({ findings }: TargetReport): Finding[] {
  return findings
    .filter(({ suppressed }) => suppressed === null)
    .sort((a, b) => compareSeverity(a.severity, b.severity));
}
