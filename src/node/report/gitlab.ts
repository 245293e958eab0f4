/**
 * A GitLab Code Quality report: findings beside the lines of a merge request. An undetermined check is a major issue of
 * its target. Suppressed critical findings are `info`; other suppressed findings are omitted.
 */
import { shortHash } from '../../util/hash.js';
import type { Finding, TargetReport } from '../facts/report.js';
import type { Severity } from '../facts/severity.js';
import { line } from './escape.js';
import type { Render } from './format.js';
import { jsonPieces, listed } from './json.js';
import { acceptedCriticals, sourceName } from './listing.js';

/** https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const levels: Readonly<Record<Severity, Issue['severity']>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

export const gitlab: Render = ({ targets }) => jsonPieces(listed(targets, issuesOf));

function issuesOf(target: TargetReport): Issue[] {
  const open = target.findings.filter(({ suppressed }) => suppressed === null);
  return [
    ...open.map((finding) =>
      issue(target, finding, levels[finding.severity], `${finding.message} Fix: ${finding.fix}`),
    ),
    ...acceptedCriticals(target).map((finding) =>
      issue(target, finding, 'info', `suppressed critical: ${finding.message}`),
    ),
    ...target.undetermined.map(({ rule, reason, at: place }, at) => ({
      description: line(`undetermined: ${reason}`),
      check_name: line(rule),
      fingerprint: shortHash(target.name, 'undetermined', rule, String(at)),
      severity: 'major' as const,
      location: {
        path: pathOf(place?.file ?? sourceName(target)),
        lines: { begin: place?.line ?? 1 },
      },
    })),
  ];
}

/** The fingerprint includes the target: targets may share a file, and GitLab drops repeated fingerprints. */
function issue(target: TargetReport, finding: Finding, severity: Issue['severity'], text: string): Issue {
  const { at, rule, fingerprint } = finding;
  return {
    description: line(text),
    check_name: line(rule),
    fingerprint: shortHash(target.name, fingerprint),
    severity,
    location:
      'endpoint' in at
        ? { path: pathOf(sourceName(target)), lines: { begin: 1 } }
        : { path: pathOf(at.file), lines: { begin: at.line } },
  };
}

/** GitLab takes no `./` before a path. */
function pathOf(file: string): string {
  return line(file).replace(/^(?:\.\/)+/, '');
}
