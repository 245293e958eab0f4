/** The verbs of `kaiactl node` that talk to nodes. */
import { Command, type CommandUnknownOpts, Option, type OptionValues } from 'commander';
import type { Host } from '../host.js';
import { confOptions } from './conf-options.js';
import { connection } from './connection.js';
import { assumeReach, common, format } from './options.js';
import { reporting } from './reporting.js';
import { type Outcome, verb } from './verb.js';

/** `audit` and `modules`. */
export function liveVerbs(host: Host, outcome: Outcome): CommandUnknownOpts[] {
  return [auditVerb(host, outcome), modulesVerb(host, outcome)];
}

function modulesVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('modules').argument('<endpoint>');
  return verb(
    {
      group: 'node',
      command,
      summary: 'the modules one endpoint offers, as rpc_modules lists them',
      options: () => common(connection(command).addOption(format(['text', 'json']))),
      after: `Examples:
  $ kaiactl node modules http://127.0.0.1:8551
  $ kaiactl node modules ws://user:password@node.example:8552
  $ kaiactl node modules ipc:/var/kend/data/klay.ipc --format json`,
      run: async (options, host, endpoint) =>
        (await import('../node/commands/modules.js')).run({ ...options, endpoint }, host),
    },
    host,
    outcome,
  );
}

/** What an audit asks and of whom. */
function auditing<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--inventory <file>', 'a fleet: an ini file with a section for each node')
    .option('--targets-from <file>', 'a target a line; - is stdin')
    .option('--shard <k/n>', 'only this part of the targets, as 3/10: report merge puts the parts together')
    .option('--simulate', 'audit a simulated node made from each conf instead of the real one', false)
    .addOption(
      new Option('--probe <depth>', 'none: what it is and offers; safe: also existence probes and access')
        .choices(['none', 'safe'])
        .default('safe'),
    )
    .addOption(assumeReach())
    .option('--plan', 'print what would be sent, and send nothing', false)
    .option('--metrics-port <port>', 'also look for the profiler on this port of each endpoint named')
    .option('--concurrency <n>', 'nodes asked at the same time', '16')
    .option('--rate <n>', 'nodes begun in a second at most')
    .option('--save-facts <file>', 'keep what was seen, to be judged later')
    .option('--facts <file>', 'judge what was saved; nothing is sent');
}

function auditVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('audit').argument('[targets...]');
  return verb(
    {
      group: 'node',
      command,
      summary: 'what live nodes offer to whom, and where they differ from their conf',
      options: () => common(reporting(confOptions(auditing(connection(command))))),
      after: `A target is an endpoint (http, https, ws, wss, ipc:/path), the path of a socket,
pid:<n>, or a conf file, whose endpoints are then derived from its settings.
Without a target every node that runs on this machine is audited. An endpoint
gets at most 20 small requests from a fixed list; none of them changes anything.
--plan shows them.

Examples:
  $ kaiactl node audit
  $ kaiactl node audit http://127.0.0.1:8551 ws://127.0.0.1:8552
  $ kaiactl node audit /etc/kend/conf/kend.conf
  $ kaiactl node audit --inventory fleet.ini --shard 3/10 --report json=audit-3.json
  $ list-nodes | kaiactl node audit -
  $ kaiactl node audit kend.conf --simulate`,
      run: async (options, host, targets) =>
        (await import('../node/commands/audit.js')).run({ ...options, targets }, host),
    },
    host,
    outcome,
  );
}
