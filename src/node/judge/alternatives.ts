/** Findings and open questions of settings that depend on what is not known offline: a condition, such as an if in a conf, or the release. */
import { groupBy } from '../../util/group-by.js';
import type { Alternative, Facts, ReleaseSpan } from '../facts/facts.js';
import type { Finding, Undetermined } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf } from '../kinds/node.js';
import { joinedRanges, rangeName } from '../kinds/release.js';

/** What is found of one thing, and where it is as bad as that. */
interface Held extends Pick<Alternative, 'when' | 'unless'> {
  readonly findings: readonly Finding[];
  /** Empty: in every release. */
  readonly releases: readonly ReleaseSpan[];
}

/** What is judged of the settings, under conditions too. */
interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

/**
 * What is found and left open, `known` being that of the conf itself, with what is only found or open, or is worse, where
 * a condition holds or in other releases. Findings of a rule that `isTried` in other releases are told with the releases
 * they hold in.
 */
export function withConditional(
  facts: Facts,
  kinds: readonly Kind[],
  known: Judged,
  judge: (facts: Facts) => Judged,
  isTried: (rule: string) => boolean,
): Judged {
  // A live node shows which condition holds.
  if (facts.conf?.state !== 'seen' || facts.live !== null) return known;
  const { alternatives = [], releases } = facts.conf.value;
  if (alternatives.length === 0) return known;
  const own = releases ?? [];
  const kind = kindOf(kinds, facts.conf.value.settings);
  const worst = new Map<string, Held>();
  for (const [name, findings] of groupBy(known.findings, keyOf))
    worst.set(name, { findings, releases: own, when: null });
  const asked = new Set(known.undetermined.map(questionOf));
  const others = new Map<string, Undetermined>();
  for (const alternative of alternatives) {
    const { findings, undetermined } = judge({ ...facts, conf: seen(alternative.conf) });
    for (const finding of findings) {
      const before = worst.get(keyOf(finding));
      worst.set(keyOf(finding), worseOf(before, finding, alternative));
    }
    for (const one of undetermined)
      if (!asked.has(questionOf(one)) && !others.has(questionOf(one)))
        others.set(questionOf(one), openWhen(one, alternative));
  }
  const spans = new Set(
    [...own, ...alternatives.flatMap((one) => one.releases ?? [])].map(({ since }) => since),
  );
  const findings = [...worst.values()].flatMap((held) => {
    const inAll = new Set(held.releases.map(({ since }) => since)).size === spans.size;
    return held.findings.map((finding) =>
      conditional(finding, {
        ...held,
        releases: inAll || !isTried(finding.rule) ? [] : joinedRanges(kind, held.releases),
      }),
    );
  });
  return { findings, undetermined: [...known.undetermined, ...others.values()] };
}

function worseOf(before: Held | undefined, finding: Finding, alternative: Alternative): Held {
  const { conf: _, releases = [], ...condition } = alternative;
  if (before === undefined || before.findings.every((one) => isWorse(finding, one)))
    return { findings: [finding], releases, ...condition };
  const isAsBad = !before.findings.some((one) => isWorse(one, finding));
  const { when, unless } = condition;
  if (!isAsBad || when !== null) return before;
  const all = { findings: before.findings, releases: [...before.releases, ...releases] };
  if (unless === undefined) return { ...all, when: null };
  return before.unless === undefined ? before : { ...all, ...condition };
}

function conditional(finding: Finding, held: Omit<Held, 'findings'>): Finding {
  const condition = conditionOf(held);
  const capital = condition.replace(/^[uw]/, (letter) => letter.toUpperCase());
  return condition === '' ? finding : { ...finding, message: `${capital}${finding.message}` };
}

function openWhen(question: Undetermined, alternative: Alternative): Undetermined {
  return { ...question, reason: `${conditionOf(alternative)}${question.reason}` };
}

/** The releases and the condition before a sentence; empty: nothing limits it. */
function conditionOf({ releases = [], when, unless }: Omit<Alternative, 'conf'>): string {
  const clauses = [
    ...(releases.length === 0 ? [] : [`the release is ${releases.map(rangeName).join(' or ')}`]),
    ...(when === null ? [] : [when]),
  ];
  const parts = [
    ...(clauses.length === 0 ? [] : [`when ${clauses.join(' and ')}`]),
    ...(unless === undefined ? [] : [`unless ${unless} changes it`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}: `;
}

/** A rule asks one question about a thing, whatever the reason that leaves it open. */
function questionOf({ rule, about }: Undetermined): string {
  return JSON.stringify([rule, about]);
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
