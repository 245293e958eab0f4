/** The verbs of `kaiactl node` that show what a conf means. */
import { Command } from 'commander';
import { settingsOptions } from '../node/commands/options/settings.js';
import { verb } from './verb.js';

/** `settings`. */
export const settingsVerb = verb(() => new Command('settings').argument('<conf>'), settingsOptions, {
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
