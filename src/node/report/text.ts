/** The report for people: the place, the line, the consequence, the fix. 80 columns in a file or a pipe. */

import { columns } from '../../terminal/columns.js';
import { fold, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { Finding, Place, ReportStream, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { logLines } from './escape.js';
import { excerpt } from './excerpt.js';
import { fewNodes, type RenderOptions } from './format.js';
import { acceptedCriticals, isLive } from './listing.js';
import { fixesOf, patched } from './patched.js';
import { type RollUp, rollUp, verdictOf } from './roll-up.js';
import { auditHeader, driftTable } from './text-audit.js';
import { fleet } from './text-fleet.js';
import { headerOf } from './text-header.js';
import type { Paint } from './text-paint.js';

/** Where the columns begin: rule and place, message, source. */
interface Layout {
  readonly place: number;
  readonly message: number;
  readonly source: number;
  /** False where the source line stands below its place. */
  readonly beside: boolean;
}
const roomy: Layout = { place: 9, message: 30, source: 17, beside: false };
/** For terminals below this width: what stands beside another thing otherwise stands below it. */
const narrow = 60;
const tight: Layout = { place: 2, message: 2, source: 4, beside: false };
/** Places longer than this get a line of their own. */
const longestPlace = 24;
/** Renders the whole report; severity is the only thing `paint` touches. */
export async function* text(
  report: ReportStream,
  options: RenderOptions,
  paint: Paint,
): AsyncGenerator<string> {
  const width = widthOf(options);
  const all = await rollUp(report);
  const summary = summaryLine(report, all, width);
  if (all.count > fewNodes && !options.verbose) {
    for await (const lines of fleet(report.targets, all, width, paint)) yield logLines(lines);
    yield logLines(`\n${summary}\nPlaces and fixes: --verbose.\n`);
  } else {
    for await (const target of report.targets)
      yield logLines(`${targetBlock(target, width, options.verbose, paint)}\n\n`);
    yield logLines(`${summary}\n`);
  }
}

/** A suppressed critical is accepted, never clean. */
function stateOf(target: TargetReport): string {
  const accepted = acceptedCriticals(target).length;
  return accepted > 0 ? ` · ${accepted} critical suppressed` : isClean(target) ? ' · clean' : '';
}

function isClean({ undetermined, findings }: TargetReport): boolean {
  return undetermined.length === 0 && findings.every(({ suppressed }) => suppressed !== null);
}

/** One target, without the summary line and without a newline at its end. */
export function targetText(target: TargetReport, options: RenderOptions, paint: Paint): string {
  return targetBlock(target, widthOf(options), options.verbose, paint);
}

function widthOf({ columns }: RenderOptions): number {
  return Math.min(columns, 110);
}

function targetBlock(target: TargetReport, width: number, verbose: boolean, paint: Paint): string {
  const findings = target.findings.filter(({ suppressed }) => verbose || suppressed === null);
  const layout = width < narrow ? tight : layoutFor(findings);
  const parts = [
    isLive(target) ? auditHeader(target, width) : wrap(`${headerOf(target)}${stateOf(target)}`, width, 0, 2),
    ...findings.map((finding) => findingBlock(finding, width, layout, paint)),
    ...[driftTable(target.drift, width)].filter((table) => table !== null),
    ...notSeen(target, width),
    ...notLookedAt([target], width),
  ];
  return parts.join('\n\n');
}

/** Source lines stand beside their places, unless one of those is too long. */
function layoutFor(findings: readonly Finding[]): Layout {
  const places = findings.flatMap(({ at, related }) => [at, ...related.map((one) => one.at)]);
  const longest = Math.max('fix'.length, ...places.map((at) => columns(nameOf(at))));
  if (longest > longestPlace) return roomy;
  return { ...roomy, source: Math.max(roomy.source, roomy.place + longest + 3), beside: true };
}

function findingBlock(finding: Finding, width: number, layout: Layout, paint: Paint): string {
  const { rule, severity, suppressed } = finding;
  const reason = suppressed === null ? '' : ` Suppressed: ${suppressed.reason}.`;
  const label = paint(severity, severity) + ' '.repeat(roomy.place - severity.length);
  const message = wrap(visible(finding.message + reason, 2_000), width, layout.message, layout.message);
  const head =
    layout === tight
      ? [`${paint(severity, severity)} ${rule}`, message]
      : [`${label}${rule.padEnd(layout.message - layout.place - 1)} ${message.trimStart()}`];
  const lines = [...head, ...placed(finding.at, finding.source, null, width, layout)];
  for (const one of finding.related)
    lines.push(...placed(one.at, one.source, visible(one.note), width, layout));
  for (const [at, one] of fixesOf(finding).entries()) {
    const label = pad(at === 0 ? 'fix' : 'or', layout.place, layout.source);
    const advice = wrap(visible(one.fix, 2_000), width, columns(label), layout.source).trimStart();
    lines.push(label + advice);
    // Never broken into lines: they are there to be pasted.
    for (const line of patched(finding, one.edits))
      lines.push(' '.repeat(layout.source) + visible(line, 2_000));
  }
  return lines.join('\n');
}

/** `file:line:column`, the line, and a caret below (or, for a related place, what to know about it). */
function placed(
  at: Place,
  line: string | null,
  note: string | null,
  width: number,
  layout: Layout,
): string[] {
  const name = nameOf(at);
  const { place, source: column, beside } = layout;
  if (line === null || 'endpoint' in at) {
    return [
      fold(note === null ? ' '.repeat(place) + name : pad(`${name} `, place, column) + note, width, column),
    ];
  }
  const to = at.endLine === at.line ? at.endColumn : Number.POSITIVE_INFINITY;
  const room = Math.max(24, width - column);
  const drawn = excerpt(line, at.column, to, room);
  const fits = note !== null && columns(drawn.text) + 4 + columns(note) <= room;
  const [first = '', ...more] =
    note === null ? [drawn.text] : fits ? [`${drawn.text}    ${note}`] : [drawn.text, note];
  const below = more.map((text) => wrap(text, width, column, column));
  const lines = beside
    ? [pad(name, place, column) + first, ...below]
    : [' '.repeat(place) + name, ' '.repeat(column) + first, ...below];
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
    group.rules.add(visible(rule));
  }
  const indent = width < narrow ? tight.place : roomy.place;
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

/** What nobody looked at: of a fleet, at one node or more. */
function notLookedAt(targets: readonly TargetReport[], width: number): string[] {
  const names = [...new Set(targets.flatMap((target) => target.notLookedAt ?? []))];
  if (names.length === 0) return [];
  const where = targets.length > 1 ? ' everywhere' : '';
  return [wrap(`not looked at${where}: ${visible(names.join(', '), 500)}`, width, 0, 2)];
}

/** Of one nothing is said: its name stands above. */
function placesOf({ count, files, live }: RollUp): string {
  if (count === 1) return '';
  if (live) return ` on ${count} nodes`;
  if (files === count) return ` in ${files} files`;
  return ` on ${count} nodes in ${files === 1 ? '1 file' : `${files} files`}`;
}

function summaryLine(report: ReportStream, all: RollUp, width: number): string {
  const counts = severities
    .filter((one) => report.summary[one] > 0)
    .map((one) => `${report.summary[one]} ${one}`);
  const total = severities.reduce((sum, one) => sum + report.summary[one], 0);
  const where = placesOf(all);
  const parts = [
    total === 0
      ? `No findings${where}.`
      : `${total} finding${total === 1 ? '' : 's'}${where}: ${counts.join(', ')}.`,
  ];
  if (report.summary.suppressed > 0) parts.push(`${report.summary.suppressed} suppressed.`);
  if (report.summary.undetermined > 0)
    parts.push(
      `${report.summary.undetermined} check${report.summary.undetermined === 1 ? '' : 's'} not seen.`,
    );
  if (total > 0) parts.push(threshold(all));
  const line = parts.join(' ');
  const hint = total === 0 ? '' : 'kaiactl node explain <rule>';
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
