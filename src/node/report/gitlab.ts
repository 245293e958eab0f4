/**
 * A GitLab Code Quality report: findings beside the lines of a merge request. An undetermined check is a major issue of
 * its target. Suppressed critical findings are `info`; other suppressed findings are omitted.
 */
import { shortHash } from '../../util/hash.js';
import type { Place, TargetReport } from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import { line } from './escape.js';
import type { Render } from './format.js';
import { itemsOf, jsonPieces } from './json.js';
import { acceptedCriticals, pathOf, sourceName } from './listing.js';

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const levels = forSeverities<Issue['severity']>('blocker', 'critical', 'major', 'minor', 'info');

export const gitlab: Render = ({ targets }) => jsonPieces(itemsOf(targets, issuesOf));

/** Fingerprints include the target: targets may share a file, and GitLab drops repeated fingerprints. */
function issuesOf(target: TargetReport): Issue[] {
  const open = target.findings.filter(({ suppressed }) => suppressed === null);
  return [
    ...open.map(({ at, rule, severity, message, fix, fingerprint }) =>
      issue(target, at, rule, levels[severity], `${message} Fix: ${fix}`, [fingerprint]),
    ),
    ...acceptedCriticals(target).map(({ at, rule, message, fingerprint }) =>
      issue(target, at, rule, 'info', `suppressed critical: ${message}`, [fingerprint]),
    ),
    ...target.undetermined.map(({ at, rule, reason }, index) =>
      issue(target, at, rule, 'major', `undetermined: ${reason}`, ['undetermined', rule, String(index)]),
    ),
  ];
}

function issue(
  target: TargetReport,
  at: Place | undefined,
  rule: string,
  severity: Issue['severity'],
  text: string,
  identity: readonly string[],
): Issue {
  const { file, line: begin } =
    at === undefined || 'endpoint' in at ? { file: sourceName(target), line: 1 } : at;
  return {
    description: line(text),
    check_name: line(rule),
    fingerprint: shortHash(target.name, ...identity),
    severity,
    location: { path: pathOf(file), lines: { begin } },
  };
}
