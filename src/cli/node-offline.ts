/** The verbs of `kaiactl node` that only read files. */
import { Command } from 'commander';
import {
  explainOptions,
  hardenOptions,
  lintOptions,
  settingsOptions,
} from '../node/commands/options/offline.js';
import { verb } from './verb.js';

const lintVerb = verb(() => new Command('lint').argument('[paths...]'), lintOptions, {
  group: 'node',
  summary: 'what a conf file would expose, and what in it is not as it looks',
  after: `A path is a file that holds a node's settings or starts a node (a conf, a
compose file, a script, …), a folder searched for them, or - for stdin. Without
a path: the conf files below /etc/k*nd/conf. Nothing is run, nothing is sent.

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
});

const explainVerb = verb(() => new Command('explain').argument('[rule]'), explainOptions, {
  group: 'node',
  summary: 'why a rule exists, what to do, and an example; without a rule, all of them',
  after: `Examples:
  $ kaiactl node explain
  $ kaiactl node explain wildcard-cors`,
  run: async (options, host, rule) =>
    (await import('../node/commands/explain.js')).run({ ...options, rule }, host),
});

/** `settings`. */
const settingsVerb = verb(() => new Command('settings').argument('<conf>'), settingsOptions, {
  group: 'node',
  summary: 'what the launcher makes of a conf: settings, and where each comes from',
  after: `Nothing in the conf is executed: what only a command could tell is unknown, and why is said.
With -v the settings left at their defaults are shown too. Secrets are masked.

Examples:
  $ kaiactl node settings /etc/kend/conf/kend.conf
  $ kaiactl node settings kend.conf --env RPC_API=klay --format json
  $ ssh en-1 cat /etc/kend/conf/kend.conf | kaiactl node settings - --stdin-filename kend.conf`,
  run: async (options, host, conf) =>
    (await import('../node/commands/settings.js')).run({ ...options, conf }, host),
});

const help = `A source is any file lint reads, or - for stdin. The snippet is one whole file,
on stdout; its comments say what it needs, where it goes and how to check it.
Nothing is written, nothing is sent.

  nginx     a proxy that reads every call; njs is the script it imports
  caddy     a proxy that holds every call against an expression
  nftables  http and ws for this machine, metrics for --monitoring, p2p open
  systemd   a drop-in: the ports of the settings and no other, and less rights
  compose   an override that publishes on 127.0.0.1 only

Examples:
  $ kaiactl node harden --for nginx /etc/kend/conf/kend.conf > kaia.conf
  $ kaiactl node harden --for njs /etc/kend/conf/kend.conf > kaia-rpc.js
  $ kaiactl node harden --for nftables --monitoring 10.20.0.0/16 kend.conf
  $ kaiactl node harden --for compose --service en compose.yaml
  $ kaiactl node harden --for caddy --command-line 'ken --rpc --rpcapi eth,net'`;

const hardenVerb = verb(() => new Command('harden').argument('[source]'), hardenOptions, {
  group: 'node',
  summary: 'a proxy, firewall or unit snippet made from a node’s settings',
  after: help,
  run: async (options, host, conf) =>
    (await import('../node/commands/harden.js')).run({ ...options, conf }, host),
});

/** In the order help shows them. */
export const offlineVerbs = [lintVerb, explainVerb, settingsVerb, hardenVerb];
