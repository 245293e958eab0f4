/** `kaiactl report merge <reports…>` and `convert <report>`: merges the reports of shards, and converts a saved one. */
import { basename } from 'node:path';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { repeatedIn } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { joinFirst } from '../../util/words.js';
import type { ReportStream, RuleInfo, Targets } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { addChanges } from '../summarise.js';
import type { VerbOptions } from './options/verbs.js';
import { deliver } from './output.js';
import { checkOutputs } from './outputs.js';
import { loadReport, type SavedReport } from './saved-report.js';
import { collectEarly } from './spool.js';

export type Options = VerbOptions<'merge'> & { readonly files: readonly string[] };

/** The exit code does not depend on the report. */
export async function convert(file: string, options: VerbOptions<'convert'>, host: Host): Promise<ExitCode> {
  collectEarly();
  checkOutputs({ ...options, file } as typeof options, host);
  await deliver(await loadReport(file, host), options, host);
  return exit.ok;
}

/** The exit code is that of the whole run; --exit-zero makes it 0, in the report too. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  collectEarly();
  checkOutputs(options, host);
  const saved: Shard[] = [];
  for (const file of options.files) saved.push(await shardIn(file, host));
  const shared = sharedNames(saved);
  const nameIn = (file: string, name: string): string =>
    shared.has(name) ? `${basename(file).replace(/\.(?:nd)?json$/, '')}: ${name}` : name;
  const targets: Targets = {
    async *[Symbol.asyncIterator]() {
      for (const { file, report } of saved)
        for await (const target of report.targets) yield { ...target, name: nameIn(file, target.name) };
    },
  };
  const names = saved.flatMap(({ file, names }) => names.map((name) => nameIn(file, name)));
  const reports = saved.map(({ report }): Head => ({ ...report, ...noTargets }));
  const [first, ...others] = reports;
  if (first === undefined) throw new KaiactlError('name at least one report to merge');
  sameThreshold(reports, options.files);
  const report = merge(targets, first, ...others);
  if (!options.quiet)
    for (const note of notes(names, reports, options.files)) await print(host.stderr, `kaiactl: ${note}\n`);
  const exitCode = options.exitZero ? exit.ok : (report.exitCode as ExitCode);
  await deliver({ ...report, exitCode }, options, host);
  return exitCode;
}

interface Shard {
  readonly file: string;
  readonly report: SavedReport;
  readonly names: readonly string[];
}

async function shardIn(file: string, host: Host): Promise<Shard> {
  const report = await loadReport(file, host);
  const names: string[] = [];
  for await (const { name } of report.targets) names.push(name);
  return { file, report, names };
}

/** Names in several reports, such as a conf path on every machine: the name of the report file is added to them. */
function sharedNames(shards: readonly Shard[]): ReadonlySet<string> {
  // Stdin has no name.
  const files = shards.filter(({ file }) => file !== '-');
  return new Set(repeatedIn(files.flatMap(({ names }) => [...new Set(names)])));
}

/** Not omitted, to keep the order of fields. */
const noTargets = { targets: [] };

function sameThreshold(reports: readonly Head[], files: readonly string[]): void {
  const other = reports.findIndex(({ failOn }) => failOn !== reports[0]?.failOn);
  if (other < 0) return;
  throw new KaiactlError(
    `${visible(files[other] ?? '')} fails at ${reports[other]?.failOn}, ${visible(files[0] ?? '')} at ${reports[0]?.failOn}`,
    { hint: 'Run all shards with the same --fail-on.' },
  );
}

function notes(names: readonly string[], reports: readonly Head[], files: readonly string[]): string[] {
  const interrupted = files.filter((_, at) => reports[at]?.exitCode === exit.interrupted);
  const repeated = repeatedIn(names).map((name) => visible(name));
  return [
    ...(repeated.length === 0 ? [] : [`more than once, and all are kept: ${joinFirst(repeated, 3)}`]),
    ...interrupted.map((file) => `${visible(file)} was interrupted: what it skipped is not seen`),
  ];
}

/** See docs/exit-codes.md. */
const precedence: readonly number[] = [exit.defect, exit.usage, exit.failed, exit.unseen, exit.ok];

/** A report without its targets. */
type Head = Omit<ReportStream, 'targets'>;

/** A report of all `targets`, with the totals and the exit code of one run. */
export function merge(targets: Targets, first: Head, ...others: readonly Head[]): ReportStream {
  const reports = [first, ...others];
  const summary = { ...first.summary };
  for (const name of [...severities, 'targets', 'suppressed', 'undetermined'] as const) {
    summary[name] = reports.reduce((sum, report) => sum + report.summary[name], 0);
  }
  const changes = reports.flatMap((report) => report.summary.changed ?? []);
  const excluded = reports.reduce((sum, report) => sum + (report.summary.excluded ?? 0), 0);
  return {
    ...first,
    startedAt: byTime(reports.map(({ startedAt }) => startedAt))[0] ?? '',
    finishedAt: byTime(reports.map(({ finishedAt }) => finishedAt)).at(-1) ?? '',
    targets,
    rules: rulesOf(reports),
    summary: {
      ...summary,
      ...(excluded === 0 ? {} : { excluded }),
      ...(changes.length === 0 ? {} : { changed: changes.reduce(addChanges) }),
    },
    exitCode: worst(reports.map(({ exitCode }) => exitCode)),
  };
}

function byTime(times: readonly string[]): string[] {
  return [...times].sort((a, b) => Date.parse(a) - Date.parse(b));
}

/** An interrupted shard counts as unseen; an unknown code as a defect. */
function worst(codes: readonly number[]): number {
  const known = codes.map((code) => (code === exit.interrupted ? exit.unseen : code));
  if (known.some((code) => !precedence.includes(code))) return exit.defect;
  return precedence.find((code) => known.includes(code)) ?? exit.ok;
}

function rulesOf(reports: readonly Head[]): RuleInfo[] {
  const rules = new Map(reports.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule] as const)));
  return [...rules.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
