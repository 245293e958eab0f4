/** The verbs of `kaiactl node` that talk to nodes. */
import { Command } from 'commander';
import { auditOptions } from '../node/commands/options/audit.js';
import { modulesOptions } from '../node/commands/options/modules.js';
import { verb } from './verb.js';

export const modulesVerb = verb(() => new Command('modules').argument('<endpoint>'), modulesOptions, {
  group: 'node',
  summary: 'the modules one endpoint offers, as rpc_modules lists them',
  after: `Examples:
  $ kaiactl node modules http://127.0.0.1:8551
  $ kaiactl node modules ws://user:password@node.example:8552
  $ kaiactl node modules ipc:/var/kend/data/klay.ipc --format json`,
  run: async (options, host, endpoint) =>
    (await import('../node/commands/modules.js')).run({ ...options, endpoint }, host),
});

export const auditVerb = verb(() => new Command('audit').argument('[targets...]'), auditOptions, {
  group: 'node',
  summary: 'what live nodes offer to whom, and where they differ from their conf',
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
});
