/** Where reports go: one format on stdout, any number into files. */

import { resolve } from 'node:path';
import { type ExitCode, KaiactlError, writeFailure } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import type { CommonOptions } from '../../options/common.js';
import { isScreen, lineWidthOf, showsLinks, wantsColor, widthOf } from '../../terminal/capabilities.js';
import { suggest } from '../../util/closest.js';
import { groupBy } from '../../util/group-by.js';
import { once } from '../../util/once.js';
import { manifest } from '../../version.js';
import type { ReportStream, TargetReport } from '../facts/report.js';
import type { FailOn } from '../facts/severity.js';
import type { JudgeOptions } from '../pipeline.js';
import {
  fewNodes,
  formats,
  isFormat,
  maxReport,
  type RenderOptions,
  readable,
  renderOf,
  showingEdits,
} from '../report/index.js';
import type { LineWriter } from '../report/ndjson.js';
import { shareCauses } from '../shared-causes.js';
import { Tally } from '../summarise.js';
import type { OutputOptions as Declared, ReportingOptions as DeclaredReporting } from './options/shared.js';
import { fileLines, limitOf, stdoutLines } from './report-lines.js';
import { Spool } from './spool.js';

export interface Reporting {
  /** Adds targets in the order of the report. */
  add(target: TargetReport): Promise<void>;
  /** Writes the report; stdout gets `instead` unless it is null. */
  end(known: {
    readonly inputFailed: boolean;
    readonly instead?: string | null;
    readonly excluded?: number;
  }): Promise<ExitCode>;
}

/**
 * Starts a report. Lines of ndjson are written as targets are added.
 * @param failOn - for targets without a value of their own
 * @param prints - false: stdout gets something else than the report
 */
export function openReporting(
  options: ReportingOptions,
  failOn: FailOn,
  host: Host,
  prints = true,
): Reporting {
  const tally = new Tally(failOn);
  const targets = new Spool<TargetReport>();
  const { sinks, isPrinted, rest } = lineSinks(options, host, prints);
  const writer = once(async () => new (await import('../report/ndjson.js')).LineWriter());
  const within = limitOf(maxReport);
  const write = async (lineOf: (lines: LineWriter) => string): Promise<void> => {
    if (sinks.length === 0) return;
    const line = within(lineOf(await writer()));
    for (const sink of sinks) await sink.write(line);
  };
  const startedAt = host.now();
  return {
    async add(target) {
      tally.add(target);
      await write((lines) => lines.target(target));
      if (rest !== null) await targets.push(target);
    },
    async end({ inputFailed, instead = null, excluded = 0 }) {
      const { allowBlind, exitZero } = options;
      const report = tally.report(targets, {
        ...manifest(),
        startedAt,
        finishedAt: host.now(),
        failOn,
        allowBlind,
        exitZero,
        inputFailed,
        excluded,
        interrupted: host.signal.aborted,
      });
      await write((lines) => lines.summary(report));
      for (const sink of sinks) await sink.end();
      if (rest !== null) await deliver(report, rest, host, isPrinted ? '' : instead);
      return report.exitCode;
    },
  };
}

/** Targets in memory at a time, among which a cause is reported once. */
const maxHeld = 500;

/** The report, to which targets with files are added in batches: a cause in a file of several of them is reported once. */
export function shareInBatches(reporting: Reporting, failOn: FailOn): Reporting {
  const held: TargetReport[] = [];
  const release = async () => {
    for (const target of shareCauses(held.splice(0), failOn)) await reporting.add(target);
  };
  return {
    async add(target) {
      held.push(target);
      const isAlone = held.length === 1 && target.conf === null && target.files === undefined;
      if (isAlone || held.length >= maxHeld) await release();
    },
    async end(known) {
      await release();
      return await reporting.end(known);
    },
  };
}

/** Where lines of ndjson go, and the options of what is rendered after the last target; null if nothing is. */
function lineSinks(options: ReportingOptions, host: Host, prints: boolean) {
  const isPrinted = prints && options.format === 'ndjson';
  const files = groupBy(destinations(options), ({ format }) => format === 'ndjson');
  const sinks = (files.get(true) ?? []).map(({ file }) => fileLines(file, host));
  const report = (files.get(false) ?? []).map(({ format, file }) => `${format}=${file}`);
  return {
    sinks: isPrinted ? [stdoutLines(host), ...sinks] : sinks,
    isPrinted,
    rest: isPrinted && report.length === 0 ? null : { ...options, report },
  };
}

/** `kinds`: those of the targets. Default: every kind. */
export type OutputOptions = Declared &
  Pick<CommonOptions, 'color' | 'verbose'> &
  Partial<Pick<RenderOptions, 'kinds'>>;

export type ReportingOptions = OutputOptions & DeclaredReporting & Pick<CommonOptions, 'quiet'>;

export interface Destination {
  readonly format: string;
  readonly file: string;
}

/**
 * Checks the output options before any work is done.
 * @throws {KaiactlError} on an unknown format or a destination without a file (exit 2)
 */
