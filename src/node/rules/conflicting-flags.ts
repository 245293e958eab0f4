/** Two flags that exclude each other, or two names of one flag. */

import { takeOut } from '../judge/fix/fix.js';
import { conf, type Rule } from '../judge/rule/rule.js';
import { refusals } from '../judge/rule/start-problems.js';
export const conflictingFlags: Rule = {
  id: 'conflicting-flags',
  severity: 'medium',
  title: 'Two flags contradict each other and the node refuses to start.',
  why: `A flag and its alias count as two forms of the same flag, and the node exits: "Cannot use two forms of the same flag". So --http-rpc.api in ADDITIONAL never coexists with RPC_API, which the launcher passes as --rpcapi. --ipcdisable with --ipcpath is refused as well.`,
  fix: 'Use one of them.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--http-rpc.api klay"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    refusals(settings, ['conflicting-flags'], ({ at, flags }) =>
      takeOut(settings, flags[0] ?? 'one', { at }),
    ),
};
