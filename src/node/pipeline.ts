/** Judges facts and builds the report of a target. */

import { isDeepStrictEqual } from 'node:util';
import { finish } from '../util/turns.js';
import { withAssumed } from './facts/assumed.js';
import type { Facts } from './facts/facts.js';
import type { Policy } from './facts/policy.js';
import {
  type Check,
  type Finding,
  type TargetReport,
  type Undetermined,
  unansweredQuestions,
} from './facts/report.js';
import { seen } from './facts/seen.js';
import { compareSeverity, type FailOn, fails, isWhole } from './facts/severity.js';
import type { OpenSign } from './facts/sign.js';
import { sentenceAlone, type Trying, verify } from './fix/trial/verify.js';
import { orderFindings, type Purpose } from './judge/finding.js';
import {
  applyGates,
  changesBy,
  countedFindings,
  type Gates,
  isSelected,
  withRepeatsNamed,
} from './judge/gates.js';
import type { Judgement } from './judge/judge.js';
import { liveOf } from './judge/live/live.js';
import { withRelease } from './judge/live/release.js';
import { driftOf } from './judge/overview/drift.js';
import { identityOf, questionsOf, surveyOf } from './judge/overview/target.js';
import { judgeReadings } from './judge/readings.js';
import type { Rule } from './judge/rule/rule.js';
import { accept, type Baseline } from './judge/suppress/baseline.js';
import { openSignsOf } from './judge/suppress/open-signs.js';
import type { Kind } from './kinds/kind.js';
import { policyOfRole, roleOf } from './kinds/node.js';
import { rules as allRules } from './rules/index.js';
import { withoutPlaceholders } from './sources/text/unknown.js';

export interface JudgeOptions extends Trying {
  readonly failOn: FailOn;
  /** Default: every rule. */
  readonly rules?: readonly Rule[];
  /** The kinds of node that are known. */
  readonly kinds: readonly Kind[];
  /** Default: no finding is changed or hidden. */
  readonly gates?: Gates | undefined;
  /** Default: the policy of the target's role. */
  readonly policy?: Policy | undefined;
  /** Accepted findings. */
  readonly baseline?: Baseline | undefined;
  /** The findings whose edits are tried, which takes time; `whole`: those that text shows whole. Default: all. */
  readonly edits?: 'all' | 'whole' | 'none';
}

/** Judges one target. It is a pure function: the same facts give the same report. */
export function judgeTarget(given: Facts, options: JudgeOptions): TargetReport {
  return finish(judgeInTurns(given, options));
}

/** Judges as judgeTarget does, and yields before each trial of an edit. */
export function* judgeInTurns(given: Facts, options: JudgeOptions): Generator<void, TargetReport> {
  const { kinds } = options;
  const known = withRelease(withAssumed(given), kinds);
  const policy = options.policy ?? policyOfRole(kinds, known.role);
  const facts = { ...known, role: roleOf(kinds, known, policy) };
  // The policy does not depend on a role that is inferred from the program alone.
  const judging = { ...options, policy };
  const all = propose(facts, judging);
  const compared = (other: Facts) => propose(other, judging, 'comparison');
  const { gates } = options;
  const judgements = gates === undefined ? all.judgements : applyGates(all.judgements, gates);
  const open = all.undetermined.filter(({ rule }) => gates === undefined || isSelected(rule, gates));
  const raised = raisedBy(facts, all, compared, options.rules ?? allRules);
  const signs = openSignsOf(
    { ...facts, signs: [...(facts.signs ?? []), ...raised] },
    gates?.acknowledged ?? [],
  );
  const undetermined = questionsOf(facts, signs, open);
  const { rules = allRules } = options;
  const counted = orderFindings(
    gates === undefined ? withRepeatsNamed(all.findings, rules) : countedFindings(all.findings, gates, rules),
  );
  const shown = withEditsOf(counted, options);
  const { findings: verified, leftOut } = yield* verify(facts, shown, all, compared, options);
  const findings =
    options.baseline === undefined
      ? verified
      : accept({ name: facts.name, findings: verified }, options.baseline);
  const changed = gates ? changesBy(gates, all.findings) : null;
  const drift = driftOf(facts, kinds);
  const live = liveOf(facts, kinds);
  return withoutPlaceholders({
    ...identityOf(facts, live),
    ...(policy === null ? {} : { policy: { name: policy.name, version: policy.version } }),
    ...surveyOf(facts, live, kinds),
    checks: judgements.map((one) => checkOf(one, counted, open)),
    findings,
    ...(leftOut === 0 ? {} : { fixesLeftOut: leftOut }),
    ...(changed === null ? {} : { changed }),
    undetermined,
    verdict: verdictOf(findings, undetermined, options.failOn),
    ...(drift === null ? {} : { drift }),
  });
}

