/** Findings by cause as text: whole blocks for what fails the run, one line each for the rest. */
import { columns, cut, wrap } from '../../terminal/wrap.js';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import type { Finding } from '../facts/report.js';
import { atLeast } from '../facts/severity.js';
import type { Cause, Group } from './causes.js';
import type { Listed } from './listing.js';
import type { RollUp } from './roll-up.js';
import { findingBlock, layoutFor, nameOf, pad } from './text-finding.js';
import type { Paint } from './text-paint.js';

/** Columns of wrapped text, and those after which a line is cut. */
export interface Widths {
  readonly width: number;
  readonly lineWidth: number;
}

/** A block a failing cause, then one line a finding of the others; no piece ends in a newline. */
export function* causeTexts(
  causes: readonly Cause[],
  all: RollUp | null,
  { width, lineWidth }: Widths,
  paint: Paint,
): Generator<string> {
  for (const cause of causes) if (cause.failing) yield blockOf(cause, all, width, paint);
  const rest = causes.filter(({ failing }) => !failing);
  const line = (cause: Cause) => linesOf(cause, all, { width, lineWidth }, paint);
  if (rest.length > 0) yield rest.map(line).join('\n');
}

/** Fixes that a block shows. */
const maxFixes = 4;

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
  const byFix = groupBy(others, (group) => group.first.finding.fix);
  const isLong = byFix.size > maxFixes;
  if (isLong) labelled('also', `${others.map(told).join('; ')} (--verbose shows each fix)`);
  for (const [fix, same] of isLong ? [] : byFix) {
    labelled('also', same.map(told).join('; '));
    if (fix !== finding.fix) labelled('fix', visible(fix, 2_000));
  }
  if (cause.left > 0) labelled('also', leftOut(cause.left));
  return lines.join('\n');
}

/** `file:line:column severity rule message`, cut; below it the other places of the same. */
function linesOf(cause: Cause, all: RollUp | null, { width, lineWidth }: Widths, paint: Paint): string {
  const lines: string[] = [];
  for (const group of weighed(cause)) {
    const { severity, rule, message } = group.first.finding;
    const place = placeOf(group.first, all);
    const head = `${place} ${severity} ${rule}`;
    const line = cut(`${head} ${visible(message, 2_000)}`, Math.max(lineWidth, columns(head)));
    lines.push(`${place} ${paint(severity, severity)}${line.slice(place.length + 1 + severity.length)}`);
    if (group.count > 1) lines.push(wrap(`also ${more(group, cause, all)}`, width, 2, 4));
  }
  if (cause.left > 0) lines.push(wrap(`also ${leftOut(cause.left)}`, width, 2, 4));
  return lines.join('\n');
}

/** Places of a low cause that are told. */
const maxMinor = 6;

/** Of a low cause, only the first finding is printed for all subjects. */
function weighed({ groups }: Cause): readonly Group[] {
  const [lead, ...others] = groups.values();
  if (lead === undefined || atLeast(lead.first.finding.severity, 'medium')) return [...groups.values()];
  const places = others.flatMap((one) => [one.first, ...one.places]);
  const count = others.reduce((sum, one) => sum + one.count, lead.count);
  return [{ ...lead, places: [...lead.places, ...places].slice(0, maxMinor), count }];
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
    if (isNamed(one, all)) return placeOf(one, all);
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

/** The place; before an endpoint the name of its node, and before a file that of its machine, if there are several. */
function placeOf(one: Listed, all: RollUp | null): string {
  const { target, finding } = one;
  const place = nameOf(finding.at);
  if (!isNamed(one, all)) return place;
  return 'endpoint' in finding.at
    ? `${visible(target)} ${place}`
    : `${visible(target.slice(0, -finding.at.file.length))}${place}`;
}

/** Merged reports name the machine of a file: `en-1: /etc/kend/conf/kend.conf`. */
function isNamed({ target, finding: { at } }: Listed, all: RollUp | null): boolean {
  if (all === null || all.count < 2) return false;
  return 'endpoint' in at ? target !== at.endpoint : target.endsWith(`: ${at.file}`);
}
