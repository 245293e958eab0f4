/** The report for a person: what is wrong, where, why it matters, what to write instead. */

import { columns } from '../../terminal/columns.js';
import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { Finding, Place, Report, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { logLines } from './escape.js';
import { excerpt } from './excerpt.js';
import type { RenderOptions } from './format.js';
import { auditHeader, driftTable, isLive } from './text-audit.js';
import { fleet } from './text-fleet.js';
import { headerOf } from './text-header.js';
import type { Paint } from './text-paint.js';

/** Where the three columns begin: severity, rule and place, message and source. */
const second = 9;
const message = 30;
const source = 17;
/** LineIndex longer than this get a line of their own. */
const longestPlace = 24;
/** Runs larger than this show clean targets only with --verbose. */
const smallRun = 20;
/** More live nodes than this are shown by cause, one line each, unless --verbose. */
const fewNodes = 5;

/** Renders the whole report; severity is the only thing `paint` touches. */
export function text(report: Report, options: RenderOptions, paint: Paint): string {
  const width = widthOf(options);
  if (report.targets.length > fewNodes && report.targets.some(isLive) && !options.verbose) {
    return logLines(`${fleet(report, width, paint)}\n\n${summaryLine(report, width)}\n`);
  }
  const quiet = report.targets.length > smallRun && !options.verbose;
  const shown = report.targets.filter((target) => !quiet || !isClean(target));
  const blocks = shown.map((target) => targetBlock(target, width, options.verbose, paint));
  return logLines(`${[...blocks, summaryLine(report, width)].join('\n\n')}\n`);
}

function isClean(target: TargetReport): boolean {
  return target.undetermined.length === 0 && target.findings.every(({ suppressed }) => suppressed !== null);
}

/** One target, without the summary line and without a newline at its end. */
export function targetText(target: TargetReport, options: RenderOptions, paint: Paint): string {
  return targetBlock(target, widthOf(options), options.verbose, paint);
}

function widthOf({ columns }: RenderOptions): number {
  return Math.max(60, Math.min(columns, 110));
}

function targetBlock(target: TargetReport, width: number, verbose: boolean, paint: Paint): string {
  const findings = target.findings.filter(({ suppressed }) => verbose || suppressed === null);
  const gap = placeGap(findings);
  const parts = [
    isLive(target)
      ? auditHeader(target, width)
      : wrap(`${headerOf(target)}${isClean(target) ? ' · clean' : ''}`, width, 0, 2),
    ...findings.map((finding) => findingBlock(finding, width, gap, paint)),
    ...[driftTable(target.drift, width)].filter((table) => table !== null),
    ...notSeen(target, width),
  ];
  return parts.join('\n\n');
}

/** The column where source lines begin; null when the places are too long to share a line with them. */
function placeGap(findings: readonly Finding[]): number | null {
  let longest = 'fix'.length;
  for (const { at, related } of findings) {
    for (const place of [at, ...related.map((one) => one.at)])
      longest = Math.max(longest, columns(nameOf(place)));
  }
  return longest > longestPlace ? null : Math.max(source, second + longest + 3);
}

function findingBlock(finding: Finding, width: number, gap: number | null, paint: Paint): string {
  const label = paint(finding.severity, finding.severity) + ' '.repeat(second - finding.severity.length);
  const suppressed = finding.suppressed === null ? '' : ` Suppressed: ${finding.suppressed.reason}.`;
  const said = wrap(visible(finding.message + suppressed, 2_000), width, message, message).trimStart();
  const rule = finding.rule.padEnd(message - second - 1);
  const lines = [`${label}${rule} ${said}`, ...placed(finding.at, finding.source, null, width, gap)];
  for (const one of finding.related) lines.push(...placed(one.at, one.source, visible(one.note), width, gap));
  const column = gap ?? source;
  lines.push(`${pad('fix', second, column)}${visible(finding.fix, 2_000)}`);
  return lines.join('\n');
}

/** `file:line:column`, the line, and a caret below (or, for a related place, what to know about it). */
function placed(
  at: Place,
  line: string | null,
  note: string | null,
  width: number,
  gap: number | null,
): string[] {
  const name = nameOf(at);
  const column = gap ?? source;
  if (line === null || 'endpoint' in at) {
    return [' '.repeat(second) + (note === null ? name : `${name.padEnd(column - second - 2)}  ${note}`)];
  }
  const to = at.endLine === at.line ? at.endColumn : Number.POSITIVE_INFINITY;
  const room = Math.max(24, width - column);
  const drawn = excerpt(line, at.column, to, note === null ? room : Math.max(24, room - note.length - 4));
  const body = note === null ? drawn.text : `${drawn.text}    ${note}`;
  const lines =
    gap === null
      ? [' '.repeat(second) + name, ' '.repeat(column) + body]
      : [pad(name, second, column) + body];
  if (note === null) lines.push(' '.repeat(column) + drawn.caret);
  return lines;
}

function pad(label: string, from: number, to: number): string {
  return ' '.repeat(from) + label + ' '.repeat(Math.max(1, to - from - columns(label)));
}

function nameOf(at: Place): string {
  return 'endpoint' in at ? visible(at.endpoint) : `${visible(at.file)}:${at.line}:${at.column}`;
}

/** What stays open, by cause: interfaces and checks that share one are named together. */
function notSeen(target: TargetReport, width: number): string[] {
  const byCause = new Map<string, { what: Set<string>; rules: Set<string> }>();
  for (const { reason, about, rule } of target.undetermined) {
    const group = byCause.get(reason) ?? { what: new Set(), rules: new Set() };
    byCause.set(reason, group);
    if (about !== null) group.what.add(about);
    group.rules.add(rule);
  }
  return [...byCause].map(([cause, { what, rules }]) => {
    const checks = rules.size > 6 ? `${rules.size} checks` : [...rules].join(', ');
    const about = what.size === 0 ? '' : `${[...what].join(', ')}: `;
    return `${wrap(`not seen ${visible(about + cause, 500)}`, width, 0, second)}\n${wrap(`undetermined: ${checks}`, width, second, second)}`;
  });
}

function summaryLine(report: Report, width: number): string {
  const counts = severities
    .filter((one) => report.summary[one] > 0)
    .map((one) => `${report.summary[one]} ${one}`);
  const total = severities.reduce((sum, one) => sum + report.summary[one], 0);
  const noun = report.targets.some(isLive) ? 'on' : 'in';
  const files =
    report.targets.length === 1
      ? ''
      : ` ${noun} ${report.targets.length} ${noun === 'on' ? 'nodes' : 'files'}`;
  const parts = [
    total === 0
      ? `No findings${files}.`
      : `${total} finding${total === 1 ? '' : 's'}${files}: ${counts.join(', ')}.`,
  ];
  if (report.summary.suppressed > 0) parts.push(`${report.summary.suppressed} suppressed.`);
  if (report.summary.undetermined > 0)
    parts.push(
      `${report.summary.undetermined} check${report.summary.undetermined === 1 ? '' : 's'} not seen.`,
    );
  if (total > 0) parts.push(threshold(report));
  const line = parts.join(' ');
  const hint = total === 0 ? '' : 'kaiactl node explain <rule>';
  return columns(line) + hint.length + 3 > width
    ? [wrap(line, width, 0, 0), hint].filter(Boolean).join('\n')
    : `${line}   ${hint}`.trimEnd();
}

function threshold({ targets, failOn }: Report): string {
  if (failOn === 'none') return 'Nothing fails (--fail-on none).';
  const failed = targets.some(({ verdict }) => verdict === 'fail');
  return failed ? `Fails at ${failOn} (--fail-on).` : `None at ${failOn} or above (--fail-on).`;
}
