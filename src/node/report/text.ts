/**
 * Text for people. A finding that fails the run is shown whole: the place, the source line, the consequence, the fix. The
 * others are a line each, `file:line:column severity rule message`; `--verbose` shows all of them whole. A cause is told once,
 * with its places. 80 columns in a file or a pipe, where those lines are not cut, and up to 160 on a terminal.
 */
import { columns, wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { Finding, ReportStream, TargetReport } from '../facts/report.js';
import { isWhole } from '../facts/severity.js';
import { causesOf, isMinor, minorOf } from './causes.js';
import { logLines } from './escape.js';
import { folderOf, withoutName } from './folder.js';
import type { RenderOptions } from './format.js';
import { asides, isLive, leftOutNote, rulePage } from './listing.js';
import { firstWorst, type RollUp, rollUp, worstFirst } from './roll-up.js';
import { causeTexts } from './text-causes.js';
import { findingBlock, layoutFor, maxLine } from './text-finding.js';
import { auditHeader, driftTable, headerOf, sourceOfFacts } from './text-header.js';
import { findingsThatFit, maxListed, nodeRows } from './text-nodes.js';
import { notSeen } from './text-not-seen.js';
import { linking, type Paint } from './text-paint.js';
import type { Widths } from './text-places.js';
import { summaryLine } from './text-summary.js';

/** Renders the report. `paint` colours the severities. */
export async function* text(
  report: ReportStream,
  options: RenderOptions,
  given: Paint,
): AsyncGenerator<string> {
  const paint = options.links === true ? linking(given, report.rules) : given;
  const width = widthOf(options);
  const all = await rollUp(report);
  if (all.count === 1 || options.verbose) {
    const several = all.live && all.count > 1;
    if (several && all.count <= maxListed)
      yield logLines(`${await listed({ report, options, all, paint })}\n\n`);
    let isShort = false;
    for await (const target of all.count === 1 ? report.targets : []) {
      isShort =
        !options.verbose && !target.findings.every((one) => isWhole(one, target.failOn ?? report.failOn));
      const why = unreadReason(target);
      if (why !== null) return yield logLines(`${wrap(why, width, 0, 2)}\n`);
    }
    const summary = summaryLine(report, all, { width, isShort });
    const room =
      all.live && !options.verbose && options.rows !== undefined ? roomOf(options.rows, summary) : null;
    for await (const target of several ? worstFirst(report.targets, all) : report.targets) {
      const whole = await targetText(target, options, paint, report);
      const short = room === null || heightOf(whole, width) <= room ? whole : screenOf(target, room);
      yield logLines(`${short}\n\n`);
    }
    yield logLines(`${summary}\n`);
  } else yield* several({ report, options, all, paint });

  /** Writes one node for one screen: its header, and the findings that fit below it. */
  function screenOf(target: TargetReport, room: number): string {
    const [header = ''] = auditHeader(target, width, options.kinds).split('\n\n');
    const left = Math.max(3, room - heightOf(header, width) - 1);
    return `${header}\n\n${findingsThatFit([target], left, width, paint, report.failOn)}`;
  }
}

/** What the text of several targets is made of. */
interface View {
  readonly report: ReportStream;
  readonly options: RenderOptions;
  readonly all: RollUp;
  readonly paint: Paint;
}

/** Lines of a terminal above a summary: without two empty lines and the prompt. */
function roomOf(rows: number, summary: string): number {
  return rows - summary.split('\n').length - 3;
}

/** The lines that a terminal of this width needs. */
function heightOf(text: string, width: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(columns(line) / width)), 0);
}

/** Several targets by cause: what fails, one line each for the rest, what was not seen, and one line a target. */
async function* several(view: View): AsyncGenerator<string> {
  const { report, options, all, paint } = view;
  const width = widthOf(options);
  const summary = summaryLine(report, all, { width, isShort: true });
  const isFirst = all.live && all.count <= maxListed;
  if (isFirst) {
    const list = await listed(view);
    yield logLines(`${list}\n\n`);
    if (options.rows !== undefined) {
      const targets = await firstWorst(report.targets, all, maxListed);
      const room = Math.max(3, roomOf(options.rows, `${list}\n${summary}`));
      const fitting = findingsThatFit(targets, room, width, paint, report.failOn);
      return yield logLines(`${fitting}\n\n${summary}\n`);
    }
  }
  const isFleet = all.count > maxListed;
  const page = { ...widthsOf(options), paint, all, folder: all.folder, verbose: false };
  const causes = await causesOf(report, (target) => !isMinor(target, report.failOn));
  const names = new Map<string, number>();
  let fixesLeftOut = 0;
  for await (const target of report.targets) {
    for (const one of target.notLookedAt ?? []) names.set(one, (names.get(one) ?? 0) + 1);
    fixesLeftOut += target.fixesLeftOut ?? 0;
  }
  const left = [...names].map(([name, on]) =>
    on === all.count ? name : `${name} (on ${on} of ${all.count})`,
  );
  const notes = [
    await notSeen(report.targets, page),
    leftOut(fixesLeftOut, width),
    notLookedAt(left, width),
  ].filter((part) => part !== '');
  const rows = isFirst ? [] : await rowsOf(rowTargets(view), view);
  const linesIn = (parts: readonly string[]) => parts.join('\n').split('\n').length;
  const room = isFleet ? maxLines - linesIn([...notes, ...rows, summary]) - notes.length - 2 : null;
  for (const block of causeTexts(causes, page, room)) yield logLines(`${block}\n\n`);
  for (const note of notes) yield logLines(`${note}\n\n`);
  for (const row of rows) yield logLines(`${row}\n`);
  if (rows.length > 0) yield '\n';
  yield logLines(`${summary}\n`);
}

