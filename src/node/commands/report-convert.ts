/** `kaiactl report convert <report>`: a saved report in another format. */

import { type ExitCode, exit } from '../../errors.js';
import type { Host } from '../../host.js';
import type { ConvertOptions } from './options/report.js';
import { deliver, destinations } from './output.js';
import { loadReport } from './saved-report.js';

export type Options = ConvertOptions & { readonly file: string };

/** 0 when it could be converted, whatever the report says. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  destinations(options);
  await deliver(await loadReport(options.file, host), options, host);
  return exit.ok;
}
