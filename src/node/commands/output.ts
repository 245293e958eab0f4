/** Where reports go: one format on stdout, any number into files. */
import { appendFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { wantsColor } from '../../terminal/colour.js';
import { widthOf } from '../../terminal/width.js';
import { closest } from '../../util/closest.js';
import type { Report } from '../facts/report.js';
import { fewNodes, formats, isFormat, showingEdits } from '../report/index.js';
import type { JudgingOptions } from './judging.js';

export interface OutputOptions {
  readonly format: string;
  /** `<format>=<file>`, as given. */
  readonly report?: readonly string[];
  readonly color: boolean;
  readonly verbose: boolean;
}

/** What every command that ends in a report takes. */
export interface ReportingOptions extends OutputOptions, JudgingOptions {
  readonly exitZero: boolean;
  readonly allowBlind: boolean;
  readonly quiet: boolean;
}

export interface Destination {
  readonly format: string;
  readonly file: string;
}

/**
 * Checks the output options before any work is done.
 * @throws {KaiactlError} on an unknown format or a destination without a file (exit 2)
 */
export function destinations(options: OutputOptions): Destination[] {
  checkFormat(options.format, '--format');
  return (options.report ?? []).map((given) => {
    const at = given.indexOf('=');
    const [format, file] = [given.slice(0, at), given.slice(at + 1)];
    if (at <= 0 || file === '') {
      throw new KaiactlError(`--report ${given}: write it as <format>=<file>`, {
        hint: 'Example: --report json=report.json',
      });
    }
    checkFormat(format, '--report');
    return { format, file };
  });
}

/**
 * Prints the report, or what stdout is for instead of it, and writes the files; with the format github, the job's step
 * summary gets the Markdown.
 * @throws {KaiactlError} when a file cannot be written (exit 2)
 */
export async function deliver(
  report: Report,
  options: OutputOptions,
  host: Host,
  instead: string | null = null,
): Promise<void> {
  const files = destinations(options);
  if (instead === null) {
    const render = await load(options.format, wantsColor(options, host, host.stdout));
    await print(
      host.stdout,
      render(report, { columns: widthOf(host.stdout, host), verbose: options.verbose }),
    );
  } else await print(host.stdout, instead);
  const plain = async (format: string): Promise<string> =>
    (await load(format, false))(report, { columns: 80, verbose: options.verbose });
  for (const { format, file } of files) {
    const text = await plain(format);
    await attempt(file, () => writeFile(resolve(host.cwd, file), text));
  }
  const summary = host.env.GITHUB_STEP_SUMMARY;
  if (summary && [options, ...files].some(({ format }) => format === 'github')) {
    const text = await plain('markdown');
    await attempt(summary, () => appendFile(resolve(host.cwd, summary), text));
  }
}

/** Whether a format asked for shows the edits of one more target behind `before` others. */
export function showsEdits(options: OutputOptions, before: number, { env }: Pick<Host, 'env'>): boolean {
  const asked = [options, ...destinations(options)].map(({ format }) => format);
  const summary = env.GITHUB_STEP_SUMMARY && asked.includes('github') ? ['markdown'] : [];
  return [...asked, ...summary].some(
    (format) => showingEdits.has(format) && (format !== 'text' || options.verbose || before < fewNodes),
  );
}

async function attempt(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new KaiactlError(`cannot write the report to ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function load(format: string, color: boolean) {
  const loader = formats[format];
  if (loader === undefined) throw new Error(`no format ${format}`);
  return await loader(color);
}

function checkFormat(name: string, option: string): void {
  if (isFormat(name)) return;
  const near = closest(name, Object.keys(formats));
  throw new KaiactlError(`${option} ${name}: there is no such format`, {
    hint: near === null ? `Formats: ${Object.keys(formats).join(', ')}.` : `Did you mean ${near}?`,
  });
}
