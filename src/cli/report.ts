/** The verbs of `kaiactl report`. */
import { Command, type CommandUnknownOpts } from 'commander';
import type { Host } from '../host.js';
import { common } from './options.js';
import { type Outcome, verb } from './verb.js';

/** All report verbs, in the order help shows them. */
export function reportVerbs(host: Host, outcome: Outcome): CommandUnknownOpts[] {
  const command = new Command('schema');
  return [
    verb(
      {
        group: 'report',
        command,
        summary: 'the JSON Schema of the report that --format json prints',
        options: () => common(command),
        run: async (options, host) => (await import('../node/commands/report-schema.js')).run(options, host),
      },
      host,
      outcome,
    ),
  ];
}
