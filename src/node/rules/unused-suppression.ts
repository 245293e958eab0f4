/** A kaiactl-ignore comment that is no longer needed. */

import { conf, decideVerdict, type Rule } from '../judge/rule/rule.js';
export const unusedSuppression: Rule = {
  id: 'unused-suppression',
  severity: 'low',
  title: 'A suppression comment suppresses nothing.',
  why: `The finding that it suppressed is gone, or the comment is on the wrong line. If it stays, it hides the next finding of that rule.`,
  fix: 'Delete the comment, or move it to the line of the finding or to the line above.',
  ignore: 'Never: delete the comment.',
  sources: ['docs/lint.md#accept-one-line'],
  examples: {
    bad: conf('# kaiactl-ignore public-bind reason="behind a firewall"', 'RPC_ENABLE=0'),
    good: conf('RPC_ENABLE=0'),
  },
  on: 'settings',
  check: () => decideVerdict([]), // suppress.ts adds them, because it knows the findings
};
