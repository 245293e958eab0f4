/** The verbs of `kaiactl node`. */
import { verbs } from '../node/commands/options/verbs.js';
import { verb } from './verb.js';

const hardenHelp = `The source is a file that lint reads, or - for stdin. stdout gets a complete
file; its comments say what it requires, where to install it and how to check
it. harden writes no file and sends nothing.

  nginx     a proxy that parses every call; njs is the script it imports
  caddy     a proxy that matches every call against an expression
  nftables  http and ws from this machine, metrics from --monitoring, p2p open
  systemd   a drop-in that allows the configured ports only, with fewer rights
  compose   an override that publishes ports on 127.0.0.1 only

Examples:
  $ kaiactl node harden --for nginx /etc/kend/conf/kend.conf > kaia.conf
  $ kaiactl node harden --for njs /etc/kend/conf/kend.conf > kaia-rpc.js
  $ kaiactl node harden --for nftables --monitoring 10.20.0.0/16 kend.conf
  $ kaiactl node harden --for compose --service en compose.yaml
  $ kaiactl node harden --for caddy --command-line 'ken --rpc --rpcapi eth,net'`;

const simulateHelp = `The first line of stdout is JSON with the addresses of http, ws, ipc, metrics,
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

/** By name, in the order help shows them. */
export const nodeVerbs = {
  lint: verb(verbs.lint, {
    summary: 'check what a conf would expose, and which settings do not work as they look',
    after: `A path is a file that holds a node's settings or starts a node (a conf, a
compose file, a script, …), a folder of such files, or - for stdin. The default
is the conf files in /etc/k*nd/conf. lint runs nothing and sends nothing.

Examples:
  $ kaiactl node lint /etc/kend/conf/kend.conf
  $ kaiactl node lint --format json --report text=lint.txt confs/
  $ kaiactl node lint compose.yml
  $ kaiactl node lint --diff --unsafe-fixes kend.conf > fixes.patch
  $ kaiactl node lint --fix --backup /etc/kend/conf/kend.conf
  $ kaiactl node lint --command-line 'ken --rpc --rpcapi eth,personal'
  $ ssh en-1 cat /etc/kend/conf/kend.conf | kaiactl node lint - --stdin-filename kend.conf`,
    run: async (options, host, paths) =>
      (await import('../node/commands/lint.js')).run({ ...options, paths }, host),
  }),
  explain: verb(verbs.explain, {
    summary: 'explain a rule and show an example, or list all rules',
    after: `Examples:
  $ kaiactl node explain
  $ kaiactl node explain wildcard-cors`,
    run: async (options, host, rule) =>
      (await import('../node/commands/explain.js')).run({ ...options, rule }, host),
  }),
  settings: verb(verbs.settings, {
    summary: 'show the effective settings of a conf, and where each comes from',
    after: `The conf is not executed. A value that depends on a command is unknown; the
output gives the reason. -v also shows defaults. Secrets are masked.

Examples:
  $ kaiactl node settings /etc/kend/conf/kend.conf
  $ kaiactl node settings kend.conf --env RPC_API=klay --format json
  $ ssh en-1 cat /etc/kend/conf/kend.conf | kaiactl node settings - --stdin-filename kend.conf`,
    run: async (options, host, conf) =>
      (await import('../node/commands/settings.js')).run({ ...options, conf }, host),
  }),
  harden: verb(verbs.harden, {
    summary: 'write a proxy, firewall or unit snippet from a node’s settings',
    after: hardenHelp,
    run: async (options, host, conf) =>
      (await import('../node/commands/harden.js')).run({ ...options, conf }, host),
  }),
  lsp: verb(verbs.lsp, {
    summary: 'show findings, fixes and rules in an editor (Language Server Protocol)',
    after: `An editor starts it and speaks to it over stdin and stdout. It lints the folder
of an open file as lint does, with the text in the editor, and writes no file.
docs/editors.md has the settings of Neovim, VS Code, Helix and Emacs.

Examples:
  $ kaiactl node lsp --policy public-en`,
    run: async (options, host) => (await import('../node/commands/lsp.js')).run(options, host),
  }),
  demo: verb(verbs.demo, {
    summary: 'write an example conf to try the other commands on',
    after: `Examples:
  $ kaiactl node demo demo && kaiactl node lint demo/kend.conf
  $ kaiactl node audit --simulate demo/kend.conf`,
    run: async (options, host, folder) =>
      (await import('../node/commands/demo.js')).run({ ...options, folder }, host),
  }),
  init: verb(verbs.init, {
    summary: 'write kaiactl.ini, a baseline and a CI job, after it has shown them',
    run: async (options, host) => (await import('../node/commands/init.js')).run(options, host),
  }),
  audit: verb(verbs.audit, {
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
  }),
  modules: verb(verbs.modules, {
    summary: 'list the modules of one endpoint, as rpc_modules answers',
    after: `Examples:
  $ kaiactl node modules http://127.0.0.1:8551
  $ kaiactl node modules ws://user:password@node.example:8552
  $ kaiactl node modules ipc:/var/kend/data/klay.ipc --format json`,
    run: async (options, host, endpoint) =>
      (await import('../node/commands/modules.js')).run({ ...options, endpoint }, host),
  }),
  simulate: verb(verbs.simulate, {
    summary: 'open the interfaces of a conf on loopback, until Ctrl-C',
    after: simulateHelp,
    run: async (options, host, conf) =>
      (await import('../node/commands/simulate.js')).run({ ...options, conf }, host),
  }),
  watch: verb(verbs.watch, {
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
  }),
  policy: verb(verbs.policy, {
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
  }),
};
