/** Text for people: the place, the source line, the consequence, the fix. 80 columns in a file or a pipe. */
import { columns, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { ReportStream, RuleInfo, TargetReport } from '../facts/report.js';
import { compareSeverity, severities } from '../facts/severity.js';
import { logLines } from './escape.js';
import { fewNodes, type RenderOptions } from './format.js';
import { asides, isLive, rulePage } from './listing.js';
import { type RollUp, rollUp, verdictOf, worstFirst } from './roll-up.js';
import { findingBlock, layoutFor } from './text-finding.js';
import { fleet } from './text-fleet.js';
import { auditHeader, driftTable, headerOf } from './text-header.js';
import { findingsThatFit, nodeList } from './text-nodes.js';
import type { Paint } from './text-paint.js';

/** Renders the report. `paint` colours the severities. */
export async function* text(
  report: ReportStream,
  options: RenderOptions,
  paint: Paint,
): AsyncGenerator<string> {
  const width = widthOf(options);
  const all = await rollUp(report);
  const summary = summaryLine(report, all, width);
  if (isFleet(all) && !options.verbose) {
    for await (const lines of fleet(report.targets, all, width, paint)) yield logLines(lines);
    yield logLines(`\n${summary}\n--verbose shows places and fixes.\n`);
  } else {
    // A few, or all with --verbose: their lines are above the findings.
    const several = all.live && all.count > 1;
    const targets: TargetReport[] = [];
    if (several && all.count <= maxListed)
      for await (const one of worstFirst(report.targets, all)) targets.push(one);
    const list = targets.length === 0 ? '' : nodeList(targets, width, paint);
    if (list !== '') yield logLines(`${list}\n\n`);
    if (targets.length > 0 && options.rows !== undefined && !options.verbose) {
      // Two empty lines and the prompt.
      const used = `${list}\n${summary}`.split('\n').length + 3;
      const room = Math.max(3, options.rows - used);
      yield logLines(`${findingsThatFit(targets, room, width, paint)}\n\n${summary}\n`);
      return;
    }
    for await (const target of several ? worstFirst(report.targets, all) : report.targets)
      yield logLines(`${targetText(target, options, paint, report.rules)}\n\n`);
    yield logLines(`${summary}\n`);
  }
}

/** Nodes that --verbose lists above the findings. */
const maxListed = 100;

/** True for many targets, and for a few settings with nearly the same findings. */
function isFleet({ count: targets, offline, causes, findings }: RollUp): boolean {
  if (targets > fewNodes) return true;
  const shared = causes.reduce((sum, one) => sum + one.count, 0);
  return targets >= minAlike && offline && findings > targets && shared >= 0.8 * causes.length * targets;
}

/** Settings with nearly the same findings are summed from this many targets on. */
const minAlike = 4;

/** A suppressed critical is accepted, never clean. */
function stateOf(target: TargetReport): string {
  const notes = asides(target);
  return [...(notes.length === 0 && isClean(target) ? ['clean'] : notes)]
    .map((note) => ` · ${note}`)
    .join('');
}

function isClean({ undetermined, findings, verdict }: TargetReport): boolean {
  if (verdict === 'suppressed') return false;
  return undetermined.length === 0 && findings.every(({ suppressed }) => suppressed !== null);
}

/** One target, without the summary line and without a newline at its end. `rules`: their pages, for `verbose`. */
export function targetText(
  target: TargetReport,
  options: RenderOptions,
  paint: Paint,
  rules: readonly RuleInfo[] = [],
): string {
  const { verbose, kinds } = options;
  const width = widthOf(options);
  const findings = target.findings.filter(({ suppressed }) => verbose || suppressed === null);
  const layout = layoutFor(width, findings);
  const parts = [
    isLive(target)
      ? auditHeader(target, width, kinds)
      : wrap(`${headerOf(target, kinds)}${stateOf(target)}`, width, 0, 2),
    ...findings.map((finding) =>
      findingBlock(finding, width, layout, paint, verbose ? rulePage(rules, finding.rule) : null),
    ),
    ...[driftTable(target.drift, width)].filter((table) => table !== null),
    ...notSeen(target, width),
    ...notLookedAt([target], width),
  ];
  return parts.join('\n\n');
}

function widthOf({ columns }: RenderOptions): number {
  return Math.min(columns, 110);
}

/** Undetermined checks, grouped by cause. */
function notSeen(target: TargetReport, width: number): string[] {
  const byCause = new Map<string, { what: Set<string>; rules: Set<string> }>();
  for (const { reason, about, rule } of target.undetermined) {
    const group = byCause.get(reason) ?? { what: new Set(), rules: new Set() };
    byCause.set(reason, group);
    if (about !== null) group.what.add(about);
    group.rules.add(visible(rule));
  }
  const indent = layoutFor(width, []).place;
  return [...byCause].map(([cause, { what, rules }]) => {
    const checks = rules.has('gather')
      ? 'every check of its settings'
      : rules.size > 6
        ? `${rules.size} checks`
        : [...rules].join(', ');
    const about = what.size === 0 ? '' : `${[...what].join(', ')}: `;
    return `${wrap(`not seen ${visible(about + cause, 500)}`, width, 0, indent)}\n${wrap(`undetermined: ${checks}`, width, indent, indent)}`;
  });
}

function notLookedAt(targets: readonly TargetReport[], width: number): string[] {
  const names = [...new Set(targets.flatMap((target) => target.notLookedAt ?? []))];
  if (names.length === 0) return [];
  const where = targets.length > 1 ? ' everywhere' : '';
  return [wrap(`not looked at${where}: ${visible(names.join(', '), 500)}`, width, 0, 2)];
}

/** Empty for one target, whose name is above. */
function placesOf({ count: nodes, files, live }: RollUp): string {
  if (nodes === 1) return '';
  if (live) return ` on ${nodes} nodes`;
  if (files === nodes) return ` in ${files} files`;
  return ` on ${nodes} nodes in ${count(files, 'file')}`;
}

/** The last line of the report: totals, and the threshold; wrapped at `width` columns. */
export function summaryLine(report: ReportStream, all: RollUp, width: number): string {
  const counts = severities
    .filter((one) => report.summary[one] > 0)
    .map((one) => `${report.summary[one]} ${one}`);
  const total = severities.reduce((sum, one) => sum + report.summary[one], 0);
  const where = placesOf(all);
  const parts = [
    total === 0 ? `No findings${where}.` : `${count(total, 'finding')}${where}: ${counts.join(', ')}.`,
  ];
  if (report.summary.suppressed > 0) parts.push(`${report.summary.suppressed} suppressed.`);
  if (report.summary.undetermined > 0) parts.push(`${count(report.summary.undetermined, 'check')} not seen.`);
  if (total > 0) parts.push(threshold(all));
  const line = parts.join(' ');
  const [worst] = [...all.causes].sort(
    (a, b) => compareSeverity(a.severity, b.severity) || a.first - b.first,
  );
  const hint = worst === undefined ? '' : `kaiactl node explain ${worst.rule}`;
  return columns(line) + hint.length + 3 > width
    ? [wrap(line, width, 0, 0), hint].filter(Boolean).join('\n')
    : `${line}   ${hint}`.trimEnd();
}

function threshold(all: RollUp): string {
  const own = [...all.thresholds];
  if (own.every((one) => one === 'none')) return 'Nothing fails (--fail-on none).';
  const at = own.join(' or ');
  return verdictOf(all) === 'fail' ? `Fails at ${at} (--fail-on).` : `None at ${at} or above (--fail-on).`;
}
