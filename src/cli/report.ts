/** The verbs of `kaiactl report`. */
import type { Command } from 'commander';
import type { Host } from '../host.js';
import { type Outcome, verb } from './verb.js';

/** All report verbs, in the order help shows them. */
export function reportVerbs(host: Host, outcome: Outcome): Command[] {
  return [
    verb(
      {
        group: 'report',
        name: 'schema',
        summary: 'the JSON Schema of the report that --format json prints',
        load: () => import('../node/commands/report-schema.js'),
      },
      host,
      outcome,
    ),
  ];
}
