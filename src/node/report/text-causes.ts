/** Findings by cause as text: whole blocks for what fails the run, one line each for the rest. */
import { columns, cut, wrap } from '../../terminal/wrap.js';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import type { Finding, ReportStream, TargetReport } from '../facts/report.js';
import { atLeast, compareSeverity, type FailOn, fails } from '../facts/severity.js';
import type { Listed } from './listing.js';
import type { RollUp } from './roll-up.js';
import { findingBlock, layoutFor, nameOf, pad } from './text-finding.js';
import type { Paint } from './text-paint.js';

/** Findings of one rule and severity that one sentence describes. */
interface Group {
  readonly first: Listed;
  /** The places of the others, at most `maxPlaces`. */
  readonly places: Listed[];
  /** All of them, the first too. */
  count: number;
}

interface Cause {
  readonly failing: boolean;
  /** Its findings by subject, at most `maxGroups`; failing ones also by fix. */
  readonly groups: Map<string, Group>;
  /** Findings in no group. */
  left: number;
}

const maxPlaces = 20;
const maxGroups = 40;

/** The findings of all targets by cause, failing ones first, then by severity. Iterates over the targets once. */
export async function causesOf(
  { targets, failOn }: Pick<ReportStream, 'targets' | 'failOn'>,
  isShown: (target: TargetReport) => boolean = () => true,
): Promise<readonly Cause[]> {
  const all = new Map<string, Cause>();
  for await (const target of targets) {
    if (!isShown(target)) continue;
    for (const finding of target.findings) {
      if (finding.suppressed === null) add(all, { target: target.name, finding }, target.failOn ?? failOn);
    }
  }
  return merged([...all.values()].sort(byWeight));
}

/** Failing findings of one rule are one cause, the most severe first. */
function merged(sorted: readonly Cause[]): Cause[] {
  const rules = groupBy(sorted, (cause) => {
    const { rule, severity } = leadOf(cause).first.finding;
    return cause.failing ? rule : `${rule} ${severity}`;
  });
  return [...rules.values()].map((causes) => ({
    failing: causes.some(({ failing }) => failing),
    groups: new Map(
      causes.flatMap(({ groups }, at) => [...groups].map(([key, one]) => [`${at} ${key}`, one])),
    ),
    left: causes.reduce((sum, { left }) => sum + left, 0),
  }));
}

function add(all: Map<string, Cause>, listed: Listed, failOn: FailOn): void {
  const { rule, severity, subject, fix } = listed.finding;
  const failing = isWhole(listed.finding, failOn);
  const key = `${failing} ${severity} ${rule}`;
  const cause = all.get(key) ?? { failing, groups: new Map(), left: 0 };
  all.set(key, cause);
  const own = JSON.stringify(failing ? [subject, fix] : [subject]);
  const group = cause.groups.get(own);
  if (group !== undefined) {
    group.count += 1;
    if (group.places.length < maxPlaces) group.places.push(listed);
  } else if (cause.groups.size < maxGroups) cause.groups.set(own, { first: listed, places: [], count: 1 });
  else cause.left += 1;
}

/** True for a finding that fails the run; with --fail-on none, for one that would fail it by default. */
export function isWhole(finding: Finding, failOn: FailOn): boolean {
  return fails(finding, failOn === 'none' ? 'high' : failOn);
}

function byWeight(a: Cause, b: Cause): number {
  const severity = (cause: Cause) => leadOf(cause).first.finding.severity;
  return Number(b.failing) - Number(a.failing) || compareSeverity(severity(a), severity(b));
}

function leadOf({ groups }: Cause): Group {
  const [first] = groups.values();
  if (first === undefined) throw new Error('a cause without a finding');
  return first;
}

/** True when no open finding is above low and none fails: such a target is one line. */
export function isMinor(target: TargetReport, failOn: FailOn): boolean {
  return target.findings.every(
    (one) =>
      one.suppressed !== null || !(atLeast(one.severity, 'medium') || isWhole(one, target.failOn ?? failOn)),
  );
}

/** `low wildcard-cors 14:2, info opaque-value 3:1`: the findings of a target that is one line. */
export function minorOf(target: TargetReport): string {
  const places = target.findings
    .filter(({ suppressed }) => suppressed === null)
    .map(({ severity, rule, at }) => {
      const own = !('endpoint' in at) && at.file === target.conf?.path;
      return `${severity} ${rule} ${own ? `${at.line}:${at.column}` : nameOf(at)}`;
    });
  return visible(places.join(', '), 2_000);
}

