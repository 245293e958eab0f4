/** `kaiactl report diff <before> <after>`: lists changes; with --vantage, compares inside with outside. */

import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { widthOf } from '../../terminal/capabilities.js';
import { atLeast, type FailOn } from '../facts/severity.js';
import { diffReports, type ReportDiff } from '../report/diff.js';
import { diffMarkdown, diffText, vantageMarkdown, vantageText } from '../report/diff-text.js';
import { jsonText } from '../report/escape.js';
import { compareVantage, type VantageReport } from '../report/vantage.js';
import type { DiffOptions } from './options/report.js';
import { loadReport } from './saved-report.js';

export type Options = DiffOptions & { readonly before: string; readonly after: string };

const differences = { text: diffText, json: jsonText, markdown: diffMarkdown } as const;
const vantages = { text: vantageText, json: jsonText, markdown: vantageMarkdown } as const;

/** Exit 1: a finding at or above --fail-on is new or worse, or outside reaches a private interface; 3: less is seen. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  const [before, after] = [await loadReport(options.before, host), await loadReport(options.after, host)];
  if (options.vantage) {
    const seen = compareVantage(before, after);
    const report: VantageReport = {
      ...seen,
      exitCode: codeOf(seen.exposed.length > 0, seen.unseen.length > 0, options),
    };
    await print(host.stdout, vantages[options.format](report, widthOf(host.stdout, host)));
    return report.exitCode as ExitCode;
  }
  const found = diffReports(before, after);
  const diff: ReportDiff = {
    ...found,
    exitCode: codeOf(isWorse(found, options.failOn), isBlinder(found), options),
  };
  await print(host.stdout, differences[options.format](diff, widthOf(host.stdout, host)));
  return diff.exitCode as ExitCode;
}

function isWorse({ targets }: Omit<ReportDiff, 'exitCode'>, failOn: FailOn): boolean {
  if (failOn === 'none') return false;
  return targets.some(
    (target) =>
      target.new.some(({ severity }) => atLeast(severity, failOn)) ||
      target.changed.some(
        ({ from, finding }) => atLeast(finding.severity, failOn) && !atLeast(from, finding.severity),
      ),
  );
}

function isBlinder({ targets }: Omit<ReportDiff, 'exitCode'>): boolean {
  return targets.some(
    ({ after, unseen, gone }) =>
      after === null || unseen.length > 0 || gone.some(({ why }) => why === 'not-seen'),
  );
}

function codeOf(worse: boolean, blind: boolean, { exitZero, allowBlind }: Options): ExitCode {
  if (exitZero) return exit.ok;
  if (worse) return exit.failed;
  return blind && !allowBlind ? exit.unseen : exit.ok;
}
