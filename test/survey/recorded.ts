/** The answers recorded from the original app, when they are there. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly sent?: string;
  readonly status: number;
  readonly ctype: string | null;
  readonly body: string;
}

const file = resolve(import.meta.dirname, '../../../shared/facts/survey-exchanges.json');

/** Null, with a word on stderr, where the recording is not at hand. */
export const recorded: readonly Recorded[] | null = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded[])
  : null;
if (recorded === null) process.stderr.write('SKIPPED: recorded exchanges of the original app are not here\n');
