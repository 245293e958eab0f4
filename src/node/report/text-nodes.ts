/** Several nodes of an audit: one line each, the worst first, and on a terminal the findings that fit below. */
import { columns, fold, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count, joinWords } from '../../util/words.js';
import { interfaceName, type TargetReport, type Targets } from '../facts/report.js';
import { compareSeverity, type FailOn, isWhole, type Severity, severities } from '../facts/severity.js';
import { isMinor, minorOf } from './causes.js';
import { asides, mayBeOff, reachedBy, saidTogether } from './listing.js';
import { openIn } from './roll-up.js';
import { findingBlock, layoutFor, narrow } from './text-finding.js';
import type { Paint } from './text-paint.js';

const maxName = 36;

/** How rows are written: the columns that they may take, and --fail-on for targets without their own. */
interface Rows {
  readonly width: number;
  readonly paint: Paint;
  readonly failOn: FailOn;
  /** `nodes` or `targets`. */
  readonly noun: string;
  /** Every node has a row. */
  readonly each?: boolean;
}

/** More nodes than these are a fleet: its report is short, and alike nodes share a row. */
export const maxListed = 100;

/** Rows of a fleet, and names in each. */
const maxRows = 20;
const maxNames = 3;

interface Group {
  readonly row: NodeRow;
  /** The first ones. */
  readonly names: string[];
  count: number;
}

/**
 * One row a node, in their order: its worst finding, its name, who runs it, and its findings. Nodes that did not answer share one.
 * In a fleet alike nodes share a row too, and rows beyond the first are counted.
 */
export async function nodeRows(
  targets: Targets,
  names: readonly string[],
  { width, paint, failOn, noun, each = false }: Rows,
): Promise<string[]> {
  const isFleet = !each && names.length > maxListed;
  const groups = new Map<string, Group>();
  const left = new Map<string, number>();
  for await (const target of targets) {
    const row = rowOf(target, failOn);
    const silent = !each && isSilent(target);
    const name = silent || isFleet ? '' : row.name;
    const key = [silent, each ? groups.size : name, row.state, row.details].join('\0');
    const group = groups.get(key) ?? { row, names: [], count: 0 };
    if (isFleet && groups.size >= maxRows && !groups.has(key) && !silent)
      left.set(row.state, (left.get(row.state) ?? 0) + 1);
    else groups.set(key, group);
    group.count += 1;
    if (group.names.length <= maxNames && !group.names.includes(row.name)) group.names.push(row.name);
  }
  const write = rowWriter(names, width, paint);
  const text = ({ row, names: [name = '', ...others], count: same }: Group): string => {
    if (same === 1) return write(row);
    if (others.length === 0)
      return write({ ...row, details: `${row.details} · and ${same - 1} more like this` });
    const first = [name, ...others].slice(0, maxNames);
    const shown = joinWords(same > first.length ? [...first, `${same - first.length} more`] : first);
    return write({
      ...row,
      name: `${same} of ${names.length} ${noun}`,
      details: `${row.details} · ${shown}`,
    });
  };
  const rows = [...groups.values()].map(text);
  const counts = [...left].map(([state, number]) => `${number} ${state}`).join(', ');
  if (counts !== '') rows.push(wrap(`and ${counts}: --verbose lists them`, width, stateWidth, stateWidth));
  return rows;
}

/** Whether the node answered on no interface. */
export function isSilent({ interfaces, findings }: TargetReport): boolean {
  const isDown = interfaces.every(({ state }) => state === 'refused' || state === 'unreachable');
  return interfaces.length > 0 && isDown && findings.length === 0;
}

interface NodeRow {
  readonly worst: Severity | null;
  readonly state: string;
  readonly name: string;
  readonly details: string;
}

function rowOf(target: TargetReport, failOn: FailOn): NodeRow {
  const found = openIn(target);
  const worst = severities.find((one) => found.some(({ severity }) => severity === one)) ?? null;
  const state = worst ?? (target.verdict === 'undetermined' ? 'not seen' : target.verdict);
  return { worst, state, name: visible(target.name, 400), details: details(target, isMinor(target, failOn)) };
}

