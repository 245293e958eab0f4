/** The verbs of `kaiactl node` that only read files. */
import { Command } from 'commander';
import {
  demoOptions,
  explainOptions,
  hardenOptions,
  initOptions,
  lintOptions,
  lspOptions,
  settingsOptions,
} from '../node/commands/options/offline.js';
import { verb } from './verb.js';

const lintVerb = verb(() => new Command('lint').argument('[paths...]'), lintOptions, {
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
});

const explainVerb = verb(() => new Command('explain').argument('[rule]'), explainOptions, {
  summary: 'explain a rule and show an example, or list all rules',
  after: `Examples:
  $ kaiactl node explain
  $ kaiactl node explain wildcard-cors`,
  run: async (options, host, rule) =>
    (await import('../node/commands/explain.js')).run({ ...options, rule }, host),
});

const settingsVerb = verb(() => new Command('settings').argument('<conf>'), settingsOptions, {
  summary: 'show the effective settings of a conf, and where each comes from',
  after: `The conf is not executed. A value that depends on a command is unknown; the
output gives the reason. -v also shows defaults. Secrets are masked.

Examples:
  $ kaiactl node settings /etc/kend/conf/kend.conf
  $ kaiactl node settings kend.conf --env RPC_API=klay --format json
  $ ssh en-1 cat /etc/kend/conf/kend.conf | kaiactl node settings - --stdin-filename kend.conf`,
  run: async (options, host, conf) =>
    (await import('../node/commands/settings.js')).run({ ...options, conf }, host),
});

const help = `The source is a file that lint reads, or - for stdin. stdout gets a complete
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

const hardenVerb = verb(() => new Command('harden').argument('[source]'), hardenOptions, {
  summary: 'write a proxy, firewall or unit snippet from a node’s settings',
  after: help,
  run: async (options, host, conf) =>
    (await import('../node/commands/harden.js')).run({ ...options, conf }, host),
});

const lspVerb = verb(() => new Command('lsp'), lspOptions, {
  summary: 'show findings, fixes and rules in an editor (Language Server Protocol)',
  after: `An editor starts it and speaks to it over stdin and stdout. It lints the folder
of an open file as lint does, with the text in the editor, and writes no file.
docs/editors.md has the settings of Neovim, VS Code, Helix and Emacs.

Examples:
  $ kaiactl node lsp --policy public-en`,
  run: async (options, host) => (await import('../node/commands/lsp.js')).run(options, host),
});

const demoVerb = verb(() => new Command('demo').argument('<folder>'), demoOptions, {
  summary: 'write an example conf to try the other commands on',
  after: `Examples:
  $ kaiactl node demo demo && kaiactl node lint demo/kend.conf
  $ kaiactl node audit --simulate demo/kend.conf`,
  run: async (options, host, folder) =>
    (await import('../node/commands/demo.js')).run({ ...options, folder }, host),
});

const initVerb = verb(() => new Command('init'), initOptions, {
  summary: 'write kaiactl.ini, a baseline and a CI job, after it has shown them',
  run: async (options, host) => (await import('../node/commands/init.js')).run(options, host),
});

/** By name, in the order help shows them. */
export const offlineVerbs = {
  lint: lintVerb,
  explain: explainVerb,
  settings: settingsVerb,
  harden: hardenVerb,
  lsp: lspVerb,
  demo: demoVerb,
  init: initVerb,
};
