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
  summary: 'list the modules of one endpoint, as rpc_modules answers',
  after: `Examples:
  $ kaiactl node modules http://127.0.0.1:8551
  $ kaiactl node modules ws://user:password@node.example:8552
  $ kaiactl node modules ipc:/var/kend/data/klay.ipc --format json`,
  run: async (options, host, endpoint) =>
    (await import('../node/commands/modules.js')).run({ ...options, endpoint }, host),
});

const auditVerb = verb(() => new Command('audit').argument('[targets...]'), auditOptions, {
  summary: 'audit what live nodes expose, and compare them with their conf',
  after: `A target is an endpoint (http, https, ws, wss, ipc:/path), the path of a socket,
pid:<n>, or a file or folder of settings, which give the endpoints. The default
is every node that runs on this machine. audit sends an endpoint at most 20
small requests from a fixed list, which change nothing. --plan prints them.

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

const help = `The first line of stdout is JSON with the addresses of http, ws, ipc, metrics,
pprof and authrpc; null: closed. Every interface listens on loopback, regardless of the conf. The ipc
socket is where the conf has it if that folder exists without a socket, else it
is in a private folder. -v logs each message on stderr.

Same as a node (Kaia v2.2.1, geth v1.17.8, bsc v1.7.8, op-geth v1.101702.3)
  modules and methods of each interface; error codes and texts
  Kaia: rpc.unsafe-debug.disable, rpc.eth.noncompatible, klay as kaia
  geth: http and ws on one port, path prefixes, the 401 of authrpc
  params, ids, batches, notifications, broken JSON
  Host, CORS and Origin checks; content types, HTTP methods, sizes, timeouts
  subscribing; the mode of the ipc socket
Different from a node
  a few reads return constants (modules, versions, ids, accounts, a block)
  other methods return -32000 "not simulated"; nothing changes state
  the number of parameters is checked, their types are not
  subscriptions get an id and no event; each connection is answered in order
  numbers in ids are printed as JavaScript prints them
  the profiler serves only its index; authrpc accepts no token; GraphQL is 501
  gRPC, p2p and bridge ports stay closed

Examples:
  $ kaiactl node simulate kend.conf
  $ kaiactl node simulate compose.yml --service execution --free-ports
  $ kaiactl node simulate kend.conf --free-ports --env RPC_API=klay,debug
  $ kaiactl node audit kend.conf --simulate`;

const simulateVerb = verb(() => new Command('simulate').argument('<conf>'), simulateOptions, {
  summary: 'open the interfaces of a conf on loopback, until Ctrl-C',
  after: help,
  run: async (options, host, conf) =>
    (await import('../node/commands/simulate.js')).run({ ...options, conf }, host),
});

const watchVerb = verb(() => new Command('watch').argument('[targets...]'), watchOptions, {
  summary: 'audit repeatedly, print changes, export metrics',
  after: `watch first prints how the nodes stand, then what changes, until it is
interrupted. Every round looks for nodes and their settings anew; SIGHUP starts
a round at once. --format json prints one line per round with a change.

--serve-probe answers /probe?target=NAME&policy=NAME like the blackbox exporter
of Prometheus, and /targets for its http_sd_configs.

Examples:
  $ kaiactl node watch http://127.0.0.1:8551 --interval 1m
  $ kaiactl node watch --inventory fleet.ini --textfile /var/lib/node_exporter/kaiactl.prom
  $ kaiactl node watch --inventory fleet.ini --listen 127.0.0.1:9469
  $ kaiactl node watch --inventory fleet.ini --listen 127.0.0.1:9469 --serve-probe`,
  run: async (options, host, targets) =>
    (await import('../node/commands/watch.js')).run({ ...options, targets }, host),
});

const policyVerb = verb(
  () =>
    new Command('policy')
      .addArgument(new Argument('<action>').choices(['list', 'make', 'check']))
      .argument('[policy]'),
  policyOptions,
  {
    summary: 'list policies, make one from a known-good node, or check one',
    after: `A policy limits what a node may offer: an ini file with a section for each
interface. list names the built-in ones, make prints one, check validates and
prints one. lint and audit apply it with --policy NAME or FILE, or by the role
of a node in an inventory.

Examples:
  $ kaiactl node policy list
  $ kaiactl node policy check public-en
  $ kaiactl node policy make --from /etc/kend/conf/kend.conf > en.ini
  $ kaiactl node audit --inventory fleet.ini --policy en.ini`,
    run: async (options, host, action, policy) =>
      (await import('../node/commands/policy.js')).run({ ...options, action, policy }, host),
  },
);

/** By name, in the order help shows them. */
export const liveVerbs = {
  audit: auditVerb,
  modules: modulesVerb,
  simulate: simulateVerb,
  watch: watchVerb,
  policy: policyVerb,
};
