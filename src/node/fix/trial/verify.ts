/** Verifies fixes: edits that fail are removed, and the fix remains as a sentence. */

import { groupBy } from '../../../util/group-by.js';
import type { Facts } from '../../facts/facts.js';
import type { Edit, Finding, FixReport } from '../../facts/report.js';
import { merge } from '../edits.js';
import { type Judge, type Judged, subjectOf } from './state.js';
import { type AppliedTo, type Outcome, type TrialMemory, Trials } from './trials.js';

/** The fix of a finding, or an alternative to it. */
interface Proposed extends FixReport {
  readonly finding: Finding;
  /** 0: the fix of the finding; else the place of the alternative. */
  readonly at: number;
}

/** A fix that was tried. */
interface Attempt extends Proposed {
  /** null when the edits do not have their effect. */
  readonly outcome: Outcome | null;
}

/**
 * The findings with verified edits only. Applied in memory and judged again, edits must remove their finding (or, as an
 * alternative, lower its severity), add none, and let every node start; safe edits must keep the start unchanged. This
 * must hold for every possible launcher and package if these are guessed. Edits are tried together, and alone where that
 * fails. Suppressed findings need no fix. Pure; pauses before each trial.
 */
export function* verify(
  facts: Facts,
  findings: readonly Finding[],
  judged: Judged,
  judge: Judge,
  memory?: TrialMemory,
): Generator<void, readonly Finding[]> {
  if (!findings.some((one) => hasEdits(one))) return findings;
  const trials = Trials.of(facts, judged, judge, memory);
  const proposed = findings.filter((one) => one.suppressed === null && hasEdits(one)).flatMap(proposalsOf);
  const known = trials === null ? new Map<Proposed, Outcome>() : yield* triedTogether(proposed, trials);
  const attempts = new Map<Finding, Attempt[]>();
  for (const one of proposed) {
    yield;
    const attempt = attemptOf(one, known.get(one) ?? trials?.outcome(one) ?? null);
    attempts.set(one.finding, [...(attempts.get(one.finding) ?? []), attempt]);
  }
  const effective = [...attempts.values()].flat().filter(({ outcome }) => outcome !== null);
  const certain = new Set<Attempt>();
  for (const group of groupBy(effective, ({ at, safety }) => `${at} ${safety}`).values()) {
    yield;
    const { edits, taken } = merge(group);
    if (taken.length > 1 && trials?.holdAnyway({ edits }, taken.map(appliedTo)) === true)
      for (const one of taken) certain.add(one);
  }
  const result: Finding[] = [];
  for (const finding of findings) {
    const all = attempts.get(finding);
    const fixes: FixReport[] = [];
    for (const one of all ?? [])
      fixes.push(yield* shown(one, trials, trials?.isCertain === true || certain.has(one)));
    const [fix, ...alternatives] = fixes;
    if (fix === undefined) result.push(sentenceAlone(finding));
    else result.push({ ...finding, ...fix, ...(finding.alternatives === undefined ? {} : { alternatives }) });
  }
  return result;
}

/** The finding without edits: its fixes are sentences. */
export function sentenceAlone(finding: Finding): Finding {
  if (!hasEdits(finding)) return finding;
  const { alternatives } = finding;
  const advised = alternatives?.map(({ fix }) => ({ fix, edits: [], safety: null }));
  return {
    ...finding,
    edits: [],
    safety: null,
    ...(advised === undefined ? {} : { alternatives: advised }),
  };
}

function hasEdits({ edits = [], alternatives = [] }: Finding): boolean {
  return [{ edits }, ...alternatives].some((one) => one.edits.length > 0);
}

function proposalsOf(finding: Finding): Proposed[] {
  const { fix, edits = [], safety = null, alternatives = [] } = finding;
  return [{ fix, edits, safety }, ...alternatives].map((one, at) => ({ ...one, finding, at }));
}

/**
 * The outcomes of proposals that were tried at once, where all of them have their effect: with those for the other nodes of
 * the file, else with those for the same node.
 */
function* triedTogether(all: readonly Proposed[], trials: Trials): Generator<void, Map<Proposed, Outcome>> {
  const outcomes = new Map<Proposed, Outcome>();
  const some = all.filter(({ edits }) => edits.length > 0);
  const isShared = trials.file.confs.length > 1;
  // A fix of several places often includes another rule's.
  const group = ({ at, safety, edits, finding }: Proposed) =>
    JSON.stringify([at, safety, (edits.length === 1 && !isShared) || finding.rule]);
  for (const proposals of groupBy(some, group).values()) {
    const [{ at, finding }] = proposals as [Proposed];
    for (const more of at === 0 ? [trials.alike(finding), proposals] : [proposals]) {
      yield;
      const { edits, taken } = merge(more);
      const own = proposals.filter((one) => isIn(edits, one));
      const outcome = taken.length < 2 || own.length === 0 ? null : trials.outcome({ edits });
      if (outcome === null || !isEachEffective(own, outcome)) continue;
      for (const one of own) outcomes.set(one, outcome);
      break;
    }
  }
  return outcomes;
}

function isIn(all: readonly Edit[], { edits }: Proposed): boolean {
  const { edits: both, left } = merge([{ edits: all }, { edits }]);
  return left.length === 0 && both.length === all.length;
}

/** True where each has its effect by its own edits: no two have one subject, and none hides the findings of another rule. */
function isEachEffective(all: readonly Proposed[], outcome: Outcome): boolean {
  const isApart = new Set(all.map(({ finding }) => subjectOf(finding))).size === all.length;
  const isOneRule = new Set(all.map(({ finding }) => finding.rule)).size === 1;
  return (
    isApart &&
    (isOneRule || outcome.keepsReach) &&
    all.every((one) => {
      const { outcome: effect, safety } = attemptOf(one, outcome);
      return effect !== null && safety === one.safety;
    })
  );
}

/** The attempt without its outcome where the edits do not have their effect. */
function attemptOf(one: Proposed, outcome: Outcome | null): Attempt {
  const became = outcome?.became(one.finding) ?? 'same';
  const isEffective = became === 'gone' || (one.at > 0 && became === 'eased');
  const safety = outcome === null || !isEffective ? null : safetyOf(one, outcome);
  return { ...one, safety, outcome: safety === null ? null : outcome };
}

function appliedTo({ finding, safety }: Attempt): AppliedTo {
  return { ...finding, safety };
}

/** The fix with its edits, where they have their effect and need no option. What is not certain of all is asked of each. */
function* shown(one: Attempt, trials: Trials | null, isCertain: boolean): Generator<void, FixReport> {
  const { fix, edits } = one;
  if (one.outcome !== null) yield;
  const { outcome, safety } =
    isCertain || one.outcome === null ? one : attemptOf(one, trials?.outcome(one) ?? null);
  if (outcome === null) return { fix, edits: [], safety: null };
  const missing = isCertain ? [] : outcome.missing([appliedTo({ ...one, safety })]);
  if (missing.length === 0) return { fix, edits, safety };
  return { fix: [fix, ...(trials?.whatIsGuessed(missing) ?? [])].join(' '), edits: [], safety: null };
}

/** null when the edits change a start that must stay the same; unsafe when that cannot be known. */
function safetyOf({ safety }: FixReport, { starts }: Outcome): FixReport['safety'] {
  if (safety !== 'safe') return 'unsafe';
  return { same: 'safe', unknown: 'unsafe', changed: null }[starts] as FixReport['safety'];
}