/** Removes the edits that are not shown. Findings of one rule at one place keep theirs: equal edits mean one cause. */
function withEditsOf(
  findings: readonly Finding[],
  { edits = 'all', failOn }: JudgeOptions,
): readonly Finding[] {
  if (edits === 'all') return findings;
  const isAlone = (one: Finding) =>
    !findings.some(
      (other) => other !== one && other.rule === one.rule && isDeepStrictEqual(other.at, one.at),
    );
  const isShown = (one: Finding) => edits === 'whole' && (isWhole(one, failOn) || !isAlone(one));
  return findings.map((one) => (isShown(one) ? one : sentenceAlone(one)));
}

/** Decides the verdict of a target. A target with a suppressed critical finding never passes. */
export function verdictOf(
  findings: readonly Finding[],
  undetermined: readonly Undetermined[],
  failOn: FailOn,
): TargetReport['verdict'] {
  if (findings.some((one) => fails(one, failOn))) return 'fail';
  if (unansweredQuestions({ undetermined }).length > 0) return 'undetermined';
  const isAccepted =
    undetermined.length > 0 ||
    findings.some(({ severity, suppressed }) => severity === 'critical' && suppressed !== null);
  return isAccepted ? 'suppressed' : 'pass';
}

/** Returns all findings and open questions before gates and the baseline. Their fixes are proposals. */
export function propose(
  facts: Facts,
  options: Pick<JudgeOptions, 'rules' | 'kinds'> & { readonly policy?: Policy | null | undefined },
  purpose: Purpose = 'report',
) {
  const { rules = allRules, kinds, policy = policyOfRole(kinds, facts.role) } = options;
  return judgeReadings(facts, rules, kinds, policy, purpose);
}

/** Decides the check of a rule; a finding under a condition counts. A rule that failed to run is undetermined. */
function checkOf(
  { rule, verdict }: Judgement,
  findings: readonly Finding[],
  open: readonly Undetermined[],
): Check {
  if (findings.some((one) => one.rule === rule.id)) return { rule: rule.id, verdict: 'fail' };
  if (verdict !== 'fail' && open.some((one) => one.rule === rule.id))
    return { rule: rule.id, verdict: 'undetermined' };
  return { rule: rule.id, verdict: verdict === 'defect' ? 'undetermined' : verdict };
}

interface Judged {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

function questionOf({ rule, about }: Undetermined): string {
  return JSON.stringify([rule, about]);
}

/**
 * One question for each name, where a finding of high severity or above is new or graver with the values of a file. A value
 * that cannot be read asks where it leaves open what an interface offers, or to whom.
 */
function raisedBy(
  { assigned = [], ...facts }: Facts,
  known: Judged,
  judge: (facts: Facts) => Judged,
  rules: readonly Rule[],
): OpenSign[] {
  const isExposing = (id: string) =>
    rules.some(({ id: one, on }) => one === id && on !== 'settings' && on !== 'shell');
  const asked = new Set(known.undetermined.map(questionOf));
  const signs = assigned.flatMap(({ conf, sign, isKnown }) => {
    if (conf === null) return [sign];
    const { findings, undetermined } = judge({ ...facts, conf: seen(conf) });
    const isWorse = findings.some(
      (one) =>
        one.suppressed === null &&
        compareSeverity(one.severity, 'high') <= 0 &&
        !known.findings.some(
          ({ rule, subject, severity }) =>
            rule === one.rule && subject === one.subject && compareSeverity(severity, one.severity) <= 0,
        ),
    );
    const isOpen =
      !isKnown && undetermined.some((one) => isExposing(one.rule) && !asked.has(questionOf(one)));
    return isWorse || isOpen ? [sign] : [];
  });
  return [...new Map(signs.map((one) => [`${one.subject} ${one.at?.file}`, one])).values()];
}
