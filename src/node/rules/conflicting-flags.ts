/** Two flags that exclude each other, or two names of one flag. */

import { removeWhole } from '../fix/proposal/fix.js';
import { conf, kaia, type Rule } from '../judge/rule/rule.js';
import { startProblems } from '../judge/rule/start-problems.js';
export const conflictingFlags: Rule = {
  id: 'conflicting-flags',
  severity: 'medium',
  title: 'Two flags contradict each other and the node refuses to start.',
  why: `The node counts a flag and its alias as the same flag and exits with "Cannot use two forms of the same flag". Flags that exclude each other, such as --ipcdisable and --ipcpath, stop it as well; so do two flags that no release has together. A launcher may already pass one of them.`,
  fix: 'Keep one of the two flags.',
  ignore: 'Never: the node does not start.',
  sources: [kaia('cmd/utils/flags.go')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--http-rpc.api klay"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    startProblems(settings, ['conflicting-flags'], ({ at, flags }) =>
      removeWhole(settings, flags[0] ?? 'one', { at }),
    ),
};
