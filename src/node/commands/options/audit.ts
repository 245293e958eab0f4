import type { Command, OptionValues } from 'commander';
import { assumeReach, common, probe } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions } from './conf.js';
import { connection } from './connection.js';
import { reporting } from './reporting.js';

/** What an audit asks and of whom. */
function auditing<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--inventory <file>', 'a fleet: an ini file with a section for each node')
    .option('--targets-from <file>', 'a target a line; - is stdin')
    .option('--shard <k/n>', 'only this part of the targets, as 3/10: report merge puts the parts together')
    .option('--simulate', 'audit a simulated node made from each conf instead of the real one', false)
    .addOption(probe())
    .addOption(assumeReach())
    .option('--plan', 'print what would be sent, and send nothing', false)
    .option('--metrics-port <port>', 'also look for the profiler on this port of each endpoint named')
    .option('--concurrency <n>', 'nodes asked at the same time', '16')
    .option('--rate <n>', 'nodes begun in a second at most')
    .option('--save-facts <file>', 'keep what was seen, to be judged later')
    .option('--facts <file>', 'judge what was saved; nothing is sent');
}

/** Options of `node audit`. */
export function auditOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(reporting(confOptions(auditing(connection(command)))));
}

export type AuditOptions = Declared<typeof auditOptions<[], NoOptions>>;
