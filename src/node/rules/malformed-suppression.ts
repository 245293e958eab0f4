/** A kaiactl-ignore comment that suppresses nothing. */

import { conf, found, type Rule } from '../judge/rule/rule.js';
export const malformedSuppression: Rule = {
  id: 'malformed-suppression',
  severity: 'medium',
  title: 'A suppression comment is not understood.',
  why: `A comment without a rule, with a rule that does not exist, without a reason or with an impossible date suppresses nothing, while its author believes it does. The reason is what the next reader needs.`,
  fix: '# kaiactl-ignore <rule> [until=YYYY-MM-DD] reason="…" on the line or the line above.',
  examples: {
    bad: conf('# kaiactl-ignore open-profiler', 'METRICS=0'),
    good: conf('# kaiactl-ignore open-profiler reason="firewalled"', 'METRICS=1 PROMETHEUS=1'),
  },
  on: 'settings',
  check: () => found([]), // suppress.ts adds them: only there is every rule known
};
