/** The verb of `kaiactl node` that writes and reads policies. */
import { Argument, Command } from 'commander';
import { policyOptions } from '../node/commands/options/policy.js';
import { verb } from './verb.js';

/** `policy make` and `policy check`. */
export const policyVerb = verb(
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
