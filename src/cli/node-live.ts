/** The verbs of `kaiactl node` that ask or simulate a node. */
import { Argument, Command } from 'commander';
import {
  auditOptions,
  modulesOptions,
  policyOptions,
  simulateOptions,
  watchOptions,
} from '../node/commands/options/live.js';
import { verb } from './verb.js';

const modulesVerb = verb(() => new Command('modules').argument('<endpoint>'), modulesOptions, {
  group: 'node',
  summary: 'the modules one endpoint offers, as rpc_modules lists them',
  after: `Examples:
  $ kaiactl node modules http://127.0.0.1:8551
  $ kaiactl node modules ws://user:password@node.example:8552
  $ kaiactl node modules ipc:/var/kend/data/klay.ipc --format json`,
  run: async (options, host, endpoint) =>
    (await import('../node/commands/modules.js')).run({ ...options, endpoint }, host),
});

const auditVerb = verb(() => new Command('audit').argument('[targets...]'), auditOptions, {
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

const help = `The first line of stdout is JSON: {"http":url|null,"ws":url|null,"ipc":path|null}
and more. Every interface is bound to loopback, whatever the conf says. The ipc
socket is at the conf's DATA_DIR/klay.ipc if that folder is there and has none,
else in a private folder. With -v each message is logged on stderr.

Like a v2.2.1 node
  which modules and methods each interface offers; the unsafe-debug switch,
  rpc.eth.noncompatible, klay as kaia; error codes and texts; params, ids,
  batches, notifications, broken JSON; Host, CORS and Origin checks; content
  types, HTTP methods, sizes, timeouts; subscribing; the socket's mode
Not like a node
  nothing runs: a few reads answer with constants (modules, versions, ids,
  accounts, a block number), all else that would run answers -32000 "not
  simulated"; admin_startHTTP and the like change nothing
  the types of parameters are not checked, only their number
  subscriptions get an id and no event; one connection's messages are answered
  in order; numbers in ids come back as JavaScript prints them
  of the profiler only the index answers; gRPC, p2p and bridge ports stay closed

Examples:
  $ kaiactl node simulate kend.conf
  $ kaiactl node simulate kend.conf --free-ports --env RPC_API=klay,debug
  $ kaiactl node audit kend.conf --simulate`;

const simulateVerb = verb(() => new Command('simulate').argument('<conf>'), simulateOptions, {
  group: 'node',
  summary: 'the interfaces a conf would open, on loopback, until Ctrl-C',
  after: help,
  run: async (options, host, conf) =>
    (await import('../node/commands/simulate.js')).run({ ...options, conf }, host),
});

/** `watch`. */
const watchVerb = verb(() => new Command('watch').argument('[targets...]'), watchOptions, {
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

/** `policy make` and `policy check`. */
const policyVerb = verb(
  () =>
    new Command('policy')
      .addArgument(new Argument('<action>').choices(['make', 'check']))
      .argument('[policy]'),
  policyOptions,
  {
    group: 'node',
    summary: 'the most a node may offer: make a policy from a known-good node, or check one',
    after: `make prints a policy, an ini file with a section for each interface; check prints what
a policy says, and without one the built-in ones. Nodes are held against it by
lint and audit with --policy NAME or FILE, or by their role in an inventory.

Examples:
  $ kaiactl node policy check
  $ kaiactl node policy check public-en
  $ kaiactl node policy make --from /etc/kend/conf/kend.conf > en.ini
  $ kaiactl node audit --inventory fleet.ini --policy en.ini`,
    run: async (options, host, action, policy) =>
      (await import('../node/commands/policy.js')).run({ ...options, action, policy }, host),
  },
);

/** In the order help shows them. */
export const liveVerbs = [auditVerb, modulesVerb, simulateVerb, watchVerb, policyVerb];
