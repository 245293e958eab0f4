/** `kaiactl report convert <report>`: converts a saved report to another format. */

import { type ExitCode, exit } from '../../errors.js';
import type { Host } from '../../host.js';
import type { VerbOptions } from './options/verbs.js';
import { deliver, destinations } from './output.js';
import { loadReport } from './saved-report.js';
import { collectEarly } from './spool.js';

export type Options = VerbOptions<'convert'> & { readonly file: string };

/** The exit code does not depend on the report. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  collectEarly();
  destinations(options);
  await deliver(await loadReport(options.file, host), options, host);
  return exit.ok;
}
