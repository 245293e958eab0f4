/** Output options never replace a file that kaiactl did not write, nor an input of the run. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import { isOwnOutput } from '../deployment/own-output.js';
import { searchedText } from '../deployment/searched-text.js';
import { realPath } from '../sources/file.js';
import { destinations, type OutputOptions } from './output.js';

/** Whether the head of a file, whose characters are bytes, is that of a file which the option writes. */
const writes: Readonly<Record<string, (head: string) => boolean>> = {
  writeBaseline: (head) => /^\s*\{\s*"schema"\s*:\s*"kaiactl\/baseline-/.test(head),
  saveFacts: (head) => /^\s*\{\s*"schema"\s*:\s*"kaiactl\/facts-/.test(head),
  textfile: (head) => /^# HELP kaiactl_/m.test(head),
  report: (head) => !/^\s*\{\s*"schema"\s*:\s*"kaiactl\/(?!report-)/.test(head) && isReport(head),
};

/** Reports without a finding begin with no word that is kaiactl’s alone. */
const isReport = (head: string): boolean =>
  isOwnOutput(head) ||
  /^(?:kaiactl: \d+ finding|\[\]\s*$|<\?xml[^>]*>\s*<checkstyle\b|[^\s#][^\n=]* Â· )/.test(head);

/**
 * Checks the output options before any work is done.
 * @throws {KaiactlError} on an invalid one, or if its file is an input or was not written by the same option (exit 2)
 */
export function checkOutputs(
  options: Pick<OutputOptions, 'format' | 'report'>,
  { cwd }: Pick<Host, 'cwd'>,
): void {
  const given = Object.entries({ ...options, report: destinations(options).map(({ file }) => file) });
  const pathsOf = (value: unknown) => [value].flat().filter((one): one is string => typeof one === 'string');
  const inputs = given.filter(([key]) => writes[key] === undefined && key !== 'baseline' && key !== 'state');
  const read = new Set(
    inputs.flatMap(([, value]) => pathsOf(value)).map((one) => realPath(resolve(cwd, one))),
  );
  for (const [key, value] of given)
    for (const file of writes[key] === undefined ? [] : pathsOf(value)) {
      const path = realPath(resolve(cwd, file));
      if (!existsSync(path) || !statSync(path).isFile()) continue;
      const head = searchedText(path, undefined)?.head.replace(/^ï»¿/, '');
      if (head === '' || (head !== undefined && !read.has(path) && writes[key]?.(head))) continue;
      const option = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const why = read.has(path) ? 'it is an input of this run' : `${option} did not write it`;
      throw new KaiactlError(`${option} would replace ${visible(file)}: ${why}`, {
        hint: 'Name another file.',
      });
    }
}