function rowWriter(names: readonly string[], width: number, paint: Paint): (row: NodeRow) => string {
  const widest = names.reduce((most, name) => Math.max(most, columns(visible(name, 400))), 0);
  const nameWidth = Math.min(Math.max(maxName, Math.floor(width * 0.4)), widest);
  return ({ worst, state, name, details }) => {
    const label = (worst === null ? state : paint(worst, state)) + ' '.repeat(stateWidth - state.length);
    if (width < narrow) {
      const below = wrap(details, width, 4, 4);
      return `${fold(`${label}${shortened(name, width - 4)}`, width, 4)}\n${below}`.trimEnd();
    }
    const shown = shortened(name, Math.max(nameWidth, minName));
    const line = `${shown}${' '.repeat(Math.max(0, nameWidth - columns(shown)))}  ${details}`.trimEnd();
    const whole = fold(`${state.padEnd(stateWidth)}${line}`, width, stateWidth + 2);
    return label + whole.slice(stateWidth);
  };
}

/** Columns in which `280 of 300 targets` is not cut. */
const minName = 24;

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
  const open = openIn(target);
  const counts = severities
    .map((one) => [open.filter(({ severity }) => severity === one).length, one] as const)
    .filter(([number]) => number > 0)
    .map(([number, one]) => `${number} ${one}`);
  const folder = process == null ? '' : `${process.program} ${process.dataDir ?? ''}`.trim();
  const own = [process?.container ?? process?.unit, folder].filter(
    (one) => one != null && !name.includes(one),
  );
  const shown = target.interfaces
    .filter(({ transport, state }) => transport !== 'ipc' && (state === 'open' || state === 'not-checked'))
    .filter(({ reach, reachVia }) => reach !== undefined || reachVia !== undefined);
  const reachOf = (all: typeof shown) =>
    all.map((one) => `${interfaceName(one)} ${reachedBy(one)}`).join(', ');
  const perhaps = reachOf(shown.filter(mayBeOff));
  const why = isSilent(target)
    ? target.interfaces.map((one) => `${interfaceName(one)} ${one.state}`).join(', ')
    : '';
  const isUnread = undetermined.length === 1 && undetermined[0]?.rule === 'gather';
  const parts = [
    ...own,
    process?.user == null ? '' : `user ${process.user}`,
    minor ? minorOf(target) : counts.join(', '),
    ...asides(target),
    why,
    isUnread
      ? (undetermined[0]?.reason ?? '')
      : undetermined.length === 0
        ? ''
        : `${count(undetermined.length, 'check')} not seen`,
    reachOf(shown.filter((one) => !mayBeOff(one))),
    perhaps === '' ? '' : `may be on: ${perhaps}`,
  ];
  return visible(parts.filter((part) => part !== '').join(' · '), 2_000);
}

/**
 * The most severe findings of these targets, the worst first, in at most `height` lines: whole ones while there is room,
 * then with their fix alone, then how many are left. None that is left is more severe than one that is shown.
 */
export function findingsThatFit(
  targets: readonly TargetReport[],
  height: number,
  width: number,
  paint: Paint,
  failOn: FailOn = 'high',
): string {
  const all = targets
    .flatMap((target) => saidTogether(target.findings).map(({ finding }) => ({ target, finding })))
    .sort((a, b) => compareSeverity(a.finding.severity, b.finding.severity));
  const lines: string[] = [];
  let shown = 0;
  let heading = targets.length === 1 ? targets[0] : undefined;
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
    const { severity, rule, subject, fix } = finding;
    const said = `${severity.padEnd(9)}${rule}  ${subject}  ${target.name}. Fix: ${fix}`;
    const whole = fold(visible(said, 600), width, 9).slice(severity.length);
    const own = `${paint(severity, severity)}${whole}`.split('\n');
    if (lines.length + own.length > height - 1) break;
    lines.push(...own);
    shown += 1;
  }
  if (lines.at(-1) === '') lines.pop();
  const left = targets.reduce((sum, one) => sum + openIn({ findings: one.findings }).length, 0) - shown;
  const more = left === 0 ? 'interfaces and what was not seen' : `${count(left, 'more finding')}`;
  return [...lines, wrap(`${more}: --verbose shows everything.`, width, 0, 0)].join('\n');
}
