/** What holds in several possible worlds of a node as one: the worst counts, and says where it holds. */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../util/group-by.js';
import type { ReleaseFound } from '../facts/release.js';
import type { Finding, Undetermined } from '../facts/report.js';
import { compareSeverity, severities } from '../facts/severity.js';
import type { Condition, World, Worlds } from '../facts/worlds.js';
import type { KindReleases } from '../kinds/kind.js';
import { rangesName } from '../kinds/release.js';
import type { Rule } from './rule/rule.js';
import { addDashes } from './settings/setting.js';

/** Rules about words: the carriage returns of a conf would be found again by each of them. */
export function isAboutWords({ on }: Pick<Rule, 'on'>): boolean {
  return on === 'settings' || on === 'shell';
}

/** Whether it is a rule that is asked in a world. */
export type Asked = (rule: Pick<Rule, 'on' | 'anyRelease'>, world: World) => boolean;

/**
 * Which rules are asked in which world. A live node shows which condition holds. A conditional line overrides another on
 * purpose, so that no rule about the script is asked there.
 */
export function askedIn(worlds: readonly World[], isLive: boolean): Asked {
  const isRepaired = worlds.some(({ ends }) => ends === 'unix');
  return (rule, { ends, isFirst, releases }) => {
    if (!isFirst && (isLive || rule.on === 'shell')) return false;
    if (rule.anyRelease === true && releases !== worlds[0]?.releases) return false;
    return ends === 'unix' ? !isLive || isAboutWords(rule) : !isRepaired || !isAboutWords(rule);
  };
}

/** What telling where something holds takes. */
export interface Telling {
  /** It is null if it is not known. */
  readonly kind: KindReleases | null;
  /** The release that was found for the node. */
  readonly release: ReleaseFound | undefined;
  readonly worlds: readonly World[];
  readonly asked: Asked;
  /** By id. */
  readonly rules: ReadonlyMap<string, Rule>;
}

/** At least one world. */
type Some = readonly [World, ...World[]];

/** What is found of one thing by one rule. */
interface Held {
  /** Of the first world where it is as bad as anywhere. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** Every world where it is as bad as that. */
  readonly worst: Some;
  /** The releases in which anything is found of it, by the first of each range. */
  readonly foundIn: ReadonlySet<string>;
}

/**
 * Findings of all worlds, the worst of each thing, which say where they hold. What several rules find of one thing, each in
 * worlds of its own, is one finding: that of the gravest rule.
 */
export function worst(found: Worlds<Finding>, tell: Telling): Finding[] {
  if (isOnlyWorld(tell)) return found.map(({ value }) => value);
  const things = [...groupBy(found, ({ value }) => value.rule).values()].flatMap((all) => [
    ...groupBy(all, ({ value }) => value.subject).values(),
  ]);
  return onePerCause(things.map(worstOf), tell).flatMap((held) =>
    held.findings.map((finding) => {
      const places = placesOf(held.worst, finding, tell).map((text) =>
        text.replace(/^./, (letter) => letter.toUpperCase()),
      );
      const message = `${places.join('')}${finding.message}`;
      const evidence =
        places.length === 0 ? finding.evidence : { ...finding.evidence, conditional: true as const };
      return {
        ...finding,
        message,
        evidence,
        ...(isOfSome(held, finding, tell) ? { severity: 'low' } : {}),
      };
    }),
  );
}

/** Open questions of all worlds. A rule asks one about a thing, whatever the reason: the first world that asks it tells. */
export function openIn(open: Worlds<Undetermined>, tell: Telling): Undetermined[] {
  if (isOnlyWorld(tell)) return open.map(({ value }) => value);
  const questions = [...groupBy(open, ({ value }) => value.rule).values()].flatMap((all) => [
    ...groupBy(all, ({ value }) => value.about).values(),
  ]);
  const first = new Set(
    questions.flatMap((all) =>
      all.filter(({ world }, at) => world === all[0]?.world && (at === 0 || world.isFirst)),
    ),
  );
  return open.flatMap((one) => {
    const places = first.has(one) ? placesOf([one.world], one.value, tell) : [];
    return first.has(one) ? [{ ...one.value, reason: `${places.join('')}${one.value.reason}` }] : [];
  });
}

/** Whether everything holds everywhere. */
function isOnlyWorld({ worlds, release }: Telling): boolean {
  return worlds.length === 1 && release?.refused === undefined;
}

function worstOf(all: Worlds<Finding>): Held {
  const level = Math.min(...all.map(({ value }) => rankOf(value)));
  const bad = [...new Set(all.flatMap(({ world, value }) => (rankOf(value) === level ? [world] : [])))];
  const written = bad.filter(({ ends }) => ends === 'written');
  const worst = withoutRefusals(written.length === 0 ? bad : written);
  const [first] = worst as unknown as Some;
  const foundIn = all.flatMap(({ world }) => (world.ends === first.ends ? world.releases : []));
  const findings = all.flatMap(({ world, value }) => (world === first ? [value] : []));
  return {
    findings: findings as [Finding, ...Finding[]],
    worst: [first, ...worst.slice(1)],
    foundIn: new Set(foundIn.map(({ since }) => since)),
  };
}

/** A suppressed finding is less bad than any other. */
function rankOf({ severity, suppressed }: Finding): number {
  return suppressed === null ? severities.indexOf(severity) : severities.length;
}

/** A release that refuses the start is told only if each does. */
function withoutRefusals(worst: readonly World[]): readonly World[] {
  const isRefused = (one: World) => isCertain(one) && !one.conf.settings.startable;
  return worst.some((one) => isCertain(one) && !isRefused(one))
    ? worst.filter((one) => !isRefused(one))
    : worst;
}

