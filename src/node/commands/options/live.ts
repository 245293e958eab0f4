/** Options of the node verbs that ask or simulate a node. */
import type { Command, OptionValues } from 'commander';
import { assumeReach, common, format, probe, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions, connection, counting, reporting } from './shared.js';

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

/** Options of `node modules`. */
export function modulesOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(connection(command).addOption(format(['text', 'json'])));
}

export type ModulesOptions = Declared<typeof modulesOptions<[], NoOptions>>;

/** Options of `node simulate`. */
export function simulateOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    confOptions(command)
      .option('--free-ports', 'take free ports instead of the conf’s', false)
      .option('--ipc <path>', 'where the ipc socket goes; must not exist yet')
      .option('--client-version <text>', 'what web3_clientVersion answers')
      .option('--klay', 'as a node before klay became kaia', false)
      .addOption(repeatable('--account <address>', 'an account the node lists (repeatable)'))
      .option('--force', 'also when a node with this conf would not start', false),
  );
}

export type SimulateOptions = Declared<typeof simulateOptions<[], NoOptions>>;

/** Options of `node watch`. */
export function watchOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
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
      .addOption(probe())
      .option('--concurrency <n>', 'nodes asked at the same time', '16')
      .option('--rate <n>', 'nodes begun in a second at most')
      .addOption(format(['text', 'json'])),
  );
}

export type WatchOptions = Declared<typeof watchOptions<[], NoOptions>>;

/** Options of `node policy`. */
export function policyOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    connection(confOptions(command))
      .option('--from <what>', 'make: settings (a conf, …), an endpoint or a saved report')
      .option('--name <name>', 'make: the name of the policy; default: own'),
  );
}

export type PolicyOptions = Declared<typeof policyOptions<[], NoOptions>>;
