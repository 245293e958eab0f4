/** A kaiactl-ignore comment that nothing needs any more. */

import { conf, found, type Rule } from '../judge/rule/rule.js';
export const unusedSuppression: Rule = {
  id: 'unused-suppression',
  severity: 'low',
  title: 'A suppression comment has nothing left to suppress.',
  why: `The finding it was written for is gone, or the comment stands on the wrong line. Left in place it would hide the next finding of that rule.`,
  fix: 'Delete the comment, or move it to the line of the finding or the line above.',
  examples: {
    bad: conf('# kaiactl-ignore public-bind reason="behind a firewall"', 'RPC_ENABLE=0'),
    good: conf('RPC_ENABLE=0'),
  },
  on: 'settings',
  check: () => found([]), // suppress.ts adds them: only there is known what was found
};
