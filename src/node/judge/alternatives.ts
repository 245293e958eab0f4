/** Findings of settings that depend on what is not known offline: a condition, such as an if in a conf, or the release. */
import { groupBy } from '../../util/group-by.js';
import type { Alternative, Facts, ReleaseSpan } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { seen } from '../facts/seen.js';
import { compareSeverity } from '../facts/severity.js';
import { rangeName } from '../kinds/release.js';

/** What is found of one thing, and where it is as bad as that. */
interface Held {
  readonly findings: readonly Finding[];
  /** Empty: in every release. */
  readonly releases: readonly ReleaseSpan[];
  readonly when: string | null;
}

/**
 * The findings, `known` being those of the conf itself, with those that only stand, or are worse, where a condition holds
 * or in other releases. Those of a rule that `isTried` in other releases are told with the releases they hold in.
 */
export function withConditional(
  facts: Facts,
  known: readonly Finding[],
  findingsOf: (facts: Facts) => readonly Finding[],
  isTried: (rule: string) => boolean,
): readonly Finding[] {
  // A live node shows which condition holds.
  if (facts.conf?.state !== 'seen' || facts.live !== null) return known;
  const { alternatives = [], releases } = facts.conf.value;
  if (alternatives.length === 0) return known;
  const own = releases ?? [];
  const worst = new Map<string, Held>();
  for (const [name, findings] of groupBy(known, keyOf))
    worst.set(name, { findings, releases: own, when: null });
  for (const alternative of alternatives)
    for (const finding of findingsOf({ ...facts, conf: seen(alternative.conf) })) {
      const before = worst.get(keyOf(finding));
      worst.set(keyOf(finding), worseOf(before, finding, alternative));
    }
  const spans = new Set(
    [...own, ...alternatives.flatMap((one) => one.releases ?? [])].map(({ since }) => since),
  );
  return [...worst.values()].flatMap(({ findings, releases, when }) => {
    const inAll = new Set(releases.map(({ since }) => since)).size === spans.size;
    return findings.map((finding) =>
      inAll || !isTried(finding.rule) ? conditional(finding, [], when) : conditional(finding, releases, when),
    );
  });
}

function worseOf(before: Held | undefined, finding: Finding, { when, releases }: Alternative): Held {
  const spans = releases ?? [];
  if (before === undefined || before.findings.every((one) => isWorse(finding, one)))
    return { findings: [finding], releases: spans, when };
  const isAsBad = !before.findings.some((one) => isWorse(one, finding));
  return isAsBad && when === null
    ? { ...before, releases: [...before.releases, ...spans], when: null }
    : before;
}

function conditional(finding: Finding, releases: readonly ReleaseSpan[], when: string | null): Finding {
  const clauses = [
    ...(releases.length === 0 ? [] : [`the release is ${releases.map(rangeName).join(' or ')}`]),
    ...(when === null ? [] : [when]),
  ];
  if (clauses.length === 0) return finding;
  return { ...finding, message: `When ${clauses.join(' and ')}: ${finding.message}` };
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
