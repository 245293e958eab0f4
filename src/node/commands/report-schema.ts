/** `kaiactl report schema`: the JSON Schema (draft 2020-12) of report version 1. */
import { type ExitCode, exit } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { reportSchema } from '../report/schema.js';

/** Prints the schema as JSON. */
export async function run(_options: object, host: Host): Promise<ExitCode> {
  await print(host.stdout, `${JSON.stringify(reportSchema, null, 2)}\n`);
  return exit.ok;
}
