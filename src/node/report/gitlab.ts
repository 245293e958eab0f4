/**
 * A GitLab Code Quality report: findings beside the lines of a merge request. An undetermined check is a major issue of
 * its target. Suppressed critical findings are `info`; other suppressed findings are omitted.
 */
import { shortHash } from '../../util/hash.js';
import type { TargetReport } from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import { line } from './escape.js';
import type { Render } from './format.js';
import { itemsOf, jsonPieces } from './json.js';
import { type Problem, pathOf, problemsOf, sourceName } from './listing.js';

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const levels: Readonly<Record<Problem['kind'], Issue['severity']>> = {
  ...forSeverities<Issue['severity']>('blocker', 'critical', 'major', 'minor', 'info'),
  accepted: 'info',
  undetermined: 'major',
};

export const gitlab: Render = ({ targets }) =>
  jsonPieces(itemsOf(targets, (target) => problemsOf(target).map((one) => issueOf(target, one))));

/** Fingerprints include the target: targets may share a file, and GitLab drops repeated fingerprints. */
function issueOf(target: TargetReport, { kind, rule, at, text, finding }: Problem): Issue {
  const { file, line: begin } =
    at === undefined || 'endpoint' in at ? { file: sourceName(target), line: 1 } : at;
  return {
    description: line(text),
    check_name: line(rule),
    fingerprint: shortHash(target.name, finding?.fingerprint ?? `${rule} ${text}`),
    severity: levels[kind],
    location: { path: pathOf(file), lines: { begin } },
  };
}
