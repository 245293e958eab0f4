/** Lints a folder as a working folder, with names from that folder also where it lies in this checkout. */
import { relative } from 'node:path';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';

const checkout = new URL('../../..', import.meta.url).pathname;

export async function lintIn(folder: string, ...options: readonly string[]): Promise<Report> {
  const words = ['node', 'lint', '.', '--exclude', 'expected.json', '--format', 'json', ...options];
  const { stdout } = await kaiactl(words, { cwd: folder });
  return JSON.parse(stdout.replaceAll(`${relative(checkout, folder)}/`, ''));
}