/** Whether the releases alone decide. */
function isCertain({ when, unless }: Pick<Condition, 'when'> & { unless?: string | undefined }): boolean {
  return when === null && unless === undefined;
}

/** Whether it is a refusal of some releases, where others start: it takes nothing from what those open. */
function isOfSome({ worst: [first], foundIn }: Held, { evidence, severity }: Finding, { worlds }: Telling) {
  const isStarted = worlds.some(({ conf, ends }) => ends === first.ends && conf.settings.startable);
  return isStarted && evidence?.fatal === true && severity === 'medium' && foundIn.size < countOf(worlds);
}

/** The number of ranges of releases. */
function countOf(all: readonly Pick<World, 'releases'>[]): number {
  return new Set(all.flatMap(({ releases }) => releases).map(({ since }) => since)).size;
}

/**
 * Where something holds that is as bad in each of these worlds, as sentences to come before it; empty for everywhere. What
 * holds in no other world in which its rule was asked says nothing of it. An open question of what is certain holds there.
 */
function placesOf(
  worlds: Some,
  { rule: id, ...one }: Finding | Undetermined,
  { kind, release, worlds: all, asked, rules }: Telling,
): string[] {
  const [first] = worlds;
  const rule = rules.get(id);
  const isAsked = (world: World) => rule !== undefined && asked(rule, world);
  const isRepaired = first.ends === 'unix' && all.some((world) => world.ends === 'written' && isAsked(world));
  const ends = isRepaired ? ['when the file has Unix line ends: '] : [];
  if ('about' in one && first.isFirst) return ends;
  const isGrave = rule !== undefined && 'message' in one && compareSeverity(rule.severity, 'high') <= 0;
  const isRefused = isGrave && release?.refused !== undefined;
  const isByRelease = isAsked({ ...first, isFirst: false, releases: [] });
  const clauses = conditionsOf(worlds).map(({ when, unless, same }, at, told) => {
    const releases = [...new Set(same.flatMap((world) => world.releases))];
    const covered = told.slice(0, at + 1).flatMap((one) => one.same);
    const isLimited = isByRelease && (countOf(covered) < countOf(all) || isRefused);
    return [
      ...(isLimited && kind !== null ? [`in ${rangesName(kind, releases, release)}`] : []),
      ...(when === null ? [] : [`when ${when}`]),
      ...(unless === undefined ? [] : [`unless ${unless} changes it`]),
    ].join(', ');
  });
  return clauses.includes('') ? ends : [...ends, `${clauses.join(', or ')}: `];
}

/** The worlds of each condition, the certain ones first; without conditions that add no release. */
function conditionsOf(worlds: readonly World[]) {
  const groups = [...groupBy(worlds, ({ when }) => when)].flatMap(([when, all]) =>
    [...groupBy(all, ({ unless }) => unless)].map(([unless, same]) => ({ when, unless, same })),
  );
  const told = groups.filter(isCertain);
  for (const group of groups) {
    const known = told.flatMap(({ same }) => same);
    if (told.length === 0 || countOf([...known, ...group.same]) > countOf(known)) told.push(group);
  }
  return told;
}

/**
 * Of what several rules find of one thing, each in worlds of its own, that of the gravest rule: the severity of a finding
 * follows the reach, and a fix that narrows the reach would bring another to light.
 */
function onePerCause(all: readonly Held[], { rules }: Telling): readonly Held[] {
  const gravity = ({ findings: [{ rule }] }: Held) => rules.get(rule)?.severity ?? 'info';
  const bySubject = groupBy(all, ({ findings: [one] }) => addDashes(one.subject));
  const covered = [...bySubject.values()].flatMap((some) => {
    const graveFirst = some.toSorted((a, b) => compareSeverity(gravity(a), gravity(b)));
    const isSaid = (held: Held, at: number) =>
      graveFirst.slice(0, at).some((one) => isApart(one, held) && isCovered(held, one)) ||
      some.some((one) => isMended(held, one));
    return graveFirst.filter(isSaid);
  });
  const gone = new Set(covered);
  return all.filter((held) => !gone.has(held));
}

/** Whether they are findings that hold under no condition, and in no release together with which the node starts. */
function isApart(a: Held, b: Held): boolean {
  const [[one], [other]] = [a.worst, b.worst];
  if (![one, other].every(isCertain) || one.ends !== other.ends) return false;
  const starts = one.conf.settings.startable && !other.conf.settings.startable;
  return starts || ![...a.foundIn].some((release) => b.foundIn.has(release));
}

/** Whether each finding is at the place of one of the other, which is not suppressed. */
function isCovered(held: Held, other: Held): boolean {
  const open = other.findings.filter(({ suppressed }) => suppressed === null);
  return held.findings.every(({ at }) => open.some((one) => isDeepStrictEqual(one.at, at)));
}

/** Whether Unix line ends bring a graver finding of the same line. */
function isMended(
  { findings, worst: [written] }: Held,
  { findings: [graver], worst: [unix] }: Held,
): boolean {
  const isOnSameLine = ({ at }: Finding) =>
    'line' in at && 'line' in graver.at && at.line === graver.at.line && at.file === graver.at.file;
  return (
    written.ends !== unix.ends &&
    unix.ends === 'unix' &&
    graver.suppressed === null &&
    findings.every((one) => isOnSameLine(one) && compareSeverity(graver.severity, one.severity) < 0)
  );
}
