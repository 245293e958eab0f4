/** Verifies fixes: edits that fail are removed, and the fix remains as a sentence. */
import type { Facts } from '../facts/facts.js';
import type { Finding, FixReport } from '../facts/report.js';
import type { Judge, Judged } from './state.js';
import { type Outcome, type TrialMemory, Trials } from './trials.js';

/**
 * The findings with verified edits only. Applied in memory and judged again, edits must remove their finding (or, as an
 * alternative, lower its severity), add none, and let every node start; safe edits must keep the start unchanged. This
 * must hold for every possible launcher and package if these are guessed. Suppressed findings need no fix. Pure; pauses
 * before each trial.
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
  const result: Finding[] = [];
  for (const finding of findings) {
    if (!hasEdits(finding)) result.push(finding);
    else if (finding.suppressed !== null) result.push(sentenceAlone(finding));
    else result.push(yield* verified(finding, trials));
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

function* verified(finding: Finding, trials: Trials | null): Generator<void, Finding> {
  const { fix, edits = [], safety = null, alternatives } = finding;
  const first = yield* held({ fix, edits, safety }, finding, trials, ['gone']);
  if (alternatives === undefined) return { ...finding, ...first };
  const others: FixReport[] = [];
  for (const one of alternatives) others.push(yield* held(one, finding, trials, ['gone', 'eased']));
  return { ...finding, ...first, alternatives: others };
}

/** The fix with its edits, where they come to one of these aims. */
function* held(
  one: FixReport,
  finding: Finding,
  trials: Trials | null,
  aims: readonly string[],
): Generator<void, FixReport> {
  yield;
  const outcome = one.edits.length === 0 ? null : (trials?.outcome(one) ?? null);
  const safety = outcome === null || !aims.includes(outcome.became(finding)) ? null : safetyOf(one, outcome);
  const missing = safety === null ? [] : (outcome?.missing([{ ...finding, safety }]) ?? []);
  if (safety !== null && missing.length === 0) return { ...one, safety };
  return { fix: [one.fix, ...(trials?.whatIsGuessed(missing) ?? [])].join(' '), edits: [], safety: null };
}

/** null when the edits change a start that must stay the same; unsafe when that cannot be known. */
function safetyOf({ safety }: FixReport, { starts }: Outcome): FixReport['safety'] {
  if (safety !== 'safe') return 'unsafe';
  return { same: 'safe', unknown: 'unsafe', changed: null }[starts] as FixReport['safety'];
}
