/** `kaiactl report convert <report>`: a saved report in another format. */
import { type ExitCode, exit } from '../../errors.js';
import type { Host } from '../../host.js';
import { deliver, destinations, type OutputOptions } from './output.js';
import { loadReport } from './saved-report.js';

export interface Options extends OutputOptions {
  readonly file: string;
}

/** 0 when it could be converted, whatever the report says. */
export async function run(options: Options, host: Host): Promise<ExitCode> {
  destinations(options);
  await deliver(await loadReport(options.file, host), options, host);
  return exit.ok;
}
