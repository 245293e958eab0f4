/** The verb of `kaiactl node` that goes on. */
import { Command, type CommandUnknownOpts, Option } from 'commander';
import type { Host } from '../host.js';
import { confOptions } from './conf-options.js';
import { connection } from './connection.js';
import { common, format } from './options.js';
import { counting } from './reporting.js';
import { type Outcome, verb } from './verb.js';

/** `watch`. */
export function watchVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('watch').argument('[targets...]');
  return verb(
    {
      group: 'node',
      command,
      summary: 'audit again and again, print only what changes, keep metrics',
      options: () =>
        common(
          counting(connection(confOptions(command)))
            .option(
              '--inventory <file>',
              'a fleet: an ini file with a section for each node; SIGHUP reads it again',
            )
            .option('--targets-from <file>', 'a target a line')
            .option('--interval <time>', 'between two rounds, a tenth more or less', '5m')
            .option('--textfile <file>', 'metrics for the textfile collector of Prometheus’ node exporter')
            .option('--listen <address>', 'metrics for Prometheus at this address, as 127.0.0.1:9469')
            .option('--webhook <url>', 'post each change there as JSON')
            .addOption(
              new Option(
                '--probe <depth>',
                'none: what it is and offers; safe: also existence probes and access',
              )
                .choices(['none', 'safe'])
                .default('safe'),
            )
            .option('--concurrency <n>', 'nodes asked at the same time', '16')
            .option('--rate <n>', 'nodes begun in a second at most')
            .addOption(format(['text', 'json'])),
        ),
      after: `Ends with the first interrupt. With --format json every change is a line.

Examples:
  $ kaiactl node watch http://127.0.0.1:8551 --interval 1m
  $ kaiactl node watch --inventory fleet.ini --textfile /var/lib/node_exporter/kaiactl.prom
  $ kaiactl node watch --inventory fleet.ini --listen 127.0.0.1:9469`,
      run: async (options, host, targets) =>
        (await import('../node/commands/watch.js')).run({ ...options, targets }, host),
    },
    host,
    outcome,
  );
}