/** Lines of the report of a fleet. */
const maxLines = 60;

/** The targets that have a row, with shorter names. */
async function* rowTargets({ report, all }: View): AsyncGenerator<TargetReport> {
  for await (const target of worstFirst(report.targets, all))
    if (unreadReason(target) === null && !isTold(target))
      yield { ...target, name: withoutName(target.name, all.folder) };
}

/** Whether only places of the target are known, which are listed with what was not seen. */
function isTold({ findings, shared = [], undetermined }: TargetReport): boolean {
  return (
    findings.length + shared.length === 0 &&
    undetermined.some(({ at }) => at !== undefined) &&
    undetermined.every(({ at }) => at !== undefined)
  );
}

async function listed(view: View): Promise<string> {
  const { report, all } = view;
  const rows = await rowsOf(worstFirst(report.targets, all), view);
  return [`${count(all.count, 'node')}, the worst first`, ...rows].join('\n');
}

function rowsOf(targets: AsyncIterable<TargetReport>, view: View): Promise<string[]> {
  const { names, folder, live } = view.all;
  const { lineWidth: width } = widthsOf(view.options);
  const shown = live ? names : names.map((name) => withoutName(name, folder));
  const { paint, report } = view;
  return nodeRows(targets, shown, { width, paint, failOn: report.failOn, noun: live ? 'nodes' : 'targets' });
}

/** A suppressed critical is accepted, never clean. */
function stateOf(target: TargetReport): string {
  const notes = asides(target);
  return [...(notes.length === 0 && isClean(target) ? ['clean'] : notes)]
    .map((note) => ` · ${note}`)
    .join('');
}

function isClean({ undetermined, findings, verdict, changed }: TargetReport): boolean {
  if (verdict === 'suppressed' || (changed?.hidden ?? 0) > 0) return false;
  return undetermined.length === 0 && findings.every(({ suppressed }) => suppressed !== null);
}

/** Why a target was not read at all: its whole report. Returns null if it was read. */
function unreadReason({ name, conf, interfaces, findings, undetermined }: TargetReport): string | null {
  const [first, ...others] = undetermined;
  const isUnread = conf === null && interfaces.length + findings.length + others.length === 0;
  if (first?.rule !== 'gather' || !isUnread) return null;
  const reason = first.reason.replace(`cannot read ${name}: `, '');
  return visible(reason.startsWith(name) ? `not read: ${reason}` : `${name} · not read: ${reason}`);
}

/** One target, without the summary line and without a newline at its end. With `verbose` each finding is whole. */
export async function targetText(
  target: TargetReport,
  options: RenderOptions,
  paint: Paint,
  { rules, failOn }: Pick<ReportStream, 'rules' | 'failOn'>,
): Promise<string> {
  const { verbose, kinds } = options;
  const width = widthOf(options);
  const live = isLive(target);
  const oneLine = !live && !verbose && isMinor(target, failOn);
  const page = { ...widthsOf(options), paint, all: null, folder: folderOf(target.files ?? []), verbose };
  const causes = verbose || oneLine ? [] : await causesOf({ targets: [target], failOn });
  const minor = oneLine ? minorOf(target) : '';
  const header = [headerOf(target, kinds), ...(minor === '' ? [] : [minor])].join(' · ');
  return [
    live ? auditHeader(target, width, kinds) : wrap(`${header}${stateOf(target)}`, width, 0, 2),
    verbose ? sourceOfFacts(target, kinds) : '',
    ...(verbose ? target.findings.map(block) : causeTexts(causes, page)),
    driftTable(target.drift, width) ?? '',
    await notSeen([target], page),
    leftOut(target.fixesLeftOut ?? 0, width),
    notLookedAt(target.notLookedAt ?? [], width),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

  function block(finding: Finding): string {
    const layout = layoutFor(width, target.findings);
    return findingBlock(finding, width, layout, paint, rulePage(rules, finding.rule));
  }
}

/** Longer lines are hard to read. */
const maxColumns = 160;

function widthOf({ columns }: Pick<RenderOptions, 'columns'>): number {
  return Math.min(columns, maxColumns);
}

function widthsOf(options: RenderOptions): Widths {
  const width = widthOf(options);
  const { lineColumns = width } = options;
  return { width, lineWidth: Number.isFinite(lineColumns) ? Math.min(lineColumns, width) : maxLine };
}

function leftOut(findings: number, width: number): string {
  return findings === 0 ? '' : wrap(leftOutNote(findings), width, 0, 2);
}

function notLookedAt(names: readonly string[], width: number): string {
  return names.length === 0 ? '' : wrap(`not looked at: ${visible(names.join(', '), 500)}`, width, 0, 2);
}
