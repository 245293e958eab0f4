/** Verifies fixes: edits that fail are removed, and the fix remains as a sentence. */
import type { Facts } from '../facts/facts.js';
import type { Finding, FixReport } from '../facts/report.js';
import type { Judge, Judged } from './state.js';
import { type Outcome, Trials } from './trials.js';

/**
 * The findings with verified edits only. Applied in memory and judged again, edits must remove their finding (or, as an
 * alternative, lower its severity), add none, and let every node start; safe edits must keep the start unchanged. This
 * must hold for every possible launcher and package if these are guessed. Suppressed findings need no fix. Pure.
 */
export function verify(
  facts: Facts,
  findings: readonly Finding[],
  judged: Judged,
  judge: Judge,
): readonly Finding[] {
  if (!findings.some((one) => hasEdits(one))) return findings;
  const trials = Trials.of(facts, judged, judge);
  return findings.map((finding) =>
    !hasEdits(finding)
      ? finding
      : finding.suppressed === null
        ? verified(finding, trials)
        : sentenceAlone(finding),
  );
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

function verified(finding: Finding, trials: Trials | null): Finding {
  const { fix, edits = [], safety = null, alternatives } = finding;
  const held = (one: FixReport, aims: readonly string[]): FixReport => {
    const outcome = one.edits.length === 0 ? null : (trials?.outcome(one) ?? null);
    const safety =
      outcome === null || !aims.includes(outcome.became(finding)) ? null : safetyOf(one, outcome);
    const missing = safety === null ? [] : (outcome?.missing([{ ...finding, safety }]) ?? []);
    if (safety !== null && missing.length === 0) return { ...one, safety };
    return { fix: [one.fix, ...(trials?.whatIsGuessed(missing) ?? [])].join(' '), edits: [], safety: null };
  };
  const first = held({ fix, edits, safety }, ['gone']);
  return {
    ...finding,
    ...first,
    ...(alternatives === undefined
      ? {}
      : { alternatives: alternatives.map((one) => held(one, ['gone', 'eased'])) }),
  };
}

/** null when the edits change a start that must stay the same; unsafe when that cannot be known. */
function safetyOf({ safety }: FixReport, { starts }: Outcome): FixReport['safety'] {
  if (safety !== 'safe') return 'unsafe';
  return { same: 'safe', unknown: 'unsafe', changed: null }[starts] as FixReport['safety'];
}
