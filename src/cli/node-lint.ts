/** The verbs of `kaiactl node` that read files only. */
import { Command } from 'commander';
import { explainOptions } from '../node/commands/options/explain.js';
import { lintOptions } from '../node/commands/options/lint.js';
import { verb } from './verb.js';

export const lintVerb = verb(() => new Command('lint').argument('[paths...]'), lintOptions, {
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

export const explainVerb = verb(() => new Command('explain').argument('[rule]'), explainOptions, {
  group: 'node',
  summary: 'why a rule exists, what to do, and an example; without a rule, all of them',
  after: `Examples:
  $ kaiactl node explain
  $ kaiactl node explain wildcard-cors`,
  run: async (options, host, rule) =>
    (await import('../node/commands/explain.js')).run({ ...options, rule }, host),
});
