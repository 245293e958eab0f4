/** Options of the node verbs that ask or simulate a node. */
import type { Command, OptionValues } from 'commander';
import { assumeReach, common, format, headings, probe, repeatable } from '../../../options/common.js';
import type { Declared, NoOptions } from '../../../options/declared.js';
import { confOptions, connection, counting, reporting } from './shared.js';

/** Adds targets and saved facts. */
function audited<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup(headings.input)
    .option('--inventory <file>', 'read the fleet from an ini file, one section per node')
    .option('--targets-from <file>', 'read targets from a file, one per line (-: stdin)')
    .option('--shard <k/n>', 'audit one part of the targets, such as 3/10; report merge joins the parts')
    .option('--simulate', 'audit a simulated node of each conf instead of the real node', false)
    .option('--facts <file>', 'judge the saved facts of a file; send nothing');
}

function asking<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .optionsGroup(headings.asking)
    .addOption(probe())
    .option('--plan', 'print the requests; send nothing', false)
    .option('--metrics-port <port>', 'also look for the profiler on this port of each named endpoint')
    .option('--concurrency <n>', 'maximum number of nodes audited at a time', '16')
    .option('--rate <n>', 'maximum number of audits started per second');
}

/** Options of `node audit`. */
export function auditOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    reporting(connection(asking(confOptions(audited(command)))))
      .addOption(assumeReach())
      .optionsGroup(headings.output)
      .option('--save-facts <file>', 'save the gathered facts, for --facts'),
  );
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
      .optionsGroup('What is simulated:')
      .option('--free-ports', 'listen on free ports instead of the conf’s ports', false)
      .option('--ipc <path>', 'path of the ipc socket; must not exist')
      .option('--client-version <text>', 'answer of web3_clientVersion')
      .addOption(repeatable('--account <address>', 'account that the node lists (repeatable)'))
      .addOption(repeatable('--unlocked <address>', 'account that the node lists as unlocked (repeatable)'))
      .option('--force', 'simulate even if a node with this conf would not start', false),
  );
}

export type SimulateOptions = Declared<typeof simulateOptions<[], NoOptions>>;

/** Options of `node watch`. */
export function watchOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    counting(connection(watched(command)))
      .optionsGroup(headings.asking)
      .addOption(probe())
      .option('--interval <time>', 'time between two rounds, plus or minus 10 %', '5m')
      .option('--concurrency <n>', 'maximum number of nodes audited at a time', '16')
      .option('--rate <n>', 'maximum number of audits started per second')
      .optionsGroup(headings.output)
      .addOption(format(['text', 'json']))
      .option('--textfile <file>', 'write metrics for the textfile collector of the Prometheus node exporter')
      .option('--listen <address>', 'serve metrics to Prometheus on this address, such as 127.0.0.1:9469')
      .option(
        '--serve-probe',
        'instead of rounds, audit the node of the inventory that a request to /probe names',
        false,
      )
      .option('--webhook <url>', 'post each change to this URL as JSON')
      .option('--notify-initial', 'also post the first state to the webhook', false)
      .option('--state <file>', 'keep the last state in a file, to report after a restart what changed'),
  );
}

function watched<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return confOptions(
    command
      .optionsGroup(headings.input)
      .option('--inventory <file>', 'read the fleet from an ini file, one section per node')
      .option('--targets-from <file>', 'read targets from a file, one per line'),
  );
}

export type WatchOptions = Declared<typeof watchOptions<[], NoOptions>>;

/** Options of `node policy`. */
export function policyOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return common(
    connection(confOptions(command))
      .optionsGroup(headings.input)
      .option('--from <source>', 'make: conf, endpoint or saved report to read')
      .option('--name <name>', 'make: name of the policy (default: own)'),
  );
}

export type PolicyOptions = Declared<typeof policyOptions<[], NoOptions>>;
