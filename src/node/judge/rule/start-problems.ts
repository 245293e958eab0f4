/** What the rules about a node that would not start share. */

import { sentence } from '../../../util/words.js';
import type { Settings, StartProblem } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import type { Fix } from '../fix/fix.js';
import { fileStart } from '../settings/setting.js';
import type { Verdict } from './rule.js';

/** No command line has as many words that are refused; of a longer one the rest is not told one by one. */
const most = 50;

/** One finding per problem of these kinds, at its place or at its variable. */
export function refusals(
  settings: Settings,
  kinds: readonly StartProblem['kind'][],
  fix: (problem: StartProblem) => Fix,
  severity?: Severity,
): Verdict {
  const findings = settings.problems
    .filter(({ kind }) => kinds.includes(kind))
    .slice(0, most)
    .map((problem) => ({
      subject: subjectOf(problem),
      ...(severity === undefined ? {} : { severity }),
      at: problem.at ?? fileStart(settings),
      message: sentence(problem.message),
      fix: fix(problem),
      evidence: { kind: problem.kind, fatal: problem.fatal },
    }));
  return { findings, blindSpots: [] };
}

/** The variable that asks for it; for ADDITIONAL the flag itself. */
function subjectOf({ variable, flags, kind }: StartProblem): string {
  return variable !== null && variable !== 'ADDITIONAL' ? variable : (flags[0] ?? kind);
}
