/** Findings by cause as text: whole blocks for what fails the run, one line each for the rest. */
import { wrap } from '../../terminal/wrap.js';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { atLeast } from '../facts/severity.js';
import { type Cause, type Group, leadOf } from './causes.js';
import { withoutFolder, withoutName } from './folder.js';
import type { Listed } from './listing.js';
import type { RollUp } from './roll-up.js';
import { findingBlock, formatLabelled, formatPlace, layoutFor, maxLine } from './text-finding.js';
import { maxListed } from './text-nodes.js';
import { byFile, type InFile, joinPlaces, lineWith, type Page, type Told } from './text-places.js';

/**
 * A block a failing cause, then one line a finding of the others; no piece ends in a newline. In a fleet only the first cause
 * is a block, and those that do not fit into `room` lines are counted.
 * @param room - null for a single node
 */
export function* causeTexts(causes: readonly Cause[], page: Page, room: number | null = null) {
  if (room !== null) return yield* fleetTexts(causes, page, room);
  for (const cause of causes) if (cause.failing) yield blockOf(cause, page);
  const rest = causes.filter(({ failing }) => !failing);
  if (rest.length > 0) yield rest.flatMap((cause) => linesOf(cause, page)).join('\n');
}

function* fleetTexts(causes: readonly Cause[], page: Page, room: number): Generator<string> {
  const [first, ...others] = causes;
  if (first === undefined) return;
  const block = first.failing ? [`${blockOf(first, page)}\n`] : [];
  const rest = first.failing ? others : causes;
  const lines = [...block, ...rest.map((cause) => oneLine(cause, page))].slice(0, room);
  const fitting = lines.filter(
    (_, at) =>
      lines
        .slice(0, at + 1)
        .join('\n')
        .split('\n').length < room || at === 0,
  );
  const left = causes.length - fitting.length;
  yield [...fitting, ...(left === 0 ? [] : [`${count(left, 'more cause')}: --verbose shows them`])].join(
    '\n',
  );
}

/** The worst place of a cause, and how many targets have it. */
function oneLine(cause: Cause, page: Page): string {
  const where = everywhere(cause, page.all) ?? '';
  return lineOf(leadOf(cause), where === '' ? '' : `(${where})`, page);
}

/** The first finding whole, then the places and subjects of the others. */
function blockOf(cause: Cause, page: Page): string {
  const { width, paint, all, folder } = page;
  const lead = leadOf(cause);
  const layout = layoutFor(width, [lead.finding]);
  const lines = isNamed(lead, all) ? [visible(lead.target)] : [];
  lines.push(findingBlock(withoutFolder(lead.finding, folder), width, layout, paint));
  const also = everywhere(cause, all) ?? joinPlaces(othersOf(cause, [...cause.groups.values()], page));
  if (also !== '') lines.push(formatLabelled(...labelOf(also), width, layout));
  const said = saidWith([...cause.groups.values()], page);
  if (said !== '') lines.push(formatLabelled('with', said, width, layout));
  return lines.join('\n');
}

function labelOf(also: string): [label: string, text: string] {
  return also.startsWith('on ') ? ['on', also.slice(3)] : ['also', also];
}

/** What these findings say too, by file: `5:11 public-bind, 7:17 wildcard-cors`. */
function saidWith(groups: readonly Group[], { all, folder }: Page): string {
  const listed = groups.flatMap(({ first, places }) => [first, ...places]);
  const told = listed.flatMap(({ target, finding: lead, also = [] }) =>
    also.map((finding) => toldOf({ target, finding }, finding.rule === lead.rule, { all, folder })),
  );
  const [lead] = listed;
  return lead === undefined ? '' : joinPlaces(byFile(told, fileOf(lead, all), folder));
}

/** The place of a finding, and its rule; its subject where the rule is known. */
function toldOf(one: Listed, isOfRule: boolean, { all, folder }: Pick<Page, 'all' | 'folder'>): Told {
  const { at, rule, subject } = one.finding;
  const file = fileOf(one, all);
  const label = visible(isOfRule ? withoutName(subject, folder) : rule, 200);
  return 'endpoint' in at || file === null
    ? { file: null, place: placeWithTarget(one, all), label }
    : { file, place: `${at.line}:${at.column}`, label };
}

