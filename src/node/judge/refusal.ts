/** What the rules about a node that would not start share. */
import type { ConfFacts, StartProblem } from '../facts/conf.js';
import type { Severity } from '../facts/severity.js';
import { effectiveAssignment, fileStart, sentence } from './conf.js';
import type { Verdict } from './rule.js';

/** One finding per problem of these kinds, at its place or at its variable. */
export function refusals(
  conf: ConfFacts,
  kinds: readonly StartProblem['kind'][],
  fix: (problem: StartProblem) => string,
  severity?: Severity,
): Verdict {
  const findings = conf.problems
    .filter(({ kind }) => kinds.includes(kind))
    .map((problem) => ({
      subject: subjectOf(problem),
      ...(severity === undefined ? {} : { severity }),
      at: problem.at ?? variablePlace(conf, problem.variable),
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

function variablePlace(conf: ConfFacts, variable: string | null) {
  return (variable === null ? undefined : effectiveAssignment(conf, variable)?.at) ?? fileStart(conf);
}
