/** A kaiactl-ignore comment whose date has passed. */

import { conf, decideVerdict, type Rule } from '../judge/rule/rule.js';
export const expiredSuppression: Rule = {
  id: 'expired-suppression',
  severity: 'low',
  title: 'A suppression has expired.',
  why: `until= gives the last day on which the suppression holds. After that day the finding counts again, so that the exception is reviewed.`,
  fix: 'Resolve the finding, or set a new date with a reason that is still true.',
  ignore: 'Never: it is a reminder.',
  sources: ['docs/lint.md#accept-one-line'],
  examples: {
    bad: conf('# kaiactl-ignore public-bind until=2020-01-31 reason="until the proxy is up"', 'RPC_ENABLE=0'),
    good: conf(
      '# kaiactl-ignore public-bind until=2999-12-31 reason="behind the firewall"',
      'RPC_ADDR="0.0.0.0"',
      'RPC_ENABLE=1',
      'RPC_API="klay,eth"',
    ),
  },
  on: 'settings',
  check: () => decideVerdict([]), // suppress.ts adds them, because it knows the findings
};
