/** Findings and open questions of settings that depend on what is not known offline: a condition, such as an if in a conf, or the release. */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../util/group-by.js';
import type { Alternative, Facts, ReleaseSpan } from '../facts/facts.js';
import type { ReleaseFound } from '../facts/release.js';
import type { Finding, Undetermined } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity, type Severity } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf } from '../kinds/node.js';
import { rangesName } from '../kinds/release.js';
import type { Rule } from './rule/rule.js';

/** What is judged of one reading. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

/** What is found of one thing, and where it is as bad as that. */
interface Held extends Pick<Alternative, 'when' | 'unless'> {
  readonly findings: readonly Finding[];
  readonly releases: readonly ReleaseSpan[];
  /** The releases in which anything is found of it, by the first of each range. */
  readonly foundIn: ReadonlySet<string>;
  /** Whether the node starts there. */
  readonly starts: boolean;
}

/**
 * What is found and left open, `known` being that of the conf itself, with what is only found or open, or is worse, where
 * a condition holds or in other releases. Findings of the rules that are `tried` there are told with the releases they
 * hold in, and those of grave rules with the newer releases that refuse the start. What several rules find of one thing,
 * each in releases of its own, is one finding: that of the gravest rule.
 */
export function withConditional(
  facts: Facts,
  kinds: readonly Kind[],
  known: Judged,
  judge: (facts: Facts) => Judged,
  tried: readonly Pick<Rule, 'id' | 'severity'>[],
): Judged {
  // A live node shows which condition holds.
  if (facts.conf?.state !== 'seen' || facts.live !== null) return known;
  const { alternatives = [], releases, settings } = facts.conf.value;
  const { release } = settings;
  if (alternatives.length === 0 && release?.refused === undefined) return known;
  const own = releases ?? (release === undefined ? [] : [release]);
  const others = alternatives.map((one) => ({ ...one, releases: one.releases ?? own }));
  const conditionOf = conditionsAmong(kindOf(kinds, settings), release, [
    own,
    ...others.map((one) => one.releases),
  ]);
  const worst = new Map<string, Held>();
  for (const [name, findings] of groupBy(known.findings, keyOf))
    worst.set(name, {
      ...{ findings, releases: own, when: null, starts: settings.startable },
      foundIn: new Set(own.map(({ since }) => since)),
    });
  const asked = new Set(known.undetermined.map(questionOf));
  const more = new Map<string, Undetermined>();
  for (const other of others) {
    const { findings, undetermined } = judge({ ...facts, conf: seen(other.conf) });
    for (const finding of findings) {
      const before = worst.get(keyOf(finding));
      worst.set(keyOf(finding), worseOf(before, finding, other));
    }
    for (const one of undetermined)
      if (!asked.has(questionOf(one)) && !more.has(questionOf(one)))
        more.set(questionOf(one), { ...one, reason: `${conditionOf(other, 'info')}${one.reason}` });
  }
  const all = new Set([own, ...others.map((one) => one.releases)].flat().map(({ since }) => since));
  const isStarted = settings.startable || others.some(({ conf }) => conf.settings.startable);
  /** True for a refusal of some releases, where others start: it takes nothing from what those open. */
  const isOfSome = ({ foundIn }: Held, { evidence, severity }: Finding) =>
    isStarted && evidence?.fatal === true && severity === 'medium' && foundIn.size < all.size;
  const usual = new Map(tried.map(({ id, severity }) => [id, severity]));
  const findings = onePerCause([...worst.values()], usual).flatMap((held) =>
    held.findings.map((finding) => {
      const condition = conditionOf(held, usual.get(finding.rule) ?? null);
      const message = `${condition.replace(/^[iuw]/, (letter) => letter.toUpperCase())}${finding.message}`;
      return { ...finding, message, ...(isOfSome(held, finding) ? { severity: 'low' as const } : {}) };
    }),
  );
  return { findings, undetermined: [...known.undetermined, ...more.values()] };
}

