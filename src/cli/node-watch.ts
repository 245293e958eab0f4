/** The verb of `kaiactl node` that goes on. */
import { Command } from 'commander';
import { watchOptions } from '../node/commands/options/watch.js';
import { verb } from './verb.js';

/** `watch`. */
export const watchVerb = verb(() => new Command('watch').argument('[targets...]'), watchOptions, {
  group: 'node',
  summary: 'audit again and again, print only what changes, keep metrics',
  after: `Ends with the first interrupt. With --format json every change is a line.

Examples:
  $ kaiactl node watch http://127.0.0.1:8551 --interval 1m
  $ kaiactl node watch --inventory fleet.ini --textfile /var/lib/node_exporter/kaiactl.prom
  $ kaiactl node watch --inventory fleet.ini --listen 127.0.0.1:9469`,
  run: async (options, host, targets) =>
    (await import('../node/commands/watch.js')).run({ ...options, targets }, host),
});
