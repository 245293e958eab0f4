/** Settings with which the node does not start, and flags that only other releases have. */
import { closest } from '../../../util/closest.js';
import { oncePer, oncePerKey } from '../../../util/once-per.js';
import { sentence } from '../../../util/words.js';
import type { StartProblem } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import type { Fix } from '../../fix/proposal/fix.js';
import type { FlagSet } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import { isBefore, isExact, periodName } from '../../kinds/release.js';
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
      severity: severity?.(problem),
      at: problem.at ?? fileStart(settings),
      message: sentence(problem.message),
      fix: fix(problem),
      evidence: { kind: problem.kind, fatal: problem.fatal },
    }));
  return { findings, blindSpots: [] };
}

/** Files hold any number of names, and the flags of a release last as long as the program. */
const maxNames = 200;

const nearest = oncePer((flags: FlagSet) =>
  oncePerKey((name: string) => closest(name, Object.keys(flags.defaults)), maxNames),
);

/** The flag that a name may mean, looked for once a name; null if none is near. */
export function nearestFlag({ nodeKind, launcher }: NodeSettings, name: string): string | null {
  return nearest(nodeKind.flags.of(nodeKind.programOf(launcher)))(name);
}

/** Whether it is a flag that other releases have, for kinds whose rule about it is removed-flag. */
export function isRemoved(
  { nodeKind, release }: NodeSettings,
  { kind, flags: [flag] }: StartProblem,
): boolean {
  if (kind !== 'unknown-flag' || flag === undefined || !nodeKind.flags.removedTogether) return false;
  // A fork may have what the release that it descends from lacks.
  if (release?.fork !== undefined) return false;
  const { since, until } = nodeKind.flags.period(flag) ?? {};
  return since !== undefined || until !== undefined;
}

/** Which releases have a flag that this one lacks, as a clause: `up to geth v1.10.8`, `not known yet: from geth v1.11.0 on`. */
export function otherReleasesWith({ nodeKind, release }: NodeSettings, flag: string): string {
  const { since, until } = nodeKind.flags.period(flag) ?? {};
  const { since: first, until: last } = release ?? { since: nodeKind.release.id, until: nodeKind.release.id };
  if (until !== undefined && isBefore(nodeKind, until, first)) return periodName({ until });
  if (since !== undefined && isBefore(nodeKind, last, since))
    return `not known yet: ${periodName({ since })} on`;
  return 'which other releases have';
}

/** Whether a release that the node may be has the flag: what the flag does is judged there. */
export function isInAnother(
  { nodeKind, release }: NodeSettings,
  { kind, flags: [flag] }: StartProblem,
): boolean {
  const period = kind === 'unknown-flag' && flag !== undefined ? nodeKind.flags.period(flag) : null;
  if (period === null || release === undefined || isExact(release)) return false;
  const { since = release.since, until = release.until } = period;
  return !isBefore(nodeKind, release.until, since) && !isBefore(nodeKind, until, release.since);
}