function worseOf(before: Held | undefined, finding: Finding, { conf, releases, ...condition }: Other): Held {
  const foundIn = new Set([...(before?.foundIn ?? []), ...releases.map(({ since }) => since)]);
  const starts = conf.settings.startable;
  const worse = { findings: [finding], releases, foundIn, starts, ...condition };
  if (before === undefined || before.findings.every((one) => isWorse(finding, one))) return worse;
  const isAsBad = !before.findings.some((one) => isWorse(one, finding));
  const { when, unless } = condition;
  const same = { ...before, foundIn };
  if (!isAsBad) return same;
  if (when !== null)
    return when === before.when ? { ...same, releases: [...before.releases, ...releases] } : same;
  // A release that refuses the start is told only if each does.
  if (before.when === null && before.starts !== starts) return starts ? worse : same;
  const all = { ...same, releases: [...before.releases, ...releases] };
  if (unless !== undefined) return before.unless === undefined ? same : { ...all, ...condition };
  const { unless: __, ...always } = all;
  return { ...always, when: null };
}

/** The usual severities of rules, by id. */
type Usual = ReadonlyMap<string, Severity>;

/**
 * Of what several rules find of one thing, each in releases of its own, that of the gravest rule: the severity of a
 * finding follows the reach, and a fix that narrows the reach would bring another to light.
 */
function onePerCause(all: readonly Held[], usual: Usual): Held[] {
  const bySubject = groupBy(all, ({ findings: [one] }) => one?.subject.replace(/^--/, '') ?? '');
  const covered = [...bySubject.values()].flatMap((some) => {
    const graveFirst = some.toSorted((a, b) => compareSeverity(gravity(a, usual), gravity(b, usual)));
    return graveFirst.filter((held, at) =>
      graveFirst.slice(0, at).some((one) => isApart(one, held) && isCovered(held, one)),
    );
  });
  return all.filter((held) => !covered.includes(held));
}

function gravity({ findings: [finding] }: Held, usual: Usual): Severity {
  return usual.get(finding?.rule ?? '') ?? 'info';
}

/** True for findings that hold under no condition, and in no release together with which the node starts. */
function isApart(...pair: readonly [Held, Held]): boolean {
  const [a, b] = pair;
  return (
    pair.every(({ when, unless }) => when === null && unless === undefined) &&
    ((a.starts && !b.starts) || ![...a.foundIn].some((release) => b.foundIn.has(release)))
  );
}

/** True if each finding is at the place of one of the other, which is not suppressed. */
function isCovered(held: Held, other: Held): boolean {
  const open = other.findings.filter(({ suppressed }) => suppressed === null);
  return held.findings.every(({ at }) => open.some((one) => isDeepStrictEqual(one.at, at)));
}

/** A conf under a condition, with the releases that the reading holds for. */
interface Other extends Alternative {
  readonly releases: readonly ReleaseSpan[];
}

/**
 * Where something of this usual severity holds, before a sentence; empty: everywhere. `readings`: the releases of each.
 * severity null: its rule was not tried in other releases.
 */
function conditionsAmong(
  kind: Kind,
  release: ReleaseFound | undefined,
  readings: readonly (readonly ReleaseSpan[])[],
) {
  const countOf = (spans: readonly ReleaseSpan[]) => new Set(spans.map(({ since }) => since)).size;
  const all = countOf(readings.flat());
  return ({ releases, when, unless }: Omit<Other, 'conf'>, severity: Severity | null): string => {
    const isRefused =
      release?.refused !== undefined && severity !== null && compareSeverity(severity, 'high') <= 0;
    const isLimited = severity !== null && (countOf(releases) < all || isRefused);
    const parts = [
      ...(isLimited ? [`in ${rangesName(kind, releases, release)}`] : []),
      ...(when === null ? [] : [`when ${when}`]),
      ...(unless === undefined ? [] : [`unless ${unless} changes it`]),
    ];
    return parts.length === 0 ? '' : `${parts.join(', ')}: `;
  };
}

/** A suppressed finding is never worse. */
function isWorse(a: Finding, b: Finding): boolean {
  if (a.suppressed !== null || b.suppressed !== null) return a.suppressed === null && b.suppressed !== null;
  return compareSeverity(a.severity, b.severity) < 0;
}

/** Without the place, which differs between conditions. */
function keyOf({ rule, subject }: Finding): string {
  return JSON.stringify([rule, subject]);
}

/** A rule asks one question about a thing, whatever the reason that leaves it open. */
export function questionOf({ rule, about }: Undetermined): string {
  return JSON.stringify([rule, about]);
}