/** `file:line:column severity rule message` and the other places of each subject; a low cause is one line. */
function linesOf(cause: Cause, page: Page): string[] {
  const groups = [...cause.groups.values()];
  const lead = leadOf(cause);
  if (!atLeast(lead.finding.severity, 'medium')) {
    const also = everywhere(cause, page.all) ?? joinPlaces(othersOf(cause, groups, page, maxMinor));
    return [lineOf(lead, also === '' ? '' : `(${labelOf(also).join(' ')})`, page)];
  }
  const byRule = groupBy(groups, ({ first }) => first.finding.rule);
  return (byRule.size > 1 ? [groups] : groups.map((one) => [one])).flatMap((same) => {
    const also = everywhere(cause, page.all) ?? joinPlaces(othersOf({ ...cause, left: 0 }, same, page));
    const line = lineOf(same[0]?.first ?? lead, '', page);
    const said = saidWith(same, page);
    const below = [also === '' ? '' : labelOf(also).join(' '), said === '' ? '' : `with ${said}`];
    return [line, ...below.filter(Boolean).map((text) => wrap(text, page.lineWidth, 2, 4))];
  });
}

function lineOf(one: Listed, more: string, page: Page): string {
  const { all, folder, paint } = page;
  const { severity, rule, message } = one.finding;
  // A line of a file is for grep, and has no more than its message.
  const isScreen = page.lineWidth < maxLine && atLeast(severity, 'medium');
  const told = isScreen ? `${message} Fix: ${one.finding.fix}` : message;
  const text = visible(withoutName(told, folder), 2_000);
  const line = lineWith(`${placeWithTarget(one, all)} ${severity} ${rule}`, more, text, page);
  const head = ` ${severity} ${rule}`;
  return line.replace(head, ` ${paint(severity, severity)} ${paint.rule?.(rule) ?? rule}`);
}

/** Places of a low cause that are named. */
const maxMinor = 6;

/** All but the first finding, by file: `most` of them with their places. Those of a low cause have a subject where their place has it already. */
function othersOf(
  cause: Cause,
  groups: readonly Group[],
  { all, folder }: Page,
  most = Number.POSITIVE_INFINITY,
): InFile[] {
  const [lead = leadOf(cause)] = groups.map(({ first }) => first);
  const others = groups
    .flatMap(({ first, places }) => [first, ...places])
    .filter((one) => one !== lead)
    .slice(0, most);
  const isLabelled = groups.length > 1 && atLeast(lead.finding.severity, 'medium');
  const { file, place } = toldOf(lead, true, { all, folder });
  const told = others.flatMap((one): Told[] => {
    const { rule, severity, subject } = one.finding;
    const own = toldOf(one, rule === lead.finding.rule, { all, folder });
    // At the place of the first one, the subject alone tells them apart.
    const isThere = own.file === file && own.place === place;
    const differs = severity === lead.finding.severity ? '' : `${severity} `;
    if (isThere && subject === lead.finding.subject && differs === '') return [];
    return [{ ...own, label: isLabelled || isThere ? differs + own.label : '' }];
  });
  const files = byFile(told, fileOf(lead, all), folder);
  const left = groups.reduce((sum, { count }) => sum + count, cause.left) - 1 - others.length;
  return left > 0 ? [...files, { text: '', count: left }] : files;
}

/** `all 42 targets`, `all but en-1`, `on 280 of 300 nodes`; null if the places are named. */
function everywhere({ groups, left }: Cause, all: RollUp | null): string | null {
  const [group, ...others] = groups.values();
  if (group === undefined || all === null) return null;
  const { rule, severity } = group.first.finding;
  const cause = all.causes.find((one) => one.rule === rule);
  if (cause === undefined) return null;
  const counted = `on ${cause.count} of ${all.count} ${all.live ? 'nodes' : 'targets'}`;
  const isFleet = all.count > maxListed || (all.live && cause.count > maxNodes);
  const isOne = others.length === 0 && cause.at[severity] === cause.count;
  const lacking = all.count - cause.count;
  if (!isOne || lacking > maxExceptions) return isFleet ? counted : null;
  if (!isFleet && left + group.count - 1 <= group.places.length) return null;
  if (lacking === 0) return `all ${all.count} targets`;
  return `all but ${cause.lacking.map((name) => visible(all.nameOf(name))).join(', ')}`;
}

/** Nodes whose places are named. */
const maxNodes = 10;

/** Exceptions that are named. */
const maxExceptions = 3;

/** The file that its place is in; null for an endpoint, or for a file of one of several machines. */
function fileOf(one: Listed, all: RollUp | null): string | null {
  const { at } = one.finding;
  return 'endpoint' in at || isNamed(one, all) ? null : at.file;
}

/** The place; before an endpoint the name of its node, and before a file that of its machine, if there are several. */
function placeWithTarget(one: Listed, all: RollUp | null): string {
  const { target, finding } = one;
  const place = formatPlace(finding.at);
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
