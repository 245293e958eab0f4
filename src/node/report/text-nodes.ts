/** Several nodes of an audit: one line each, the worst first, and on a terminal the findings that fit below. */
import { columns, fold, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { Finding, TargetReport } from '../facts/report.js';
import { compareSeverity, severities } from '../facts/severity.js';
import { findingBlock, layoutFor } from './text-finding.js';
import type { Paint } from './text-paint.js';

const maxName = 36;
/** Narrower terminals break a line instead of cutting it. */
const narrow = 60;

/** `3 nodes, the worst first`, and one line a node: its worst finding, its name, who runs it, and its findings. */
export function nodeList(targets: readonly TargetReport[], width: number, paint: Paint): string {
  const rows = targets.map((target) => {
    const [worst] = openIn(target).map(({ severity }) => severity);
    const state = target.verdict === 'undetermined' && worst === undefined ? 'not seen' : target.verdict;
    return { target, worst, state: worst ?? state, name: visible(target.name, 400) };
  });
  const widest = Math.max(...rows.map(({ name }) => columns(name)));
  const nameWidth = Math.min(maxName, widest);
  const stateWidth = Math.max(...rows.map(({ state }) => state.length));
  const lines = rows.map(({ target, worst, state, name }) => {
    const shown = columns(name) > nameWidth ? `…${name.slice(1 - nameWidth)}` : name;
    const label = worst === undefined ? state : paint(worst, state);
    const rest = `${shown}${' '.repeat(nameWidth - columns(shown))}  ${details(target)}`.trimEnd();
    const pad = ' '.repeat(stateWidth - state.length + 2);
    const room = width - stateWidth - 2;
    if (width >= narrow)
      return `${label}${pad}${columns(rest) > room ? `${rest.slice(0, room - 1)}…` : rest}`;
    return `${fold(`${label}${pad}${name}`, width, 4)}\n${wrap(details(target), width, 4, 4)}`;
  });
  return [`${count(targets.length, 'node')}, the worst first`, ...lines].join('\n');
}

/** `kend.service · ken /var/kend/data · user kaia · 1 critical, 2 high`; what the name says already is left out. */
function details(target: TargetReport): string {
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
  const parts = [
    ...own,
    process?.user == null ? '' : `user ${process.user}`,
    counts.join(', '),
    undetermined.length === 0 ? '' : `${count(undetermined.length, 'check')} not seen`,
  ];
  return visible(parts.filter((part) => part !== '').join(' · '), 400);
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
): string {
  const all = targets
    .flatMap((target) => openIn(target).map((finding): Open => ({ target, finding })))
    .sort((a, b) => compareSeverity(a.finding.severity, b.finding.severity));
  const lines: string[] = [];
  let shown = 0;
  let heading: TargetReport | null = null;
  for (const { target, finding } of all) {
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
    const cut = columns(line) > room ? `${line.slice(0, room - 1)}…` : line;
    lines.push(`${paint(severity, severity)}${' '.repeat(9 - severity.length)}${cut}`);
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
