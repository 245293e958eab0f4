/** Verifies fixes: edits that fail are removed, and the fix remains as a sentence. */

import { groupBy } from '../../../util/group-by.js';
import { count } from '../../../util/words.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding, FixReport } from '../../facts/report.js';
import type { Editables } from '../../sources/text/editable.js';
import { merge, type Proposal } from '../edits.js';
import type { Judge, Judged } from './state.js';
import { type Outcome, type TrialMemory, Trials } from './trials.js';

/** What edits are tried on. */
export interface Trying {
  /** Default: none, and fixes are sentences. */
  readonly editables?: Editables | undefined;
  /** Shares the trials of edits among the targets of a file. Default: none are shared. */
  readonly trials?: TrialMemory | undefined;
}

/** A fix that was tried alone: the fix of its finding, or an alternative to it. */
interface Attempt extends FixReport {
  readonly finding: Finding;
  /** 0 for the fix of the finding; else the place of the alternative. */
  readonly at: number;
  /** null when the edits do not have their effect, or were not tried. */
  readonly outcome: Outcome | null;
  /** Whether they were not tried, since the trials of the file took too much. */
  readonly isLeftOut: boolean;
}

/** The findings with verified edits only, and how many have none because their edits were not tried. */
export interface Verified {
  readonly findings: readonly Finding[];
  readonly leftOut: number;
}

/**
 * The findings with verified edits only. Applied in memory and judged again, edits must remove their finding (or, as an
 * alternative, lower its severity), add none, and let every node start; safe edits must keep the start unchanged. This
 * must hold for every possible launcher and package if these are guessed; there the edits are tried together, and alone
 * where that fails. Suppressed findings need no fix. Pure; pauses before each trial.
 */
export function* verify(
  facts: Facts,
  findings: readonly Finding[],
  judged: Judged,
  judge: Judge,
  { editables = new Map(), trials: memory }: Trying = {},
): Generator<void, Verified> {
  if (!findings.some((one) => hasEdits(one))) return { findings, leftOut: 0 };
  const trials = Trials.of(facts, editables, judged, judge, memory);
  const attempts = new Map<Finding, readonly Attempt[]>();
  for (const finding of findings)
    if (finding.suppressed === null && hasEdits(finding))
      attempts.set(finding, yield* attemptsOf(finding, trials));
  const effective = [...attempts.values()].flat().filter(({ outcome }) => outcome !== null);
  const together = new Map<Attempt, Proposal>();
  for (const group of groupBy(effective, ({ at, safety }) => `${at} ${safety}`).values()) {
    const { edits, taken } = merge(group);
    if (taken.length > 1) for (const one of taken) together.set(one, { edits });
  }
  const result: Finding[] = [];
  for (const finding of findings) {
    const all = attempts.get(finding);
    const fixes: FixReport[] = [];
    for (const one of all ?? []) fixes.push(yield* shown(one, trials, together.get(one)));
    const [fix, ...alternatives] = fixes;
    if (fix === undefined) result.push(sentenceAlone(finding));
    else result.push({ ...finding, ...fix, ...(finding.alternatives === undefined ? {} : { alternatives }) });
  }
  const isLeftOut = (one: Finding) => attempts.get(one)?.some((attempt) => attempt.isLeftOut) === true;
  const leftOut = findings.filter(isLeftOut).length;
  return {
    leftOut,
    findings: result.map((one, at) =>
      isLeftOut(findings[at] as Finding) ? withoutTrial(one, leftOut) : one,
    ),
  };
}

/** The finding with how to get the edits that were left out. */
function withoutTrial(finding: Finding, leftOut: number): Finding {
  const say = `kaiactl left out the edits of ${count(leftOut, 'finding')} here, as trying them all takes too long: give --only ${finding.rule} to get this one.`;
  return { ...finding, fix: `${finding.fix} ${say}` };
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

function* attemptsOf(finding: Finding, trials: Trials | null): Generator<void, Attempt[]> {
  const { fix, edits = [], safety = null, alternatives = [] } = finding;
  const attempts: Attempt[] = [];
  for (const [at, one] of [{ fix, edits, safety }, ...alternatives].entries()) {
    yield;
    const outcome = one.edits.length === 0 ? null : (trials?.outcome(one) ?? null);
    const isLeftOut = one.edits.length > 0 && trials?.leftOut(one) === true;
    const became = outcome?.became(finding) ?? 'same';
    const isEffective = became === 'gone' || (at > 0 && became === 'eased');
    const known = outcome === null || !isEffective ? null : safetyOf(one, outcome);
    attempts.push({
      ...one,
      safety: known,
      finding,
      at,
      outcome: known === null ? null : outcome,
      isLeftOut,
    });
  }
  return attempts;
}

/** The fix with its edits, where they have their effect and need no option. */
function* shown(
  { fix, edits, safety, outcome, finding }: Attempt,
  trials: Trials | null,
  together: Proposal | undefined,
): Generator<void, FixReport> {
  if (outcome === null) return { fix, edits: [], safety: null };
  yield;
  const missing = outcome.missing([{ ...finding, safety }], together);
  if (missing.length === 0) return { fix, edits, safety };
  return { fix: [fix, ...(trials?.whatIsGuessed(missing) ?? [])].join(' '), edits: [], safety: null };
}

/** null when the edits change a start that must stay the same; unsafe when that cannot be known. */
function safetyOf({ safety }: FixReport, { starts }: Outcome): FixReport['safety'] {
  if (safety !== 'safe') return 'unsafe';
  return { same: 'safe', unknown: 'unsafe', changed: null }[starts] as FixReport['safety'];
}