export function destinations(options: Pick<OutputOptions, 'format' | 'report'>): Destination[] {
  checkFormat(options.format, '--format');
  const files = new Set<string>();
  return (options.report ?? []).map((given) => {
    const at = given.indexOf('=');
    const [format, file] = [given.slice(0, at), given.slice(at + 1)];
    if (file === '-')
      throw new KaiactlError(`--report ${given}: it writes files`, {
        hint: `--format ${format} writes to standard output.`,
      });
    if (files.has(file))
      throw new KaiactlError(`--report ${given}: an earlier --report writes this file too`);
    files.add(file);
    if (at <= 0 || file === '') {
      const ending = /\.(\w+)$/.exec(given)?.[1] ?? '';
      const format = isFormat(given) ? given : 'json';
      const meant = isFormat(ending) ? `${ending}=${given}` : `${format}=report.${format}`;
      throw new KaiactlError(`--report ${given}: write it as <format>=<file>`, {
        hint: `Example: --report ${meant}`,
      });
    }
    checkFormat(format, '--report');
    return { format, file };
  });
}

/**
 * Prints the report, or `instead`, and writes the files. With the format github, the step summary of the job gets the
 * Markdown report.
 * @throws {KaiactlError} when a file cannot be written (exit 2)
 */
export async function deliver(
  report: ReportStream,
  options: OutputOptions,
  host: Host,
  instead: string | null = null,
): Promise<void> {
  const { kinds } = options;
  const files = destinations(options);
  if (instead === null) {
    const { rows } = host.stdout;
    const screen = {
      columns: widthOf(host.stdout, host),
      lineColumns: lineWidthOf(host.stdout, host),
      ...(rows === undefined || !isScreen(host.stdout, host) ? {} : { rows }),
      links: showsLinks(host.stdout, host),
    };
    const color = wantsColor(options, host, host.stdout);
    await printPieces(
      host,
      rendered(report, options.format, { ...screen, kinds, verbose: options.verbose, color }),
    );
  } else await print(host.stdout, instead);
  const write = async (format: string, file: string, flag: 'w' | 'a'): Promise<void> => {
    const pieces = rendered(report, format, { ...inFile, kinds, verbose: options.verbose, color: false });
    const text = batched(pieces, format === 'csv' ? byteOrderMark : '');
    const { writeFile } = await import('node:fs/promises');
    await interruptible(host, () => writeFile(resolve(host.cwd, file), text, { flag })).catch((error) => {
      throw error instanceof KaiactlError ? error : writeFailure(`the report to ${file}`, error);
    });
  };
  for (const { format, file } of files) await write(format, file, 'w');
  const summary = host.env.GITHUB_STEP_SUMMARY;
  if (summary && [options, ...files].some(({ format }) => format === 'github')) {
    await write('markdown', summary, 'a');
  }
}

/** @throws {KaiactlError} when the report is larger than what `report` reads again (exit 2) */
async function* rendered(
  report: ReportStream,
  format: string,
  {
    color,
    kinds,
    ...options
  }: Omit<RenderOptions, 'kinds'> & { readonly color: boolean; readonly kinds: OutputOptions['kinds'] },
): AsyncGenerator<string> {
  const render = await renderOf(format, color);
  const within = readable.has(format) ? limitOf(maxReport) : (text: string) => text;
  // HTML shows the severity that a module has on any kind.
  const known = format === 'html' ? undefined : kinds;
  const all = { ...options, kinds: known ?? (await import('../kinds/index.js')).kinds };
  for await (const piece of render(report, all)) yield within(piece);
}

/** Prints pieces in larger ones, until the reader is gone. */
export async function printPieces({ stdout }: Host, pieces: AsyncIterable<string>): Promise<void> {
  for await (const text of batched(pieces)) if (!(await print(stdout, text))) break;
}

/** The findings of the next target, after `before` targets, whose edits a requested format shows. */
export function showsEdits(
  options: OutputOptions,
  before: number,
  { env }: Pick<Host, 'env'>,
): NonNullable<JudgeOptions['edits']> {
  const asked = [options, ...destinations(options)].map(({ format }) => format);
  const summary = env.GITHUB_STEP_SUMMARY && asked.includes('github') ? ['markdown'] : [];
  const showing = [...asked, ...summary].filter((format) => showingEdits.has(format));
  if (showing.some((format) => format !== 'text' || options.verbose)) return 'all';
  return showing.length > 0 && before < fewNodes ? 'whole' : 'none';
}

/** Lines of a file are not cut. */
const inFile = { columns: 80, lineColumns: Number.POSITIVE_INFINITY };

/** Spreadsheets read a CSV file without it in the code page of the system. */
const byteOrderMark = '\ufeff';

/** Characters of one write. */
const batch = 1 << 16;

async function* batched(pieces: AsyncIterable<string>, start = ''): AsyncGenerator<string> {
  let text = start;
  for await (const piece of pieces) {
    text += piece;
    if (text.length < batch) continue;
    yield text;
    text = '';
  }
  yield text;
}

function checkFormat(name: string, option: string): void {
  if (isFormat(name)) return;
  const known = Object.keys(formats);
  throw new KaiactlError(`${option} ${name}: there is no such format`, {
    hint: suggest(name, known, `Formats: ${known.join(', ')}.`),
  });
}
