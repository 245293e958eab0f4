/** Shared by the rules about settings with which the node does not start. */
import { sentence } from '../../../util/words.js';
import type { StartProblem } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import type { Fix } from '../../fix/proposal/fix.js';
import type { NodeSettings } from '../../kinds/node.js';
import { fileStart, variableOf } from '../settings/setting.js';
import type { Verdict } from './rule.js';

/** Findings are limited to this many problems. */
const maxProblems = 50;

/** One finding per start problem of these kinds. */
export function startProblems(
  settings: NodeSettings,
  kinds: readonly StartProblem['kind'][],
  fix: (problem: StartProblem) => Fix,
  severity?: (problem: StartProblem) => Severity | undefined,
): Verdict {
  const findings = settings.problems
    .filter(({ kind }) => kinds.includes(kind))
    .slice(0, maxProblems)
    .map((problem) => ({
      subject: variableOf(settings, problem) ?? problem.flags[0] ?? problem.kind,
      ...severityOf(severity?.(problem)),
      at: problem.at ?? fileStart(settings),
      message: sentence(problem.message),
      fix: fix(problem),
      evidence: { kind: problem.kind, fatal: problem.fatal },
    }));
  return { findings, blindSpots: [] };
}

function severityOf(severity: Severity | undefined) {
  return severity === undefined ? {} : { severity };
}