/** A block a failing cause, then one line a finding of the others; no piece ends in a newline. */
export function* causeTexts(
  causes: readonly Cause[],
  all: RollUp | null,
  width: number,
  paint: Paint,
): Generator<string> {
  for (const cause of causes) if (cause.failing) yield blockOf(cause, all, width, paint);
  const rest = causes.filter(({ failing }) => !failing);
  if (rest.length > 0) yield rest.map((cause) => linesOf(cause, all, width, paint)).join('\n');
}

/** The first finding whole; then the places, and fixes that differ, of the others. */
function blockOf(cause: Cause, all: RollUp | null, width: number, paint: Paint): string {
  const [lead, ...others] = cause.groups.values();
  if (lead === undefined) return '';
  const { finding } = lead.first;
  const layout = layoutFor(width, [finding]);
  const node = isNamed(lead.first, all) ? [visible(lead.first.target)] : [];
  const lines = [...node, findingBlock(finding, width, layout, paint)];
  const { place, source } = layout;
  const labelled = (label: string, text: string) =>
    lines.push(pad(label, place, source) + wrap(text, width, source, source).trimStart());
  if (lead.count > 1) labelled('also', more(lead, cause, all));
  const told = (group: Group) => {
    const { subject, severity } = group.first.finding;
    const label = severity === finding.severity ? '' : `${severity} `;
    const where = [placeOf(group.first, all), ...(group.count > 1 ? [more(group, cause, all)] : [])];
    return `${label}${visible(subject, 200)} ${where.join(', ')}`;
  };
  for (const [fix, same] of groupBy(others, (group) => group.first.finding.fix)) {
    labelled('also', same.map(told).join('; '));
    if (fix !== finding.fix) labelled('fix', visible(fix, 2_000));
  }
  if (cause.left > 0) labelled('also', leftOut(cause.left));
  return lines.join('\n');
}

/** `file:line:column severity rule message`, cut to the width; below it the other places of the same. */
function linesOf(cause: Cause, all: RollUp | null, width: number, paint: Paint): string {
  const lines: string[] = [];
  for (const group of cause.groups.values()) {
    const { severity, rule, message } = group.first.finding;
    const place = placeOf(group.first, all);
    const head = `${place} ${severity} ${rule}`;
    const line = cut(`${head} ${visible(message, 2_000)}`, Math.max(width, columns(head)));
    lines.push(`${place} ${paint(severity, severity)}${line.slice(place.length + 1 + severity.length)}`);
    if (group.count > 1) lines.push(wrap(`also ${more(group, cause, all)}`, width, 2, 4));
  }
  if (cause.left > 0) lines.push(wrap(`also ${leftOut(cause.left)}`, width, 2, 4));
  return lines.join('\n');
}

/** The places of all but the first: `a.yml:12:8, 20:8, b.yml:3:1 and 4 more`; or `all 42 nodes`. */
function more(group: Group, { groups }: Cause, all: RollUp | null): string {
  const rest = group.count - 1 - group.places.length;
  if (rest > 0 && groups.size === 1 && all !== null) {
    const { rule, severity } = group.first.finding;
    const cause = all.causes.find((one) => one.rule === rule);
    const lacking = cause !== undefined && cause.severity === severity ? all.count - cause.count : all.count;
    if (cause?.at[severity] === cause?.count && lacking === 0) return `all ${all.count} targets`;
    if (cause?.at[severity] === cause?.count && lacking <= maxExceptions)
      return `all but ${cause?.lacking.map((name) => visible(all.nameOf(name))).join(', ')}`;
  }
  let file = '';
  const shown = group.places.map((one) => {
    const { at } = one.finding;
    if ('endpoint' in at) return placeOf(one, all);
    const same = at.file === file || (file === '' && isIn(group.first.finding, at.file));
    file = at.file;
    return same ? `${at.line}:${at.column}` : placeOf(one, all);
  });
  return `${[...new Set(shown)].join(', ')}${rest > 0 ? ` and ${leftOut(rest)}` : ''}`;
}

/** Exceptions that are named. */
const maxExceptions = 3;

function isIn({ at }: Finding, file: string): boolean {
  return !('endpoint' in at) && at.file === file;
}

function leftOut(number: number): string {
  return `${number} more (--format concise lists each)`;
}

/** The place; before an endpoint the name of its node, if there are several. */
function placeOf(one: Listed, all: RollUp | null): string {
  const place = nameOf(one.finding.at);
  return isNamed(one, all) ? `${visible(one.target)} ${place}` : place;
}

function isNamed({ target, finding: { at } }: Listed, all: RollUp | null): boolean {
  return all !== null && all.count > 1 && 'endpoint' in at && target !== at.endpoint;
}
