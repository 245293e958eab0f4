/** `kaiactl report diff <before> <after>`: lists changes; with --vantage, compares inside with outside. */

import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { widthOf } from '../../terminal/capabilities.js';
import { atLeast, type FailOn } from '../facts/severity.js';
import {
  type DiffStream,
  DiffSummary,
  diffOf,
  diffTarget,
  type Head,
  headOf,
  pairsOf,
  type TargetDiff,
} from '../report/diff.js';
import { diffMarkdown, diffText, vantageMarkdown, vantageText } from '../report/diff-text.js';
import { jsonText } from '../report/escape.js';
import { jsonPieces } from '../report/json.js';
import { compareVantage, type VantageReport } from '../report/vantage.js';
import type { VerbOptions } from './options/verbs.js';
import { printPieces } from './output.js';
import { loadReport, type SavedReport } from './saved-report.js';
import { collectEarly, Spool } from './spool.js';

export type Options = VerbOptions<'diff'> & { readonly before: string; readonly after: string };

const differences = { text: diffText, json: jsonPieces, markdown: diffMarkdown } as const;
const vantages = { text: vantageText, json: jsonText, markdown: vantageMarkdown } as const;

/** Exit 1: a finding at or above --fail-on is new or worse, or outside reaches a private interface; 3: less is seen. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  collectEarly();
  const [before, after] = [await loadReport(options.before, host), await loadReport(options.after, host)];
  const width = widthOf(host.stdout, host);
  if (options.vantage) {
    const seen = await compareVantage(before, after);
    const report: VantageReport = {
      ...seen,
      exitCode: codeOf(seen.exposed.length > 0, seen.unseen.length > 0, options),
    };
    await print(host.stdout, vantages[options.format](report, width));
    return report.exitCode as ExitCode;
  }
  const diff = await diffed(before, after, options);
  await printPieces(host, differences[options.format](diff, width));
  return diff.exitCode as ExitCode;
}

async function diffed(before: SavedReport, after: SavedReport, options: Options): Promise<DiffStream> {
  const targets = new Spool<TargetDiff>();
  const summary = new DiffSummary();
  let [worse, blinder] = [false, false];
  for (const [earlier, later] of pairsOf(await headsOf(before), await headsOf(after))) {
    const then = earlier === null ? undefined : await before.targets.at(earlier);
    const target = diffTarget(then, later === null ? undefined : await after.targets.at(later));
    if (!summary.add(target)) continue;
    worse ||= isWorse(target, options.failOn);
    blinder ||= isBlinder(target);
    await targets.push(target);
  }
  const exitCode = codeOf(worse, blinder, options);
  return { ...diffOf(before.startedAt, after.startedAt, targets, summary), exitCode };
}

async function headsOf({ targets }: SavedReport): Promise<Head[]> {
  const heads: Head[] = [];
  for await (const target of targets) heads.push(headOf(target, heads.length));
  return heads;
}

function isWorse(target: TargetDiff, failOn: FailOn): boolean {
  if (failOn === 'none') return false;
  return (
    target.new.some(({ severity }) => atLeast(severity, failOn)) ||
    target.changed.some(
      ({ from, finding }) => atLeast(finding.severity, failOn) && !atLeast(from, finding.severity),
    )
  );
}

function isBlinder({ after, unseen, gone }: TargetDiff): boolean {
  return after === null || unseen.length > 0 || gone.some(({ why }) => why === 'not-seen');
}

function codeOf(worse: boolean, blind: boolean, { exitZero, allowBlind }: Options): ExitCode {
  if (exitZero) return exit.ok;
  if (worse) return exit.failed;
  return blind && !allowBlind ? exit.unseen : exit.ok;
}
